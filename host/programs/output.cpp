#include "host/programs/output.hpp"

#include <charconv>

#include "kernels/core/words.hpp"
#include "optgap/answer.hpp"
#include "optgap/programs/codes.hpp"

namespace optgap::programs {
namespace {

constexpr std::string_view blanks_of_output = " \t\r\n";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads rows word by word into `values` and `lengths`.
class row_reader {
public:
    std::vector<std::int32_t> values;
    std::vector<std::int32_t> lengths;

    parsed_text read(std::string_view output, bool in_rows) {
        parsed_text parsed;
        std::size_t at = 0;
        std::size_t line_begins = 0;  // in values
        auto const end_line = [&] {
            if (values.size() > line_begins) {
                lengths.push_back(std::int32_t(values.size() - line_begins));
                line_begins = values.size();
            }
        };
        std::size_t last = 0;
        while (at < output.size()) {
            char const c = output[at];
            if (blanks_of_output.find(c) != std::string_view::npos) {
                if (c == '\n' && in_rows) {
                    end_line();
                }
                ++at;
                continue;
            }
            std::size_t const end = std::min(output.find_first_of(blanks_of_output, at), output.size());
            parsed.answer_code = add(output.substr(at, end - at));
            if (parsed.answer_code != code_ok) {
                parsed.where = parsed.answer_code == code_unparsable ? -1 : std::int32_t(values.size());
                return parsed;
            }
            if (last == 0 && values.size() == 1) {
                parsed.answer.begin = std::int64_t(at);
            }
            last = at = end;
        }
        end_line();
        parsed.answer.end = std::int64_t(last);
        return parsed;
    }

private:
    std::int32_t add(std::string_view word) {
        bool const minus = word.front() == '-';
        std::string_view const digits = word.substr(minus ? 1 : 0);
        if (!is_digit(word.front()) && !(minus && !digits.empty() && is_digit(digits.front()))) {
            return code_unparsable;
        }
        for (char const c : digits) {
            if (!is_digit(c)) {
                return code_not_integer;
            }
        }
        if (digits.size() > 1 && digits.front() == '0') {
            return code_not_integer;
        }
        std::int32_t value = 0;
        if (std::from_chars(word.data(), word.data() + word.size(), value).ec != std::errc()) {
            return code_overflow;
        }
        values.push_back(value);
        return code_ok;
    }
};

bool has_own_spelling(task_info const& task) {
    return task.syntax.alphabet != nullptr || task.syntax.expressions || task.syntax.numbers != bare_number::none;
}

}  // namespace

bool answers_are_rows(task_info const& task) {
    return task.answer_form.starts_with("[[") || task.syntax.letter_rows ||
           task.syntax.numbers == bare_number::digit_rows;
}

parsed_text read_output(engine const& by, std::int32_t task, std::string_view output,
                        std::vector<std::int32_t>& words) {
    task_info const& info = by.tasks()[std::size_t(task)];
    std::size_t const first = output.find_first_not_of(blanks_of_output);
    if (first == std::string_view::npos) {
        words.push_back(answer_flat);
        parsed_text none;
        none.answer_code = code_run_no_output;
        return none;
    }
    bool const like_rows = is_digit(output[first]) || output[first] == '-';
    std::size_t const begin = words.size();
    parsed_text by_grammar;
    if (!like_rows || has_own_spelling(info)) {
        by_grammar = by.parse_answer(task, output, words);
        if (!like_rows || by_grammar.answer_code == code_ok) {
            return by_grammar;
        }
        words.resize(begin);
    }
    row_reader rows;
    bool const in_rows = answers_are_rows(info);
    parsed_text const parsed = rows.read(output, in_rows);
    if (parsed.answer_code != code_ok) {
        words.push_back(answer_flat);
        return has_own_spelling(info) ? by_grammar : parsed;
    }
    if (in_rows) {
        words.push_back(std::int32_t(rows.lengths.size()));
        words.insert(words.end(), rows.lengths.begin(), rows.lengths.end());
    } else {
        words.push_back(answer_flat);
    }
    words.insert(words.end(), rows.values.begin(), rows.values.end());
    return parsed;
}

namespace {

std::string printed_list(answer_view const& answer) {
    std::string out = "[";
    if (answer.is_flat()) {
        for (std::int64_t i = 0; i < answer.count; ++i) {
            out += (i > 0 ? ", " : "") + std::to_string(answer.values[i]);
        }
        return out + "]";
    }
    std::int64_t at = 0;
    for (std::int32_t r = 0; r < answer.row_count(); ++r) {
        out += r > 0 ? ", [" : "[";
        for (std::int32_t i = 0; i < answer.row_lengths[r]; ++i) {
            out += (i > 0 ? ", " : "") + std::to_string(answer.values[at++]);
        }
        out += "]";
    }
    return out + "]";
}

std::string printed_rows(answer_view const& answer) {
    std::string out;
    std::int64_t at = 0;
    for (std::int32_t r = 0; r < (answer.is_flat() ? 1 : answer.row_count()); ++r) {
        std::int64_t const length = answer.is_flat() ? answer.count : answer.row_lengths[r];
        for (std::int64_t i = 0; i < length; ++i) {
            out += (i > 0 ? " " : "") + std::to_string(answer.values[at++]);
        }
        out += '\n';
    }
    return out;
}

}  // namespace

std::string write_output(task_info const& task, task_text const& text, std::span<std::int32_t const> block) {
    if (has_own_spelling(task)) {
        return answer_in_words(text, block) + "\n";
    }
    if (!block.empty() && block[0] == answer_word) {
        return std::string(task.words[std::size_t(block[1])]) + "\n";
    }
    answer_view const answer = view_answer({block.data(), std::int64_t(block.size())});
    bool plain = answer.count > 0 && answer.is_flat() != answers_are_rows(task);
    for (std::int32_t r = 0; plain && !answer.is_flat() && r < answer.row_count(); ++r) {
        plain = answer.row_lengths[r] > 0;
    }
    return plain ? printed_rows(answer) : printed_list(answer) + "\n";
}

}  // namespace optgap::programs
