// compile_error
#include "/proc/self/environ"
int main() {}
