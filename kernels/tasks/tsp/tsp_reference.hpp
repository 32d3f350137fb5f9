#pragma once
// A slow and plain reading of README.md: the oracle for the fast code.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "optgap/verdict.hpp"

namespace optgap::reference::tsp {

/// The full matrix of an instance.
inline std::vector<std::vector<std::int64_t>> matrix(std::span<std::int32_t const> instance) {
    std::size_t const n = std::size_t(instance[1]);
    std::vector<std::vector<std::int64_t>> d(n, std::vector<std::int64_t>(n, 0));
    std::size_t next = 2;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (instance[0] == 0) {
                d[i][j] = instance[next++];
            } else if (instance[0] == 2) {
                // Like a program that reads the decimals: each coordinate's text is rounded to the nearest double, then
                // the root is taken.
                auto const coordinate = [&](std::size_t k) {
                    std::int32_t const x = instance[3 + k];
                    std::string const digits = std::to_string(x < 0 ? -std::int64_t(x) : x);
                    std::string const places(std::to_string(instance[2]).size() - 1, '0');
                    std::string const padded = places + digits;
                    std::string const text = padded.substr(0, padded.size() - places.size()) + "." +
                                             padded.substr(padded.size() - places.size());
                    return (x < 0 ? -1.0 : 1.0) * std::strtod(text.c_str(), nullptr);
                };
                double const dx = coordinate(2 * i) - coordinate(2 * j);
                double const dy = coordinate(2 * i + 1) - coordinate(2 * j + 1);
                d[i][j] = std::int64_t(std::floor(std::sqrt(dx * dx + dy * dy) + 0.5));
            } else {
                std::int64_t const scale = instance[2];
                std::int64_t const dx = std::int64_t(instance[3 + 2 * i]) - instance[3 + 2 * j];
                std::int64_t const dy = std::int64_t(instance[4 + 2 * i]) - instance[4 + 2 * j];
                // The nearest integer k satisfies (2k - 1)·scale <= 2·sqrt(s) < (2k + 1)·scale; the square root is only
                // a first guess.
                std::uint64_t const s = std::uint64_t(dx * dx + dy * dy);
                auto const reaches = [&](std::int64_t k) {
                    unsigned long long const side = (unsigned long long)((2 * k - 1) * scale);
                    return k == 0 || (unsigned __int128)side * side <= (unsigned __int128)4 * s;
                };
                std::int64_t k = std::int64_t(std::sqrt(double(s)) / double(scale));
                for (; !reaches(k); --k) {
                }
                for (; reaches(k + 1); ++k) {
                }
                d[i][j] = k;
            }
            d[j][i] = d[i][j];
        }
    }
    return d;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer) {
    std::int64_t const n = instance[1];
    verdict result;
    result.violation_max = 2 * n;
    result.violation = 2 * n;
    std::int32_t const shape = answer.empty() ? -1 : answer[0];
    if (shape == -2) {
        result.code = code_unparsable;
        return result;
    }
    if (shape > 0) {
        result.code = code_bad_depth;
        return result;
    }
    std::vector<std::int64_t> cities(answer.begin() + (answer.empty() ? 0 : 1), answer.end());
    if (cities.empty()) {
        result.code = code_empty;
        return result;
    }
    if (std::int64_t(cities.size()) == n + 1 && cities.front() == cities.back()) {
        cities.pop_back();
    }
    for (std::size_t i = 0; i < cities.size(); ++i) {
        if (cities[i] < 0 || cities[i] >= n) {
            result.code = code_out_of_range;
            result.where = std::int32_t(i);
            return result;
        }
    }
    std::map<std::int64_t, int> times;
    for (std::size_t i = 0; i < cities.size(); ++i) {
        if (++times[cities[i]] == 2 && result.where < 0) {
            result.code = code_repeated;
            result.where = std::int32_t(i);
        }
    }
    result.violation = n - std::int64_t(times.size());
    for (auto const& [city, count] : times) {
        result.violation += count > 1 ? 1 : 0;
    }
    if (result.code == code_ok && result.violation > 0) {
        result.code = code_wrong_length;
    }
    if (result.code == code_ok) {
        auto const d = matrix(instance);
        for (std::size_t i = 0; i < cities.size(); ++i) {
            result.objective += d[std::size_t(cities[i])][std::size_t(cities[(i + 1) % cities.size()])];
        }
    }
    return result;
}

/// Held and Karp's dynamic programme over subsets, for at most 13 cities.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    std::size_t const n = std::size_t(instance[1]);
    if (n > 13) {
        return std::nullopt;
    }
    auto const d = matrix(instance);
    std::size_t const subsets = std::size_t(1) << (n - 1);
    std::int64_t const none = INT64_MAX / 2;
    // shortest[S][k]: from city n-1 through all of S, ending in k.
    std::vector<std::vector<std::int64_t>> shortest(subsets, std::vector<std::int64_t>(n - 1, none));
    for (std::size_t k = 0; k + 1 < n; ++k) {
        shortest[std::size_t(1) << k][k] = d[n - 1][k];
    }
    for (std::size_t set = 1; set < subsets; ++set) {
        for (std::size_t k = 0; k + 1 < n; ++k) {
            for (std::size_t next = 0; next + 1 < n; ++next) {
                if ((set >> next & 1) == 0 && shortest[set][k] < none) {
                    std::int64_t& best = shortest[set | std::size_t(1) << next][next];
                    best = std::min(best, shortest[set][k] + d[k][next]);
                }
            }
        }
    }
    std::int64_t best = none;
    for (std::size_t k = 0; k + 1 < n; ++k) {
        best = std::min(best, shortest[subsets - 1][k] + d[k][n - 1]);
    }
    return best;
}

}  // namespace optgap::reference::tsp
