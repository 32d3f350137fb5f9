# run_forbidden
import ctypes, os
print("ALLOWED", ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0), flush=True)
