#include <iostream>

int main() {
    long jobs = 0;
    std::cin >> jobs;
    while (jobs-- > 0)
        std::cout << "0\n";
}
