#pragma once
// JSONL rows whose unknown keys pass through untouched. A row is split into its top-level keys and the raw text of
// their values, so 1e400, 1.0 and integers beyond int64 are written as they were read. Otherwise JSON is strict: a line
// that the splitter accepts is one JSON object. Strings may contain any bytes.
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
    /// Splits `line`. On failure returns false, leaves no fields and puts into `rule` what was expected at which byte.
    bool split(std::string_view line, std::string& rule);
    /// Takes the fields of an object that the caller has written itself: sound JSON, each key once.
    void take(std::vector<json_field> fields);

    [[nodiscard]] std::span<json_field const> fields() const { return fields_; }
    /// The raw value of a key; nullptr when it is absent. When a key is repeated, the last one counts.
    [[nodiscard]] std::string_view const* find(std::string_view key) const;

private:
    void note_escapes();

    std::vector<json_field> fields_;
    bool is_escaped_ = false;  ///< some key has an escape
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

/// Appends a finite number as JSON: the shortest text that reads back as the same, always with a point or an exponent.
void append_json_real(std::string& out, double value);

/// Receives a row's columns one after another: as a line of JSON, or as a Python dict.
class row_sink {
public:
    virtual ~row_sink() = default;

    virtual void raw(std::string_view name, std::string_view json_text) = 0;
    virtual void text(std::string_view name, std::string_view value) = 0;
    virtual void integer(std::string_view name, std::int64_t value) = 0;
    virtual void boolean(std::string_view name, bool value) = 0;
    virtual void null(std::string_view name) = 0;
    /// Writes the shortest number that reads back as the same in double precision. NaN becomes null.
    virtual void real(std::string_view name, float value) = 0;
    virtual void number(std::string_view name, double value) = 0;
    virtual void integers(std::string_view name, std::span<std::int64_t const> values) = 0;

    /// Writes {"objective": …, "bound": …, "proven": …}; a number that is `none` is null.
    virtual void bounds(std::string_view name, std::int64_t objective, std::int64_t bound, std::int64_t none,
                        bool proven);

    /// Writes null when the value is `none`.
    void integer_or_null(std::string_view name, std::int64_t value, std::int64_t none) {
        value == none ? null(name) : integer(name, value);
    }
    /// Writes null when the value is empty.
    void text_or_null(std::string_view name, std::string_view value) { value.empty() ? null(name) : text(name, value); }

protected:
    row_sink() = default;
    row_sink(row_sink const&) = default;
    row_sink& operator=(row_sink const&) = delete;
};

/// Writes one row: the fields of `source` (may be nullptr) except those in `dropped`, then what is added, then a
/// newline.
class row_writer final : public row_sink {
public:
    row_writer(std::string& out, json_row const* source, std::span<std::string_view const> dropped = {});

    void raw(std::string_view name, std::string_view json_text) override;
    void text(std::string_view name, std::string_view value) override;
    void integer(std::string_view name, std::int64_t value) override;
    void boolean(std::string_view name, bool value) override { raw(name, value ? "true" : "false"); }
    void null(std::string_view name) override { raw(name, "null"); }
    /// Always writes a point or an exponent, so rewards stay multiples of their grid.
    void real(std::string_view name, float value) override;
    void number(std::string_view name, double value) override;
    void integers(std::string_view name, std::span<std::int64_t const> values) override;
    /// Writes {"row": …, "field": …, "rule": …} under the name "error".
    void error(std::int64_t row, std::string_view field, std::string_view rule);
    void finish();

private:
    void begin(std::string_view name);

    std::string& out_;
    bool empty_ = true;
};

}  // namespace optgap
