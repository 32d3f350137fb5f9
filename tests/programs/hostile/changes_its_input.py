# ok
import os, mmap
for what, act in {
    "write": lambda: os.write(0, b"x"), "truncate": lambda: os.ftruncate(0, 0),
    "map": lambda: mmap.mmap(0, 1, prot=mmap.PROT_WRITE),
    "chmod": lambda: os.fchmod(0, 0o777),
}.items():
    try:
        act()
        print("ALLOWED", what)
    except (OSError, ValueError):
        print("refused", what)
