# ok
import os
seen = [path for path in ("/etc/passwd", "/root", "/work", "/home", "/proc/1", "/var/lib/dpkg/status") if os.path.lexists(path)]
print("saw", seen)
