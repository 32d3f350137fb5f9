# run_exit|run_memory|run_crash|run_time
import sys
sys.setrecursionlimit(10**9)
def deeper(n):
    return deeper(n + 1) + 1
print(deeper(0))
