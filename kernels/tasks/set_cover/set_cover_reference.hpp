#pragma once
// Oracle for set_cover, written from README.md: elements are checked one by one, selections are tried one by one.

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "optgap/verdict.hpp"

namespace optgap::reference::set_cover {

inline bool holds(std::span<std::int32_t const> instance, std::int64_t set, std::int64_t element) {
    std::int64_t const row_words = (instance[0] + 31) / 32;
    auto const word = std::uint32_t(instance[std::size_t(2 + set * row_words + element / 32)]);
    return (word >> (element % 32)) % 2 == 1;
}

inline std::int64_t cost(std::span<std::int32_t const> instance, std::int64_t set) {
    auto const plain = std::size_t(2 + instance[1] * ((instance[0] + 31) / 32));
    return instance.size() > plain ? instance[plain + std::size_t(set)] : 1;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    std::int64_t const universe = instance[0];
    std::int64_t const sets = instance[1];
    std::int32_t const shape = answer_block[0];
    verdict result;
    result.violation_max = universe;
    result.violation = universe;
    auto const broken = [&](std::int32_t code, std::int64_t where) {
        result.code = code;
        result.where = std::int32_t(where);
        return result;
    };
    if (shape == -2) {
        return broken(code_empty, -1);
    }
    if (shape > 0) {
        return broken(code_bad_depth, -1);
    }
    std::vector<std::int32_t> const values(answer_block.begin() + 1, answer_block.end());
    if (values.empty()) {
        return broken(code_empty, -1);
    }
    auto const count = std::int64_t(values.size());
    for (std::int64_t i = 0; i < count; ++i) {
        if (values[std::size_t(i)] < 0 || values[std::size_t(i)] >= sets) {
            return broken(code_out_of_range, i);
        }
    }
    std::set<std::int32_t> seen;
    for (std::int64_t i = 0; i < count; ++i) {
        if (!seen.insert(values[std::size_t(i)]).second) {
            return broken(code_repeated, i);
        }
    }
    result.violation = 0;
    for (std::int64_t e = 0; e < universe; ++e) {
        bool covered = false;
        for (std::int32_t const set : values) {
            covered = covered || holds(instance, set, e);
        }
        result.violation += covered ? 0 : 1;
    }
    if (result.violation > 0) {
        return broken(first_task_code, -1);
    }
    for (std::int32_t const set : values) {
        result.objective += cost(instance, set);
    }
    return result;
}

/// The fewest sets, or the least cost, by trying every selection; for instances with at most 16 sets. Empty if there is
/// no cover.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    std::int64_t const sets = instance[1];
    if (sets > 16) {
        return std::nullopt;
    }
    std::optional<std::int64_t> least;
    for (std::int64_t choice = 1; choice < std::int64_t(1) << sets; ++choice) {
        std::int64_t sum = 0;
        for (std::int64_t j = 0; j < sets; ++j) {
            sum += (choice >> j) % 2 == 1 ? cost(instance, j) : 0;
        }
        if (least && sum >= *least) {
            continue;
        }
        bool complete = true;
        for (std::int64_t e = 0; complete && e < instance[0]; ++e) {
            bool covered = false;
            for (std::int64_t j = 0; j < sets; ++j) {
                covered = covered || ((choice >> j) % 2 == 1 && holds(instance, j, e));
            }
            complete = covered;
        }
        if (complete) {
            least = sum;
        }
    }
    return least;
}

}  // namespace optgap::reference::set_cover
