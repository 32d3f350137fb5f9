# run_time
import signal
signal.pause()
