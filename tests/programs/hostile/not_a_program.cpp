// compile_error
this is not C++
