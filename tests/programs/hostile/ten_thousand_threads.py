# run_exit 1
import _thread
import threading
for _ in range(10000):
    _thread.start_new_thread(threading.Event().wait, ())
