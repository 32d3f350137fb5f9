// compile_error
asm(".incbin \"/etc/passwd\"");
int main() {}
