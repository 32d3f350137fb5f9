#include "kernels/text/number_text.hpp"

#include <charconv>

#include "kernels/core/words.hpp"

namespace optgap {

void append_integer(std::string& text, std::int64_t value) {
    char digits[24];
    auto const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    text.append(digits, end);
}

void append_list(std::string& text, std::int32_t const* values, std::int64_t count) {
    text += '[';
    for (std::int64_t i = 0; i < count; ++i) {
        text += i > 0 ? ", " : "";
        append_integer(text, values[i]);
    }
    text += ']';
}

std::string answer_text(std::span<std::int32_t const> block) {
    answer_view const view = view_answer({block.data(), std::int64_t(block.size())});
    std::string text;
    if (!view.is_rows() || view.is_flat()) {
        append_list(text, view.values, view.count);
        return text;
    }
    text = "[";
    std::int32_t const* row = view.values;
    for (std::int32_t r = 0; r < view.row_count(); ++r) {
        text += r > 0 ? ", " : "";
        append_list(text, row, view.row_lengths[r]);
        row += view.row_lengths[r];
    }
    return text + "]";
}

}  // namespace optgap
