# ok
import os, sys
known = {"PATH", "LANG", "PYTHONHASHSEED", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "LC_CTYPE", "PWD"}
more = set(os.environ) - known
print("ALLOWED" if more else "refused", sorted(more))
print("ALLOWED" if len(sys.argv) > 1 or os.getcwd() != "/" else "refused", sys.argv, os.getcwd())
