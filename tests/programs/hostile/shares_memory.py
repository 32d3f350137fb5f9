# ok
import ctypes, os
libc = ctypes.CDLL(None)
for what, number, arguments in (("shmget", 29, (4242, 4096, 0o1666)), ("semget", 64, (4242, 1, 0o1666)), ("msgget", 68, (4242, 0o1666)),
                                ("mq_open", 240, (b"optgap", 0o102, 0o666, 0)), ("memfd_create", 319, (b"x", 0)),
                                ("memfd_secret", 447, (0,)), ("flock", 73, (0, 2)), ("eventfd", 290, (0, 0)),
                                ("timerfd", 283, (0, 0)), ("signalfd", 289, (-1, 0, 8, 0)), ("inotify", 294, (0,)),
                                ("epoll", 291, (0,)), ("pipe", 22, (ctypes.create_string_buffer(16),))):
    print("ALLOWED" if libc.syscall(number, *arguments) >= 0 else "refused", what)
