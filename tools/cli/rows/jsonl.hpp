#pragma once
// JSONL rows whose unknown keys pass through untouched. A row is split into its top-level keys and the raw text of
// their values, so 1e400, 1.0 and integers past int64 leave as they came. Strict JSON otherwise: a line that the
// splitter accepts is one JSON object. Any bytes may stand inside of strings.
//
//   {"id": 1.0, "answer": [0, 2]}   →   id = `1.0`, answer = `[0, 2]`

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace optgap {

/// One key of a row; both views borrow the line. The key is raw: without its quotes, escapes not decoded.
struct json_field {
    std::string_view key;
    std::string_view value;
};

/// One JSON object, split. Views borrow the line that was split.
class json_row {
public:
    /// Splits `line`. On failure returns false, leaves no fields and says in `rule` what was expected and at which
    /// byte.
    bool split(std::string_view line, std::string& rule);

    [[nodiscard]] std::span<json_field const> fields() const { return fields_; }
    /// Raw value of a key, nullptr when there is none. The last one counts when a key is repeated.
    [[nodiscard]] std::string_view const* find(std::string_view key) const;

private:
    std::vector<json_field> fields_;
};

/// Whether a raw key, with or without escapes, spells `name`.
bool key_is(std::string_view raw_key, std::string_view name);

[[nodiscard]] inline bool is_json_string(std::string_view value) { return value.starts_with('"'); }
[[nodiscard]] inline bool is_json_null(std::string_view value) { return value == "null"; }

/// Upper bound on the bytes that decoding a raw string adds to `arena`.
[[nodiscard]] inline std::size_t decoded_bound(std::string_view value) { return value.size(); }

/// The text of a raw JSON string (with its quotes) in UTF-8. Borrows `value` when nothing is escaped, else appends to
/// `arena`, whose capacity the caller has reserved so that earlier views stay valid. Half of a surrogate pair becomes
/// U+FFFD.
std::string_view decode_json_string(std::string_view value, std::string& arena);
std::string decode_json_string(std::string_view value);

/// `text` as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);

/// Writes one row: the fields of `source` (may be nullptr) but those in `dropped`, then what is added, then a newline.
class row_writer {
public:
    row_writer(std::string& out, json_row const* source, std::span<std::string_view const> dropped = {});

    void raw(std::string_view name, std::string_view json_text);
    void text(std::string_view name, std::string_view value);
    void integer(std::string_view name, std::int64_t value);
    /// null when the value is `none`.
    void integer_or_null(std::string_view name, std::int64_t value, std::int64_t none);
    void boolean(std::string_view name, bool value) { raw(name, value ? "true" : "false"); }
    /// The shortest text that reads back as the same number in double precision (so rewards stay multiples of their
    /// grid), always with a point or an exponent; null for NaN.
    void real(std::string_view name, float value);
    /// {"row": …, "field": …, "rule": …} under the name "error".
    void error(std::int64_t row, std::string_view field, std::string_view rule);
    void finish();

private:
    void begin(std::string_view name);

    std::string& out_;
    bool empty_ = true;
};

}  // namespace optgap
