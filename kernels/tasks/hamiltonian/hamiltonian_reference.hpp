#pragma once
// Oracle for hamiltonian, written from README.md: the rules one by one, and the longest cycle by dynamic programming
// over sets of vertices.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "optgap/verdict.hpp"

namespace optgap::reference::hamiltonian {

inline bool adjacent(std::span<std::int32_t const> instance, std::int64_t u, std::int64_t v) {
    std::int64_t const row_words = (instance[0] + 31) / 32;
    auto const word = std::uint32_t(instance[std::size_t(1 + u * row_words + v / 32)]);
    return (word >> (v % 32)) % 2 == 1;
}

/// Takes quadratic time in the answer's length.
inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    std::int64_t const n = instance[0];
    std::int32_t const shape = answer_block[0];
    std::size_t const header = shape > 0 ? 1 + std::size_t(shape) : 1;
    std::vector<std::int64_t> cycle(answer_block.begin() + std::ptrdiff_t(header), answer_block.end());
    if (cycle.size() >= 2 && cycle.front() == cycle.back()) {
        cycle.pop_back();
    }

    verdict result;
    result.violation_max = cycle.empty() ? 1 : std::int64_t(cycle.size());
    result.violation = result.violation_max;
    auto const broken = [&](std::int32_t code, std::int64_t where) {
        result.code = code;
        result.where = std::int32_t(where);
        return result;
    };
    if (shape == -2) {
        return broken(code_unparsable, -1);
    }
    if (shape > 0) {
        return broken(code_bad_depth, -1);
    }
    if (cycle.empty()) {
        return broken(code_empty, -1);
    }
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        if (cycle[i] < 0 || cycle[i] >= n) {
            return broken(code_out_of_range, std::int64_t(i));
        }
    }
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (cycle[i] == cycle[j]) {
                return broken(code_repeated, std::int64_t(i));
            }
        }
    }
    if (cycle.size() <= 2) {
        return broken(code_wrong_length, -1);
    }
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        if (!adjacent(instance, cycle[i], cycle[(i + 1) % cycle.size()])) {
            missing.push_back(i);
        }
    }
    result.violation = std::int64_t(missing.size());
    if (!missing.empty()) {
        return broken(first_task_code, std::int64_t(missing.front()));
    }
    result.objective = std::int64_t(cycle.size());
    return result;
}

/// The largest number of vertices on a cycle; nullopt if there is no cycle, and for graphs with more than 16 vertices.
/// ends[s] has bit v if some path visits exactly the set s, begins at its smallest vertex and ends at v.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    std::int32_t const n = instance[0];
    if (n > 16) {
        return std::nullopt;
    }
    std::vector<std::uint32_t> ends(std::size_t(1) << n, 0);
    std::int64_t longest = 0;
    for (std::uint32_t set = 1; set < ends.size(); ++set) {
        std::int32_t smallest = 0;
        std::int64_t size = 0;
        for (std::int32_t v = n - 1; v >= 0; --v) {
            if (set >> v & 1u) {
                smallest = v;
                ++size;
            }
        }
        if (size == 1) {
            ends[set] = set;
        }
        for (std::int32_t v = 0; v < n; ++v) {
            if ((ends[set] >> v & 1u) == 0) {
                continue;
            }
            if (size >= 3 && size > longest && adjacent(instance, v, smallest)) {
                longest = size;
            }
            for (std::int32_t u = smallest + 1; u < n; ++u) {
                if ((set >> u & 1u) == 0 && adjacent(instance, u, v)) {
                    ends[set | 1u << u] |= 1u << u;
                }
            }
        }
    }
    return longest > 0 ? std::optional(longest) : std::nullopt;
}

}  // namespace optgap::reference::hamiltonian
