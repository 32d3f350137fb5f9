#pragma once
// Rubrics of rows: in the row as `rubric`, or in a side file and named by `rubric_key`. Each is compiled once.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "host/rows/json/jsonl.hpp"
#include "optgap/rubrics/rubric.hpp"

namespace optgap::rows {

/// The columns in which a row names its rubric. `rubric` counts where it is an object, for data sets have lists of
/// criteria under that name; `chain` and `chain_key` are the former names.
struct rubric_columns {
    std::string_view rubric = "rubric", key = "rubric_key";
    std::string_view side = "names a rubric, and there is no --rubrics FILE that holds it";
    static rubric_columns of(json_row const& row);
};
/// The rubric's JSON; nullptr: the row holds none.
std::string_view const* rubric_text(json_row const& row);

class rubric_file {
public:
    /// `preset` is the value of --rubric-preset; empty: each rubric's own. `side` is the value of --rubrics, a file of
    /// rows with a `rubric`; empty: none. Throws error{invalid_argument} that names file, line and rule.
    rubric_file(std::string const& preset, std::string const& side);

    /// Whether this row names a rubric.
    static bool names_rubric(json_row const& row);
    /// Returns the index of a row's rubric; throws field_error.
    std::int32_t rubric_of(json_row const& row);
    [[nodiscard]] rubrics::text_rubric const& at(std::int32_t index) const { return rubrics_[std::size_t(index)]; }

    /// Drops the rubrics of rows where there are more than `most`; those of the side file stay. No index of a row's
    /// outlives it.
    void forget_beyond(std::size_t most);

private:
    std::int32_t add(std::string_view raw);

    std::optional<rubrics::preset> as_;
    std::deque<rubrics::text_rubric> rubrics_;
    std::unordered_map<std::string, std::int32_t> by_text_, by_key_;
    std::size_t of_side_ = 0;  ///< the first of chains_
    bool has_side_ = false;
};

}  // namespace optgap::rows
