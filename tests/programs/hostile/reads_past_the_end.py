# run_time
import sys
sys.stdin.read()
while not sys.stdin.read():
    pass
