#pragma once
// What the words of an instance are, field by field, said once. From it come the entry check (check_layout.hpp) and the
// JSON form (kernels/text/layout_json.hpp).
//
//   constexpr field puzzle[] = {
//       {"n", field_kind::size, "n, the rows and columns, is 2 to 9", 2, 9},
//       {"grid", field_kind::table, "a cell of the n by n grid is 0 (empty) to n", 0, of(0), of(0), of(0)},
//   };                                              words [n, cell …]    JSON {"grid": [[0, 2], [1, 0]]}
//
// The last field may be optional: instances of a wider kind, which no generator draws, have it, and the words of all
// others end before it.

#include <cstddef>
#include <cstdint>

namespace optgap {

enum class field_kind : std::int32_t {
    size,            ///< one word, its range constant; JSON leaves it out: it is the length of lists that refer to it
    number,          ///< one word
    list,            ///< `rows` words
    table,           ///< `rows` times `columns` words; in JSON a list of lists
    lists,           ///< a table whose rows end with zeros, which JSON leaves out; the longest has `columns` values
    sets,            ///< `rows` bit sets of 0 … columns - 1, at most 2^25 words; in JSON lists of their elements
    graph,           ///< n, one for all graphs of an instance, and rows (kernels/core/graph.hpp); in JSON "n" and edges
    weighted_graph,  ///< likewise (kernels/core/weighted_graph.hpp); in JSON an edge has a third entry, a weight that
                     ///< may be negative where `low` is
};

/// `plus`, or that much more than the value of an earlier field, or than its negative; a graph's is n.
struct amount {
    constexpr amount(std::int64_t plus_) : plus(plus_) {}
    constexpr amount(std::int64_t plus_, std::int32_t field_, std::int32_t sign_ = 1)
        : plus(plus_), field(field_), sign(sign_) {}
    std::int64_t plus;
    std::int32_t field = -1;
    std::int32_t sign = 1;
};
constexpr amount of(std::int32_t field, std::int64_t plus = 0) { return {plus, field}; }
/// For `low` and `high` alone: no field has less than no rows.
constexpr amount minus(std::int32_t field) { return {0, field, -1}; }

struct field {
    char const* name;
    field_kind kind;
    char const* rule;  ///< one sentence: how many there are, and of what range
    amount low = 0;    ///< of every integer
    amount high = 0;
    amount rows = 0;
    amount columns = 1;
    bool optional = false;  ///< the last field alone, and one without a value
    /// Of an optional field: the earlier one that JSON leaves out, and whose words are 0, where this one is there.
    std::int32_t replaces = -1;
};

constexpr bool is_graph(field const& own) {
    return own.kind == field_kind::graph || own.kind == field_kind::weighted_graph;
}
/// May later fields refer to it? Its first word is its value.
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
