# run_exit 1
import os
while True:
    os.fork()
