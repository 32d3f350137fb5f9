# run_forbidden
import ctypes
print("ALLOWED", ctypes.CDLL(None).unshare(0x10000000), flush=True)
