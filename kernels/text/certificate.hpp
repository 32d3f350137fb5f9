#pragma once
// How a task's optima are shown to somebody who has no engine (docs/certificates.md). A task's NAME_certificate.cpp, if
// it has one, defines `optgap::certificate_form const optgap_certificate_NAME`; CMake finds it by its name. A form is
// written over the fields of an instance's JSON, for that is what a checker sees.

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

/// The fields of an instance's JSON by their names. Throws error{internal} for one that is not there in that shape.
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

/// The sum of factor times variable over `terms` is at least `at_least`, for every answer. `name` says which inequality
/// it is, as the entries of a JSON list.
struct linear_row {
    std::string name;
    std::vector<std::pair<std::int32_t, std::int64_t>> terms;
    std::int64_t at_least = 0;
};

/// The costs of variables that are 0 or 1. To show: where the rows hold, they are `goal` at least.
struct linear_model {
    numbers costs;
    std::int64_t goal = 0;
    std::vector<linear_row> rows;
    /// Further rows that these values of the variables break, of more than could all be listed; may be empty.
    std::function<std::vector<linear_row>(std::vector<double> const& values)> separate = {};
};

/// A member for each kind of proof that the task has; the first that serves an instance is taken, in this order: proofs
/// with a witness before those where the checker does all the work.
/// Objectives are empty for an instance without an answer.
struct certificate_form {
    using goal = std::optional<std::int64_t>;

    bool computed = false;  ///< the checker computes the answer
    /// A bound that follows at sight.
    std::int64_t (*bound)(instance_fields const& instance) = nullptr;
    linear_model (*linear)(instance_fields const& instance, goal objective) = nullptr;
    /// The cells of a tree of choices; empty when it takes more than `most`.
    std::vector<std::int32_t> (*search)(instance_fields const& instance, std::int64_t objective,
                                        std::int64_t most) = nullptr;
    /// The distances of a round trip's places; empty where the checker does not know their metric.
    number_rows (*distances)(instance_fields const& instance) = nullptr;
    /// A tree as the entries of a JSON list: numbers that split a case, and in brackets what closes one. Empty when it
    /// is longer than `max_bytes`.
    std::string (*branch)(instance_fields const& instance, goal objective, std::size_t max_bytes) = nullptr;
    /// About how many sums the checker's dynamic programming takes; of far too many only that (`power`).
    std::int64_t (*sums)(instance_fields const& instance) = nullptr;
    /// How many cases the checker's walk has (`walked` below), counted to `most`.
    std::int64_t (*cases)(instance_fields const& instance, goal objective, std::int64_t most) = nullptr;
};

/// A case of a walk as numbers; writes the cases that it falls into. False: it holds an answer that is better than the
/// objective.
using walk_step = std::function<bool(numbers const& one, number_rows& next)>;
/// How many different cases there are from the first one on, as the checker counts them; more than `most` when there
/// are more, or a better answer.
std::int64_t walked(numbers const& first, walk_step const& step, std::int64_t most);

/// Whether two vertices are joined, [u][v].
using adjacency = std::vector<std::vector<bool>>;
adjacency joined(instance_fields const& instance);
/// Of two different vertices whether they are not.
adjacency not_joined(instance_fields const& instance);
/// Vertices that are all joined, and none can be added: for each edge one such set that holds it.
std::vector<std::vector<std::int32_t>> cliques_of_edges(adjacency const& near);
/// `"word", 1, 2`.
std::string row_name(char const* word, std::vector<std::int32_t> const& numbers);
/// `base` to the n, at most 2^30: more than any checker looks at, and yet times a polynomial an integer.
std::int64_t power(std::int64_t base, std::int64_t n);

}  // namespace optgap
