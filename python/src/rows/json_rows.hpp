#pragma once
// Dicts as rows of JSON. What writes a row knows where its fields are, so that it is not split again.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nanobind/nanobind.h>

#include "host/rows/read/row_item.hpp"

namespace optgap::python {

namespace nb = nanobind;

/// Whether completions are written as JSON, too, or given beside it (row_item::completion): faster, for callers that
/// read completions by read_rollout alone.
enum class completions { written, beside };

/// Rows as JSON, spaced as json.dumps spaces it: spans count bytes of it.
class json_rows {
public:
    explicit json_rows(completions how = completions::written, std::size_t usual_bytes = 0) : how_(how) {
        text_.reserve(usual_bytes);
    }

    /// Adds a row and returns its dict: the row itself, or what dict() makes of another mapping. Throws argument_error,
    /// which names the row, for a value that JSON does not have. Needs the GIL.
    nb::object add(nb::handle row);

    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] std::size_t bytes() const { return text_.size(); }
    /// Row i as an item, which borrows the text of these rows. A row with NaN or an infinite number is rejected.
    void take(std::size_t i, rows::row_item& item) const;

private:
    struct span {
        std::size_t begin = 0, end = 0;
    };
    struct field {
        span key, value;
    };
    struct row {
        span text;
        std::size_t first_field = 0, end_field = 0;
        bool is_json = true;
        std::optional<std::string_view> completion = {};
    };
    [[nodiscard]] std::string_view text_of(span of) const {
        return std::string_view(text_).substr(of.begin, of.end - of.begin);
    }

    void write(nb::handle value, int depth);
    void object(nb::handle dict, int depth);
    bool put_beside(nb::handle value);
    span text(nb::handle value);
    void integer(nb::handle value);
    void real(double value);
    [[noreturn]] void refuse(std::string const& what, nb::handle value) const;

    completions how_;
    std::string text_;
    std::vector<field> fields_;
    std::vector<row> rows_;
    std::vector<nb::object> held_;  ///< texts of completions
};

}  // namespace optgap::python
