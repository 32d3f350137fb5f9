#pragma once
// Describes the words of an instance field by field, in one place. The entry check (check_layout.hpp) and the JSON form
// (kernels/text/layout_json.hpp) are derived from it.
//
//   constexpr field puzzle[] = {
//       {"n", field_kind::size, "n, the rows and columns, is 2 to 9", 2, 9},
//       {"grid", field_kind::table, "a cell of the n by n grid is 0 (empty) to n", 0, of(0), of(0), of(0)},
//   };                                              words [n, cell …]    JSON {"grid": [[0, 2], [1, 0]]}
//
// The last field may be optional. Only instances of a wider kind, which no generator draws, have it; the words of all
// others end before it.

#include <cstddef>
#include <cstdint>

namespace optgap {

enum class field_kind : std::int32_t {
    size,            ///< one word, its range constant; JSON omits it: it is the length of the lists that refer to it
    number,          ///< one word
    list,            ///< `rows` words
    table,           ///< `rows` times `columns` words; in JSON a list of lists
    lists,           ///< a table whose rows end with zeros, which JSON omits; the longest row has `columns` values
    sets,            ///< `rows` bit sets of 0 … columns - 1, at most 2^25 words; in JSON lists of their elements
    graph,           ///< n, one for all graphs of an instance, and rows (kernels/core/graph.hpp); in JSON "n" and edges
    weighted_graph,  ///< likewise (kernels/core/weighted_graph.hpp); in JSON an edge has a third entry, its weight,
                     ///< which may be negative if `low` is
};

/// The constant `plus`, added to the value of an earlier field or to the negative of that value, if there is one. A
/// graph's value is n.
struct amount {
    constexpr amount(std::int64_t plus_) : plus(plus_) {}
    constexpr amount(std::int64_t plus_, std::int32_t field_, std::int32_t sign_ = 1)
        : plus(plus_), field(field_), sign(sign_) {}
    std::int64_t plus;
    std::int32_t field = -1;
    std::int32_t sign = 1;
};
constexpr amount of(std::int32_t field, std::int64_t plus = 0) { return {plus, field}; }
/// For `low` and `high` only: a field cannot have fewer than no rows.
constexpr amount minus(std::int32_t field) { return {0, field, -1}; }

struct field {
    char const* name;
    field_kind kind;
    char const* rule;  ///< one sentence: how many values there are, and their range
    amount low = 0;    ///< of every integer
    amount high = 0;
    amount rows = 0;
    amount columns = 1;
    bool optional = false;  ///< allowed for the last field only, and only if it has no value
    /// For an optional field: the earlier field that it replaces. Where this one is present, JSON omits that one and
    /// its words are 0.
    std::int32_t replaces = -1;
};

constexpr bool is_graph(field const& own) {
    return own.kind == field_kind::graph || own.kind == field_kind::weighted_graph;
}
/// Whether later fields may refer to it: its first word is its value.
constexpr bool has_value(field const& own) {
    return is_graph(own) || own.kind == field_kind::size || own.kind == field_kind::number;
}

inline constexpr std::int32_t max_fields = 12;
inline constexpr std::int64_t max_set_words = std::int64_t(1) << 25;

/// Values of the fields read so far.
class field_values {
public:
    [[nodiscard]] std::int64_t operator()(amount of) const {
        return of.plus + (of.field < 0 ? 0 : of.sign * value_[of.field]);
    }
    void set(std::size_t field, std::int64_t value) { value_[field] = value; }

private:
    std::int64_t value_[max_fields] = {};
};

}  // namespace optgap
