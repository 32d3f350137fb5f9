// compile_limit
asm(".fill 1 << 36");
int main() {}
