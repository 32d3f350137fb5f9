# run_exit 1
import threading
for _ in range(10000):
    threading.Thread(target=threading.Event().wait).start()
