# ok
import ctypes, os
libc = ctypes.CDLL(None)
said = b"\x01" + bytes(200)
for descriptor in range(3, 1024):
    try:
        os.write(descriptor, said)
        print("ALLOWED write", descriptor)
    except OSError:
        pass
    if libc.sendto(descriptor, said, len(said), 0, None, 0) >= 0:
        print("ALLOWED send", descriptor)
print("refused")
