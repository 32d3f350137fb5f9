// Travelling salesman, the floor: the cities in their own order.
#include <iostream>

int main() {
    int n = 0;
    std::cin >> n;
    for (int city = 0; city < n; ++city) {
        std::cout << city << " \n"[city + 1 == n];
    }
}
