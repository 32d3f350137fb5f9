// run_time
int main() {
    for (volatile int k = 0;; k = k + 1) {
    }
}
