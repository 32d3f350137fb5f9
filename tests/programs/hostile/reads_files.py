# ok
import os
for path in ("/etc/passwd", "/etc/shadow", "/root/.ssh/id_rsa", os.path.expanduser("~/.bashrc"), "/work/main/README.md",
             "/proc/cpuinfo", "/sys/kernel/mm/transparent_hugepage/enabled", "/var/log/dpkg.log", "/", "/etc", "/tmp", "/home"):
    try:
        os.listdir(path) if os.path.isdir(path) else open(path).read(1)
        print("ALLOWED", path)
    except OSError:
        print("refused", path)
