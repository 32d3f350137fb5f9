// A solution of HiGHS' in its raw style: below "# Primal solution values" a line "Feasible", "Objective X", and
// "# Columns N" with a line "NAME VALUE" for each. The first columns are the instance's things, in their order.

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "tools/cli/shell/decimal.hpp"
#include "tools/cli/store/formats/answer_file.hpp"

namespace optgap::cli {
namespace {

constexpr double column_tolerance = 1e-6;  ///< of HiGHS' mip_feasibility_tolerance

double column_number(std::string_view word, std::int64_t line, std::string_view expected) {
    std::string const text(word);
    char* end = nullptr;
    double const value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value)) {
        throw answer_fault(line, fmt::format("'{}': expected {}", shown(word), expected));
    }
    return value;
}

std::int32_t column_binary(std::string_view word, std::int64_t line) {
    double const value = column_number(word, line, "NAME VALUE with a number for the value");
    if (std::fabs(value) > column_tolerance && std::fabs(value - 1) > column_tolerance) {
        throw answer_fault(line,
                           fmt::format("the value is {}: expected 0 or 1, within {}", shown(word), column_tolerance));
    }
    return value > 0.5 ? 1 : 0;
}

/// The next line that holds something; throws at the end.
std::string_view need_line(text_lines& lines, std::string_view expected) {
    for (std::string_view line; lines.next(line);) {
        if (std::string_view const text = trimmed(line); !text.empty()) {
            return text;
        }
    }
    throw answer_fault(lines.number(), fmt::format("the file ends here: expected {}", expected));
}

std::int64_t count_of_columns(text_lines& lines, told_answer& out) {
    for (;;) {
        std::string_view line = need_line(lines, "# Columns N");
        std::string_view const first = take_word(line);
        if (first == "Objective") {
            out.objective = column_number(trimmed(line), lines.number(), "a number");
        } else if (first == "#") {
            std::int64_t count = 0;
            std::string_view const word = take_word(line);
            if (word != "Columns" || !is_decimal(trimmed(line), count)) {
                throw answer_fault(lines.number(),
                                   fmt::format("'# {}{}': expected # Columns N", shown(word), shown(line)));
            }
            return count;
        }
    }
}

}  // namespace

told_answer read_columns(std::string_view text, answer_frame const& frame) {
    if (frame.shape != answer_shape::members && frame.shape != answer_shape::values) {
        refuse_shape(frame, "a solution of columns",
                     "a task whose answers choose (the family subset), or are a 0 or 1 for each variable");
    }
    told_answer out;
    text_lines lines(text);
    while (need_line(lines, "# Primal solution values, as HiGHS' raw style has it") != "# Primal solution values") {
    }
    if (std::string_view const state = need_line(lines, "Feasible"); state != "Feasible") {
        throw answer_fault(lines.number(), fmt::format("'{}': expected Feasible", shown(state)));
    }
    std::int64_t const columns = count_of_columns(lines, out);
    if (columns < frame.things) {
        throw answer_fault(lines.number(),
                           fmt::format("there are {} columns: expected {} of the instance, and then any others",
                                       columns, frame.things));
    }
    std::vector<std::int32_t> values;
    for (std::int64_t c = 0; c < frame.things; ++c) {
        std::string_view line = need_line(lines, fmt::format("column {} of {}", c + 1, columns));
        take_word(line);
        values.push_back(column_binary(trimmed(line), lines.number()));
    }
    for (std::int64_t c = frame.things; c < columns; ++c) {
        std::string_view line = need_line(lines, fmt::format("column {} of {}", c + 1, columns));
        take_word(line);
        column_number(trimmed(line), lines.number(), "NAME VALUE with a number for the value");
    }
    out.block = block_of_values(values, frame);
    return out;
}

}  // namespace optgap::cli
