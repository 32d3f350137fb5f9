# run_no_output
import os
os._exit(0)
