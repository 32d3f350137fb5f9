# ok
import os
for path in ("/proc/self/mem", "/dev/mem", "/dev/kmsg", "/dev/null", "/dev/zero", "/dev/random", "/dev/tty", "/dev/vda", "/dev/nvidia0",
             "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/shm", "/dev/fuse", "/dev/kvm"):
    for mode in (os.O_RDONLY, os.O_RDWR):
        try:
            os.open(path, mode)
            print("ALLOWED", path)
        except OSError:
            print("refused", path)
