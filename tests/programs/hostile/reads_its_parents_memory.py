# run_forbidden
import ctypes, os
print("ALLOWED", ctypes.CDLL(None).process_vm_readv(os.getppid(), 0, 0, 0, 0, 0), flush=True)
