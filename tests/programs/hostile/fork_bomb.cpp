// run_exit 7
#include <unistd.h>
int main() {
    for (;;) {
        if (fork() < 0) {
            return 7;
        }
    }
}
