# ok
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for number in (56, 57, 58, 435):
    print("ALLOWED" if libc.syscall(number, 17, 0, 0, 0, 0) >= 0 else "refused", number)
