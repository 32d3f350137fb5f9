# ok
import ctypes, os
libc = ctypes.CDLL(None)
for what, act in {
    "setuid": lambda: os.setuid(0), "setgid": lambda: os.setgid(0), "setgroups": lambda: os.setgroups([0]),
    "setresuid": lambda: os.setresuid(0, 0, 0), "setsid": os.setsid, "setpgid": lambda: os.setpgid(0, 0),
}.items():
    try:
        act()
        print("ALLOWED", what)
    except OSError:
        print("refused", what)
for number in (126, 157, 161 if False else 105, 106):
    print("ALLOWED" if libc.syscall(number, 0, 0, 0) >= 0 else "refused", number)
print("ALLOWED root" if os.geteuid() == 0 else "refused root")
