// compile_error
#include </dev/zero>
int main() {}
