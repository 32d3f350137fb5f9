# run_forbidden
import ctypes
print("ALLOWED", ctypes.CDLL(None).mount(b"none", b"/tmp", b"tmpfs", 0, None), flush=True)
