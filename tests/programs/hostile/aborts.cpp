// run_crash 6
#include <cstdlib>
int main() { std::abort(); }
