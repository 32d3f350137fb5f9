# run_exit 1
import sys
print("1 2 3")
sys.stdout.flush()
sys.exit(1)
