# run_time
import time
time.sleep(1000)
