#pragma once
// How a task's optima are certified for a third party that does not have the engine (docs/certificates.md). A task's
// NAME_certificate.cpp, if there is one, defines `optgap::certificate_form const optgap_certificate_NAME`; CMake finds
// it by its name. A form reads the fields of an instance's JSON, because these are what a checker sees.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace optgap {

using numbers = std::vector<std::int64_t>;
using number_rows = std::vector<numbers>;

/// The fields of an instance's JSON by name. Throws error{internal} for a field that does not exist in the requested
/// shape.
class instance_fields {
public:
    explicit instance_fields(nlohmann::ordered_json const& instance) : instance_(&instance) {}
    [[nodiscard]] bool has(char const* name) const;
    [[nodiscard]] std::int64_t number(char const* name) const;
    [[nodiscard]] numbers list(char const* name) const;
    [[nodiscard]] number_rows rows(char const* name) const;
    [[nodiscard]] std::vector<number_rows> lists_of_rows(char const* name) const;

private:
    nlohmann::ordered_json const* instance_;
};

/// For every answer the sum of factor times variable over `terms` is at least `at_least`. `name` identifies the
/// inequality, as the entries of a JSON list.
struct linear_row {
    std::string name;
    std::vector<std::pair<std::int32_t, std::int64_t>> terms;
    std::int64_t at_least = 0;
};

/// The costs of variables that are 0 or 1. The certificate shows that they are at least `goal` if the rows hold.
struct linear_model {
    numbers costs;
    std::int64_t goal = 0;
    std::vector<linear_row> rows;
    /// Further rows that these values of the variables violate, for families with more rows than can be listed; may be
    /// empty.
    std::function<std::vector<linear_row>(std::vector<double> const& values)> separate = {};
};

/// One member for each kind of proof that the task has. The first one that serves an instance is used, in this order:
/// proofs with a witness come before those where the checker does all the work. Objectives are empty for an instance
/// without an answer.
struct certificate_form {
    using goal = std::optional<std::int64_t>;

    bool computed = false;  ///< the checker computes the answer
    /// A bound that follows directly from the instance.
    std::int64_t (*bound)(instance_fields const& instance) = nullptr;
    linear_model (*linear)(instance_fields const& instance, goal objective) = nullptr;
    /// The cells of a tree of choices; empty if it takes more than `most`.
    std::vector<std::int32_t> (*search)(instance_fields const& instance, std::int64_t objective,
                                        std::int64_t most) = nullptr;
    /// The distances between the places of a round trip; empty if the checker does not know their metric.
    number_rows (*distances)(instance_fields const& instance) = nullptr;
    /// A tree as the entries of a JSON list: numbers that split a case, and in brackets what closes a case. Empty if it
    /// is longer than `max_bytes`.
    std::string (*branch)(instance_fields const& instance, goal objective, std::size_t max_bytes) = nullptr;
    /// The approximate number of sums in the checker's dynamic programming. If there are far too many, only that is
    /// returned (`power`).
    std::int64_t (*sums)(instance_fields const& instance) = nullptr;
    /// The number of cases in the checker's walk (`walked` below), counted up to `most`.
    std::int64_t (*cases)(instance_fields const& instance, goal objective, std::int64_t most) = nullptr;
};

/// Takes a case of a walk as numbers, and writes the cases that it splits into. Returns false if the case contains an
/// answer that is better than the objective.
using walk_step = std::function<bool(numbers const& one, number_rows& next)>;
/// The number of different cases reachable from the first one, as the checker counts them. More than `most` if there
/// are more, or if there is a better answer.
std::int64_t walked(numbers const& first, walk_step const& step, std::int64_t most);

/// Whether two vertices are adjacent, [u][v].
using adjacency = std::vector<std::vector<bool>>;
adjacency joined(instance_fields const& instance);
/// Whether two different vertices are not adjacent.
adjacency not_joined(instance_fields const& instance);
/// Maximal sets of pairwise adjacent vertices: for each edge one set that contains it.
std::vector<std::vector<std::int32_t>> cliques_of_edges(adjacency const& near);
/// `"word", 1, 2`.
std::string row_name(char const* word, std::vector<std::int32_t> const& numbers);
/// `base` to the power of n, at most 2^30: more than any checker examines, but small enough that its product with a
/// polynomial is an integer.
std::int64_t power(std::int64_t base, std::int64_t n);

}  // namespace optgap
