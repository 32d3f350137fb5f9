# run_memory
print(len(bytearray(64 << 30)))
