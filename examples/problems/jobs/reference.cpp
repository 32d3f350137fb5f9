#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    long jobs = 0, machines = 0, length = 0;
    std::cin >> jobs >> machines;
    std::vector<long> end(machines);
    while (std::cin >> length) {
        auto const first = std::min_element(end.begin(), end.end());
        *first += length;
        std::cout << first - end.begin() << '\n';
    }
}
