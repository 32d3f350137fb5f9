# ok
import ctypes, mmap
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes.fromhex("b829000000bf02000000be0100000031d20f05c3"))  # socket(AF_INET, SOCK_STREAM, 0)
call = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
print("ALLOWED" if call() >= 0 else "refused")
