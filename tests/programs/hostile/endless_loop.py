# run_time
while True:
    pass
