# run_exit|run_crash
import os
os.execv("/lib64/ld-linux-x86-64.so.2", ["ld", "/bin/sh", "-c", "echo ALLOWED"])
