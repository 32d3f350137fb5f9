# ok
import ctypes, os
for path in ("/tmp/optgap-hostile", "optgap-hostile", "/dev/shm/optgap-hostile", "/var/tmp/optgap-hostile", "/run/optgap-hostile",
             "/usr/lib/optgap-hostile"):
    try:
        os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        print("ALLOWED", path)
    except OSError:
        print("refused", path)
for flags in (0, 1, 2, 4):
    print("ALLOWED memfd" if ctypes.CDLL(None).syscall(319, b"x", flags) >= 0 else "refused memfd")
try:
    os.open("/tmp", os.O_TMPFILE | os.O_RDWR)
    print("ALLOWED O_TMPFILE")
except OSError:
    print("refused O_TMPFILE")
