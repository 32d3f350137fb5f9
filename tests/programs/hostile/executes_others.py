# ok
import os
for path in ("/bin/sh", "/usr/bin/env", "/usr/bin/gdb", "/usr/bin/g++", "/usr/bin/bwrap", "/optgap-broker", "/bin/busybox"):
    try:
        os.execv(path, [path])
    except OSError:
        print("refused", path)
try:
    os.posix_spawn("/bin/sh", ["sh"], {})
    print("ALLOWED spawn")
except OSError:
    print("refused spawn")
