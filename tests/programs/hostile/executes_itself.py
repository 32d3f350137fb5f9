# run_exit|run_crash|ok
import os, sys
print("once", flush=True)
os.execv(sys.executable or "/usr/bin/python3", ["python3", "-c", "print(open('/etc/passwd').read(), 'ALLOWED')"])
