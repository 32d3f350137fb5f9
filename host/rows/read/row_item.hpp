#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/rows/json/jsonl.hpp"
#include "optgap/finish.hpp"

namespace optgap::rows {

/// What is known of a rollout beside its row's text, as trainers hold it: not as JSON. It borrows what it names.
struct rollout_beside {
    finish finished = finish::unknown;
    std::int32_t length = -1;  ///< tokens; -1: nobody counted them
    std::string_view group;    ///< empty: the row's own
};

/// One input row and why it was rejected, if it was.
struct row_item {
    json_row row;
    std::int64_t number = 0;     ///< 1-based line of its file
    std::string field;           ///< the field that violates `rule`
    std::string rule;            ///< empty while the row is sound
    bool is_object = false;      ///< the line is a JSON object
    bool has_old_error = false;  ///< an earlier command rejected it; its `error` stays unless this command accepts it
    std::int32_t kind = -1;      ///< index into scorer::kinds(); -1: not claimed yet
    std::int32_t instance = -1;  ///< index into the batch's instances, for rows that name one
    /// Replaces the row's `completion`, which may then be missing or blank.
    std::optional<std::string_view> completion = {};
    /// Replaces the row's `finish`, `length` and `group`.
    rollout_beside const* beside = nullptr;

    [[nodiscard]] bool sound() const { return rule.empty(); }
    /// The first rejection counts.
    void reject(std::string_view broken_field, std::string_view broken_rule) {
        if (sound()) {
            field = broken_field;
            rule = broken_rule;
        }
    }
    /// Takes a line's text, which must outlive the item. Rejects a line that is not a JSON object.
    void take(std::string_view line, std::int64_t its_number);
    /// Takes an object's fields, as json_row::take does.
    void take(std::vector<json_field> fields, std::int64_t its_number);
};

}  // namespace optgap::rows
