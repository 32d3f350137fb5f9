# run_forbidden
import os
os.chroot("/tmp")
print("ALLOWED", flush=True)
