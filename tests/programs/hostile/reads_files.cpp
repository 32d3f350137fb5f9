// ok
#include <fcntl.h>
#include <cstdio>
#include <initializer_list>
int main() {
    for (char const* path :
         {"/etc/passwd", "/", "/tmp", "/proc/self/maps", "/usr/lib", "/lib64/ld-linux-x86-64.so.2", "."}) {
        std::printf("%s %s\n", open(path, O_RDONLY) < 0 ? "refused" : "ALLOWED", path);
    }
}
