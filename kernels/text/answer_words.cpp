// Writes answers in the notation for people.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/core/words.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/task_text.hpp"
#include "optgap/format.hpp"

namespace optgap {
namespace {

/// Returns false if a value is not that of a letter, or the shape is not that of the task's words.
bool append_letters(std::string& out, task_text const& task, answer_view const& answer) {
    std::string_view const alphabet = task.alphabet;
    if (answer.count == 0 || answer.is_flat() == task.letter_rows) {
        return false;
    }
    std::int32_t const* value = answer.values;
    for (std::int32_t r = 0; r < (task.letter_rows ? answer.row_count() : 1); ++r) {
        std::int64_t const length = task.letter_rows ? answer.row_lengths[r] : answer.count;
        if (length == 0) {
            return false;
        }
        out += !task.letter_rows ? "" : r == 0 ? "[\"" : "\", \"";
        for (std::int64_t i = 0; i < length; ++i) {
            std::int64_t const place = std::int64_t(*value++) - task.first_letter;
            if (place < 0 || place >= std::int64_t(alphabet.size())) {
                return false;
            }
            out += alphabet[std::size_t(place)];
        }
    }
    out += task.letter_rows ? "\"]" : "";
    return true;
}

struct term {
    std::string text;
    std::int32_t sign = 0;  ///< its last operator, 0 for a number
};

int rank(std::int32_t sign) { return sign == 0 ? 3 : sign == sign_plus || sign == sign_minus ? 1 : 2; }

/// Returns false if the list is not an expression in postfix order.
bool append_expression(std::string& out, answer_view const& answer) {
    constexpr char const* signs[] = {" + ", " - ", " * ", " / "};
    std::vector<term> open;
    for (std::int64_t i = 0; i < answer.count; ++i) {
        std::int32_t const value = answer.values[i];
        if (value >= 0) {
            open.push_back({std::to_string(value)});
            continue;
        }
        if (value < sign_over || open.size() < 2) {
            return false;
        }
        term right = std::move(open.back());
        open.pop_back();
        term& left = open.back();
        int const own = rank(value);
        if (rank(left.sign) < own) {
            left.text = "(" + left.text + ")";
        }
        left.text += signs[-1 - value] + (rank(right.sign) <= own ? "(" + right.text + ")" : right.text);
        left.sign = value;
    }
    if (open.size() != 1) {
        return false;
    }
    out += open[0].text;
    return true;
}

/// Returns false if a row is not the digits of a number.
bool append_digits(std::string& out, answer_view const& answer) {
    std::int64_t const rows = answer.is_flat() ? 1 : answer.row_count();
    std::int32_t const* digit = answer.values;
    for (std::int64_t r = 0; r < rows; ++r) {
        std::int64_t const length = answer.is_flat() ? answer.count : answer.row_lengths[r];
        if (length == 0 || (length > 1 && *digit == 0)) {
            return false;
        }
        out += r == 0 ? "" : rows == 2 ? " R " : "; ";
        for (std::int64_t i = 0; i < length; ++i, ++digit) {
            if (*digit < 0 || *digit > 9) {
                return false;
            }
            out += char('0' + *digit);
        }
    }
    return rows > 0;
}

/// Returns false if the block could not result from reading such numbers.
bool append_numbers(std::string& out, bare_number rule, answer_view const& answer) {
    if (answer.is_word() || answer.is_flat() == (rule == bare_number::digit_rows)) {
        return false;
    }
    if (rule == bare_number::single) {
        out += answer.count == 1 ? std::to_string(answer.values[0]) : "";
        return answer.count == 1;
    }
    return append_digits(out, answer);
}

}  // namespace

answer_syntax syntax_of(task_text const& task) {
    return {task.words, task.alphabet, task.first_letter, task.letter_rows, task.expressions, task.numbers};
}

std::string answer_in_words(task_text const& task, std::span<std::int32_t const> block) {
    answer_view const answer = view_answer({block.data(), std::int64_t(block.size())});
    std::string text;
    bool const written = (task.alphabet != nullptr && append_letters(text, task, answer)) ||
                         (task.expressions && answer.is_flat() && append_expression(text, answer)) ||
                         (task.numbers != bare_number::none && append_numbers(text, task.numbers, answer));
    return written ? text : answer_text(block);
}

}  // namespace optgap
