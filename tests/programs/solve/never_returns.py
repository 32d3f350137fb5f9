# run_time
def solve(**fields):
    while True:
        pass
