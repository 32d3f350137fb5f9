# ok
import os
found = []
for descriptor in range(3, 1024):
    try:
        os.fstat(descriptor)
        found.append(descriptor)
    except OSError:
        pass
print("ALLOWED" if found else "refused", found)
