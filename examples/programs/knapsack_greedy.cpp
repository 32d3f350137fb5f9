// Knapsack, greedy: items by falling value per weight, the first of several, each taken if it still fits.
#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>

int main() {
    long long room = 0;
    std::cin >> room;
    auto const read = [] {
        int length = 0;
        std::cin >> length;
        std::vector<long long> list(length);
        for (long long& value : list) {
            std::cin >> value;
        }
        return list;
    };
    std::vector<long long> const weights = read();
    std::vector<long long> const values = read();
    std::vector<int> order(weights.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return values[a] * weights[b] > values[b] * weights[a]; });
    char const* before = "[";
    for (int const item : order) {
        if (weights[item] <= room) {
            room -= weights[item];
            std::cout << before << item;
            before = ", ";
        }
    }
    std::cout << (*before == '[' ? "[]" : "]") << "\n";
}
