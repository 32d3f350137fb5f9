# compile_error
def this is not Python
