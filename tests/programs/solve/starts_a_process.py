# ok
import os


def solve(**fields):
    try:
        os.fork()
        return ["ALLOWED"]
    except OSError:
        return ["3"]
