// compile_error
#include "/etc/passwd"
int main() {}
