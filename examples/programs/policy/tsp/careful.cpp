// Travelling salesman, a careful program for ordinary sizes: up to 60 cities the best of many local searches, beyond
// the nearest city that is left.
#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>

using Table = std::vector<std::vector<long long>>;
using Tour = std::vector<int>;

Table read() {
    int n = 0;
    std::cin >> n;
    Table distance(n);
    for (auto& row : distance) {
        int length = 0;
        std::cin >> length;
        row.resize(length);
        for (auto& value : row) {
            std::cin >> value;
        }
    }
    return distance;
}

long long length(Table const& d, Tour const& tour) {
    long long sum = 0;
    for (std::size_t k = 0; k < tour.size(); ++k) {
        sum += d[tour[k]][tour[(k + 1) % tour.size()]];
    }
    return sum;
}

Tour nearest(Table const& d, int start) {
    int const n = static_cast<int>(d.size());
    Tour tour{start};
    std::vector<bool> seen(n);
    seen[start] = true;
    while (static_cast<int>(tour.size()) < n) {
        int next = -1;
        for (int city = 0; city < n; ++city) {
            if (!seen[city] && (next < 0 || d[tour.back()][city] < d[tour.back()][next])) {
                next = city;
            }
        }
        seen[next] = true;
        tour.push_back(next);
    }
    return tour;
}

/// Turns stretches round, and moves stretches of up to three cities, as long as that shortens the tour.
void improve(Table const& d, Tour& tour) {
    int const n = static_cast<int>(tour.size());
    for (bool better = true; better;) {
        better = false;
        for (int i = 0; i + 1 < n; ++i) {
            for (int j = i + 2; j < n && !(i == 0 && j == n - 1); ++j) {
                int const a = tour[i], b = tour[i + 1], c = tour[j], e = tour[(j + 1) % n];
                if (d[a][c] + d[b][e] < d[a][b] + d[c][e]) {
                    std::reverse(tour.begin() + i + 1, tour.begin() + j + 1);
                    better = true;
                }
            }
        }
        for (int size = 1; size <= 3; ++size) {
            for (int i = 0; i < n; ++i) {
                std::rotate(tour.begin(), tour.begin() + 1, tour.end());
                Tour const piece(tour.begin(), tour.begin() + size);
                Tour const rest(tour.begin() + size, tour.end());
                int const m = static_cast<int>(rest.size());
                if (m < 3) {
                    continue;
                }
                long long const gain =
                    d[rest[m - 1]][piece.front()] + d[piece.back()][rest[0]] - d[rest[m - 1]][rest[0]];
                for (int k = 0; k + 1 < m; ++k) {
                    long long const cost =
                        d[rest[k]][piece.back()] + d[piece.front()][rest[k + 1]] - d[rest[k]][rest[k + 1]];
                    if (cost < gain) {
                        Tour changed(rest.begin(), rest.begin() + k + 1);
                        changed.insert(changed.end(), piece.rbegin(), piece.rend());
                        changed.insert(changed.end(), rest.begin() + k + 1, rest.end());
                        tour = changed;
                        better = true;
                        break;
                    }
                }
            }
        }
    }
}

void print(Tour const& tour) {
    for (int const city : tour) {
        std::cout << city << " ";
    }
    std::cout << "\n";
}

/// The shortest of the improved tours from every city.
Tour search(Table const& d) {
    Tour best;
    for (int start = 0; start < static_cast<int>(d.size()); ++start) {
        Tour tour = nearest(d, start);
        improve(d, tour);
        if (best.empty() || length(d, tour) < length(d, best)) {
            best = tour;
        }
    }
    return best;
}

int main() {
    Table const d = read();
    print(d.size() <= 60 ? search(d) : nearest(d, 0));
}
