# run_exit 1
print(3)
