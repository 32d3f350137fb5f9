#pragma once
// Shared by the tasks' slow, simple references: an answer block taken apart, and the rules of all flat lists. Plain
// C++, written independently: only the verdict of kernels/ is used.

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "optgap/verdict.hpp"

namespace optgap::reference {

/// The JSON form {"n", "edges", "weights"}, read from [n, bits of each row …, weights].
struct weighted_graph {
    std::int32_t n = 0;
    std::vector<std::pair<std::int32_t, std::int32_t>> edges;
    std::vector<std::int64_t> weights;

    explicit weighted_graph(std::span<std::int32_t const> words) : n(words[0]) {
        std::size_t const row = (std::size_t(n) + 31) / 32;
        for (std::int32_t u = 0; u < n; ++u) {
            for (std::int32_t v = u + 1; v < n; ++v) {
                if (std::uint32_t(words[1 + std::size_t(u) * row + std::size_t(v) / 32]) >> (v % 32) & 1u) {
                    edges.emplace_back(u, v);
                }
            }
            weights.push_back(words[1 + std::size_t(n) * row + std::size_t(u)]);
        }
    }
};

enum class answer_shape { list, rows, word };

struct answer_lists {
    answer_shape shape = answer_shape::list;
    std::vector<std::vector<std::int32_t>> rows;
    std::vector<std::int32_t> values;  ///< of all rows, or of the list

    explicit answer_lists(std::span<std::int32_t const> block) {
        if (block.empty() || block[0] < 0) {
            shape = !block.empty() && block[0] == -2 ? answer_shape::word : answer_shape::list;
            values.assign(block.begin() + (block.empty() ? 0 : 1), block.end());
            return;
        }
        shape = answer_shape::rows;
        auto const count = std::size_t(block[0]);
        values.assign(block.begin() + 1 + std::ptrdiff_t(count), block.end());
        auto from = values.begin();
        for (std::size_t r = 0; r < count; ++r) {
            rows.emplace_back(from, from + block[1 + r]);
            from += block[1 + r];
        }
    }
};

inline verdict worst(std::int32_t code, std::int64_t most, std::int32_t where = -1) {
    return {code, where, 0, most, most};
}

/// The violated rule of an answer that must be one list of different values from 0 to `universe` - 1, if any.
inline std::optional<verdict> broken_list(answer_lists const& answer, std::int64_t universe, std::int64_t most,
                                          bool may_be_empty) {
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, most);
    }
    if (answer.shape == answer_shape::rows && !answer.rows.empty()) {
        return worst(code_bad_depth, most);
    }
    if (answer.values.empty() && !may_be_empty) {
        return worst(code_empty, most);
    }
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (answer.values[i] < 0 || answer.values[i] >= universe) {
            return worst(code_out_of_range, most, std::int32_t(i));
        }
    }
    std::set<std::int32_t> seen;
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (!seen.insert(answer.values[i]).second) {
            return worst(code_repeated, most, std::int32_t(i));
        }
    }
    return std::nullopt;
}

/// The violated rule of an answer that must be one list of `length` integers from `low` to `high`, if any.
inline std::optional<verdict> broken_numbers(answer_lists const& answer, std::size_t length, std::int32_t low,
                                             std::int32_t high) {
    auto const most = std::int64_t(length);
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, most);
    }
    if (answer.values.empty() && answer.rows.empty()) {
        return worst(code_empty, most);
    }
    if (answer.shape == answer_shape::rows) {
        return worst(code_bad_depth, most);
    }
    if (answer.values.size() != length) {
        return worst(code_wrong_length, most);
    }
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (answer.values[i] < low || answer.values[i] > high) {
            return worst(code_out_of_range, most, std::int32_t(i));
        }
    }
    return std::nullopt;
}

using grid = std::vector<std::vector<std::int32_t>>;

/// The violated rule of an answer that must fill a grid with `low` to `high` and keep the given cells (not 0), if any.
inline std::optional<verdict> broken_grid(answer_lists const& answer, grid const& given, std::int32_t low,
                                          std::int32_t high) {
    auto const most = std::int64_t(given.size() * given[0].size());
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, most);
    }
    if (answer.values.empty() && answer.rows.empty()) {
        return worst(code_empty, most);
    }
    if (answer.shape == answer_shape::list) {
        return worst(code_bad_depth, most);
    }
    for (auto const& row : answer.rows) {
        if (answer.rows.size() != given.size() || row.size() != given[0].size()) {
            return worst(code_wrong_length, most);
        }
    }
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (answer.values[i] < low || answer.values[i] > high) {
            return worst(code_out_of_range, most, std::int32_t(i));
        }
    }
    std::vector<std::int32_t> changed;
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        std::int32_t const kept = given[i / given[0].size()][i % given[0].size()];
        if (kept != 0 && kept != answer.values[i]) {
            changed.push_back(std::int32_t(i));
        }
    }
    if (!changed.empty()) {
        return verdict{first_task_code, changed.front(), 0, std::int64_t(changed.size()), most};
    }
    return std::nullopt;
}

/// The minimum weight of a set of vertices that `right(members)` accepts, by trying all sets; for at most 14 vertices.
template <class Right>
std::optional<std::int64_t> lightest_set(weighted_graph const& graph, Right const& right) {
    if (graph.n > 14) {
        return std::nullopt;
    }
    std::optional<std::int64_t> best;
    for (std::uint32_t set = 0; set < 1u << graph.n; ++set) {
        std::set<std::int32_t> members;
        std::int64_t weight = 0;
        for (std::int32_t v = 0; v < graph.n; ++v) {
            if (set >> v & 1u) {
                members.insert(v);
                weight += graph.weights[std::size_t(v)];
            }
        }
        if ((!best || weight < *best) && right(members)) {
            best = weight;
        }
    }
    return best;
}

}  // namespace optgap::reference
