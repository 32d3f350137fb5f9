# ok
import os
for who in ("self", "1", "thread-self", str(os.getppid()), str(os.getpid())):
    for what in ("environ", "cmdline", "maps", "fd", "mem", "root", "status", "stat", "cwd"):
        path = f"/proc/{who}/{what}"
        try:
            os.listdir(path) if what in ("fd", "root", "cwd") else open(path, "rb").read(1)
            print("ALLOWED", path)
        except OSError:
            print("refused", path)
