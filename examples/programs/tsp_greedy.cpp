// Travelling salesman, greedy: from city 0 on to the nearest city that was not visited, the first of several.
#include <iostream>
#include <vector>

int main() {
    int n = 0;
    std::cin >> n;
    std::vector<std::vector<int>> distance(n);
    for (auto& row : distance) {
        int length = 0;
        std::cin >> length;
        row.resize(length);
        for (int& value : row) {
            std::cin >> value;
        }
    }
    std::vector<bool> visited(n);
    int here = 0;
    for (int k = 0; k < n; ++k) {
        std::cout << here << " \n"[k + 1 == n];
        visited[here] = true;
        int next = -1;
        for (int city = 0; city < n; ++city) {
            if (!visited[city] && (next < 0 || distance[here][city] < distance[here][next])) {
                next = city;
            }
        }
        here = next;
    }
}
