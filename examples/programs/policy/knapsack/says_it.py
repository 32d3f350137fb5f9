# Invalid: a sentence around the answer.
print("The best choice is [0, 1].")
