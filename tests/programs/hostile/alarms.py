# run_crash 14
import signal, time
signal.setitimer(signal.ITIMER_REAL, 0.01)
time.sleep(1000)
