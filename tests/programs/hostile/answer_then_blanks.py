# run_output
import sys
print("1 2 3")
while True:
    sys.stdout.write(" " * 65536)
