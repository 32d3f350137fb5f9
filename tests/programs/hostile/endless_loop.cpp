// run_time
int main() {
    for (int volatile k = 0;; k = k + 1) {
    }
}
