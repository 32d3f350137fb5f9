# run_output
import sys
print("1 2 3")
while True:
    sys.stderr.write("x" * 65536)
