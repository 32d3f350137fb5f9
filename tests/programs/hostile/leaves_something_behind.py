# ok
import builtins, os, sys
print("ALLOWED" if "OPTGAP_SEEN" in os.environ or hasattr(builtins, "optgap_seen") else "refused")
os.environ["OPTGAP_SEEN"] = "1"
builtins.optgap_seen = True
for path in ("/tmp/optgap-seen", "/var/tmp/optgap-seen", "/dev/shm/optgap-seen", "optgap-seen"):
    try:
        open(path, "x")
        print("ALLOWED", path)
    except OSError:
        print("refused")
