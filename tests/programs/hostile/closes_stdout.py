# run_no_output
import os
os.close(1)
os._exit(0)
