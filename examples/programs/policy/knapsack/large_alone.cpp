// Knapsack, a program for the one instance of large numbers: beyond a capacity of 10,000 an optimum by branch and
// bound, below the items in their own order, each taken if it still fits.
#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>

using List = std::vector<long long>;

struct Search {
    List weights, values;
    std::vector<int> order, now, best;
    long long most = -1;

    /// What the places from `place` on can add when the last item may be cut.
    double bound(std::size_t place, long long room) const {
        double sum = 0;
        for (; place < order.size(); ++place) {
            int const item = order[place];
            if (weights[item] > room) {
                return sum + static_cast<double>(values[item]) * static_cast<double>(room) /
                                 static_cast<double>(weights[item]);
            }
            room -= weights[item];
            sum += static_cast<double>(values[item]);
        }
        return sum;
    }

    void go(std::size_t place, long long room, long long value) {
        if (value > most) {
            most = value;
            best = now;
        }
        if (place == order.size() ||
            static_cast<double>(value) + bound(place, room) < static_cast<double>(most) + 0.5) {
            return;
        }
        int const item = order[place];
        if (weights[item] <= room) {
            now.push_back(item);
            go(place + 1, room - weights[item], value + values[item]);
            now.pop_back();
        }
        go(place + 1, room, value);
    }
};

int main() {
    long long room = 0;
    std::cin >> room;
    auto const read = [] {
        int length = 0;
        std::cin >> length;
        List list(length);
        for (long long& value : list) {
            std::cin >> value;
        }
        return list;
    };
    Search search{read(), {}, {}, {}, {}};
    search.values = read();
    search.order.resize(search.weights.size());
    std::iota(search.order.begin(), search.order.end(), 0);
    if (room > 10'000) {
        std::stable_sort(search.order.begin(), search.order.end(), [&](int a, int b) {
            return search.values[a] * search.weights[b] > search.values[b] * search.weights[a];
        });
        search.go(0, room, 0);
    } else {
        for (int const item : search.order) {
            if (search.weights[item] <= room) {
                room -= search.weights[item];
                search.best.push_back(item);
            }
        }
    }
    for (int const item : search.best) {
        std::cout << item << " ";
    }
    std::cout << "\n";
}
