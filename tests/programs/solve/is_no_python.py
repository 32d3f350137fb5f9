# compile_error
def solve(**fields):
    return ["3'''")
