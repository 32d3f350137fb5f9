"""Engine and scheduler, keys, results, errors, the curriculum, and columns on a GPU."""
