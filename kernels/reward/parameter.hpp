#pragma once
// A setting that an estimator of advantages or a reward shape declares beside itself. Its name, range and meaning are
// data: reading JSON, errors, `optgap rules` and the tables of docs/ come from them. The value lies in the spec.

#include <cstddef>
#include <cstdint>
#include <span>

#include "optgap/reward.hpp"

namespace optgap {

enum class parameter_kind : std::int32_t {
    number = 0,  ///< a double within low … high
    integer,     ///< an int32 within low … high
    choice,      ///< an int32 or an enumeration: the place of a name among `choices`
    anchor,      ///< a choice that is one of the anchors of a baseline
    components,  ///< a double for each reward_component, an object in JSON
    steps,       ///< the thresholds of a reward_spec, pairs [quality, value] in JSON
};

struct parameter {
    char const* name;
    char const* meaning;
    parameter_kind kind = parameter_kind::number;
    std::size_t at = 0;  ///< the value's offset in its spec, in bytes
    double low = 0.0;
    double high = 0.0;
    std::span<char const* const> choices = {};
    std::span<char const* const> words = {};  ///< the choices for people, where `explain` says more than the names
    bool needed = false;                      ///< there is no default
};

inline constexpr double largest_constant = 1e6;  ///< a reward is a number of order 1

constexpr parameter constant_at(char const* name, std::size_t at, char const* meaning) {
    return {.name = name, .meaning = meaning, .at = at, .low = -largest_constant, .high = largest_constant};
}
constexpr parameter choice_at(char const* name, std::size_t at, std::span<char const* const> choices,
                              char const* meaning) {
    return {.name = name, .meaning = meaning, .kind = parameter_kind::choice, .at = at, .choices = choices};
}
/// A number of an estimator or a shape without fields of its own in the spec: entry `index` of `own`, whose default
/// stands in the declaration's `start`.
template <class Spec>
constexpr parameter own_number(char const* name, std::size_t index, double low, double high, char const* meaning) {
    return {
        .name = name, .meaning = meaning, .at = offsetof(Spec, own) + index * sizeof(double), .low = low, .high = high};
}

inline constexpr char const* component_names[] = {"format", "feasible", "quality", "normalized", "optimal"};
static_assert(std::size(component_names) == component_count);

}  // namespace optgap
