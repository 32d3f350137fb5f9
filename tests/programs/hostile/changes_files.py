# ok
import os
here = "/tmp/optgap-hostile-link"
for what, act in {
    "symlink": lambda: os.symlink("/etc/passwd", here), "link": lambda: os.link("/etc/hostname", here),
    "rename": lambda: os.rename("/etc/hostname", here), "unlink": lambda: os.unlink("/etc/hostname"),
    "mkdir": lambda: os.mkdir(here), "rmdir": lambda: os.rmdir("/tmp"), "chmod": lambda: os.chmod("/etc/hostname", 0o777),
    "chown": lambda: os.chown("/etc/hostname", 0, 0), "truncate": lambda: os.truncate("/etc/hostname", 0),
    "utime": lambda: os.utime("/etc/hostname"), "mknod": lambda: os.mknod(here), "mkfifo": lambda: os.mkfifo(here),
    "setxattr": lambda: os.setxattr("/etc/hostname", "user.x", b"1"), "chdir": lambda: os.chdir("/etc"),
}.items():
    try:
        act()
        print("ALLOWED", what)
    except OSError:
        print("refused", what)
