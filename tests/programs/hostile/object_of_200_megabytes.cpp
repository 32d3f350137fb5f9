// compile_limit
char many[200 << 20] = {1};
int main() { return many[1]; }
