#pragma once
// Columns of scored rows as values of dicts.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nanobind/nanobind.h>

#include "host/rows/json/jsonl.hpp"

namespace optgap::python {

namespace nb = nanobind;

/// A name as Python's text, made once. Call with the GIL held.
nb::handle interned(std::string_view name);

/// Makes a dict for each row: a copy of the source without some fields, then the columns. Rows beside each other mostly
/// have the same fields, the same columns and many equal values. Therefore a dict begins as a copy of the one before,
/// and only what differs is set.
class dict_sink final : public row_sink {
public:
    /// Begins a row. `dropped` is a kind's list of columns, which outlives the sink; `with_error`: `error`, too.
    void begin(nb::handle source, std::span<std::string_view const> dropped, bool with_error);
    /// Ends the row and returns its dict.
    nb::object finish();

    void raw(std::string_view name, std::string_view json_text) override;
    void text(std::string_view name, std::string_view value) override;
    void integer(std::string_view name, std::int64_t value) override;
    void boolean(std::string_view name, bool value) override;
    void null(std::string_view name) override;
    void real(std::string_view name, float value) override { number(name, double(value)); }
    void number(std::string_view name, double value) override;
    void integers(std::string_view name, std::span<std::int64_t const> values) override;
    void bounds(std::string_view name, std::int64_t objective, std::int64_t bound, std::int64_t none,
                bool proven) override;

private:
    struct source_field {
        nb::object key, value;
        bool stays = true;
    };
    struct column {
        std::string_view name;  ///< of `key`
        nb::handle key;
        nb::object value;  ///< of the row before, until this row has set it
    };
    struct bounds_values {
        std::int64_t objective = 0, bound = 0;
        bool proven = false;
        friend bool operator==(bounds_values const&, bounds_values const&) = default;
    };

    /// Whether the source has the fields of the one before, and loses the same.
    [[nodiscard]] bool is_alike(nb::handle source, std::span<std::string_view const> dropped, bool with_error) const;
    void copy_source();
    void leave_pattern();
    /// The column's value in the row before, whose copy this row is; else null.
    [[nodiscard]] PyObject* before(std::string_view name);
    void set(std::string_view name, nb::object value);
    void keep() { ++at_; }

    nb::object source_, row_;
    std::span<std::string_view const> dropped_;
    bool with_error_ = false;
    std::vector<source_field> fields_;  ///< of the source
    std::vector<column> columns_;       ///< in the order in which they are set
    std::size_t at_ = 0;                ///< columns of this row up to now
    bool is_pattern_ = false;           ///< the row is a copy of the one before and has had the same columns up to now
    bounds_values bounds_;
    nb::object bounds_dict_;  ///< of those values
    std::map<std::string, nb::object, std::less<>> read_;
};

}  // namespace optgap::python
