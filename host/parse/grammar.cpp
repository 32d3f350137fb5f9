#include "host/parse/grammar.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "host/parse/equation.hpp"
#include "host/parse/expression.hpp"
#include "host/parse/free/spelling.hpp"
#include "host/parse/lexemes.hpp"
#include "host/parse/list_reader.hpp"
#include "host/parse/numbers.hpp"
#include "host/parse/symbols.hpp"
#include "kernels/core/words.hpp"

namespace optgap::text {
namespace {

constexpr std::size_t label_limit = 64;  // bytes of a label, and of a code fence's language tag

constexpr bool is_tag_byte(char c) {
    return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '#' || c == '.' || c == '_';
}

/// Strips one mark from the front.
bool drop(std::string_view& text, std::string_view mark) {
    if (text.substr(0, mark.size()) != mark) {
        return false;
    }
    text.remove_prefix(mark.size());
    return true;
}

std::int32_t find_word(std::string_view text, char const* const* task_words) {
    for (std::int32_t k = 0; task_words != nullptr && task_words[k] != nullptr; ++k) {
        std::string_view const word = task_words[k];
        if (text.size() == word.size() &&
            std::equal(text.begin(), text.end(), word.begin(), [](char a, char b) { return lower(a) == b; })) {
            return k;
        }
    }
    return -1;
}

/// A task's own answer words and letters, which are never wraps or labels.
struct own_words {
    char const* const* words = nullptr;
    letter_table const& letters;
};

/// Drops the language after an opening code fence, if it ends its line and is not an answer of the task.
void drop_language(std::string_view& text, own_words const& own) {
    std::size_t size = 0;
    while (size < text.size() && size < label_limit && is_tag_byte(text[size])) {
        ++size;
    }
    std::size_t line = size;
    while (line < text.size() && (text[line] == ' ' || text[line] == '\t')) {
        ++line;
    }
    bool const ends_line = line < text.size() && (text[line] == '\n' || text[line] == '\r');
    std::string_view const tag = text.substr(0, size);
    if (size > 0 && is_letter(text[0]) && ends_line && find_word(tag, own.words) < 0 && !own.letters.holds_all(tag)) {
        text.remove_prefix(line);
    }
}

/// The length of the wrap that starts with `first`, given whether the byte beside it is the same; 0: none.
constexpr std::size_t wrap_length(char first, bool twice) {
    switch (first) {
        case ' ':
        case '\t':
        case '\r':
        case '\n':
        case '`':
        case '$': return 1;
        case '*':
        case '_': return twice ? 2 : 0;
        default: return 0;
    }
}

void drop_front_wraps(std::string_view& text, own_words const& own) {
    while (!text.empty() && !own.letters.holds(text[0])) {
        bool const twice = text.size() > 1 && text[1] == text[0];
        if (text[0] == '`' && twice && drop(text, "```")) {
            drop_language(text, own);
        } else if (std::size_t const length = wrap_length(text[0], twice); length > 0) {
            text.remove_prefix(length);
        } else if (text[0] != '\\' || !drop(text, "\\(")) {
            return;
        }
    }
}

void drop_back_wraps(std::string_view& text, std::span<std::string const> ends, letter_table const& letters) {
    bool full_stop = false;
    while (!text.empty() && !letters.holds(text.back())) {
        char const last = text.back();
        char const before = text.size() > 1 ? text[text.size() - 2] : '\0';
        if (std::size_t const length = wrap_length(last, before == last); length > 0) {
            text.remove_suffix(length);
        } else if (last == ')' && before == '\\') {
            text.remove_suffix(2);
        } else if (last == '.' && !full_stop) {
            text.remove_suffix(1);
            full_stop = true;
        } else if (std::size_t const token = trailing_end(text, ends); token > 0) {
            text.remove_suffix(token);
        } else {
            return;
        }
    }
}

/// Drops "Label:" or "Label =", unless it withdraws what follows. Emphasis may close between the label and its sign:
/// "**Tour**: …".
void drop_label(std::string_view& text) {
    if (text.empty() || !is_letter(text.front())) {
        return;
    }
    std::size_t size = 0;
    while (size < text.size() && size < label_limit && is_label_byte(text[size])) {
        ++size;
    }
    std::string_view rest = text.substr(size);
    while (drop(rest, "**") || drop(rest, "`") || drop(rest, "$") || drop(rest, " ")) {
    }
    if ((drop(rest, ":") || drop(rest, "=")) && !takes_back(text.substr(0, size))) {
        text = rest;
    }
}

void drop_wraps_and_label(std::string_view& text, own_words const& own, std::span<std::string const> ends) {
    drop_back_wraps(text, ends, own.letters);
    drop_front_wraps(text, own);
    drop_label(text);
    drop_front_wraps(text, own);
}

/// Reads a word of the alphabet, whose letters are not wraps, if it is not a word of the task.
bool read_as_letters(std::string_view value, answer_syntax const& syntax, std::vector<std::int32_t>& words,
                     std::span<std::string const> ends) {
    letter_table const letters(syntax);
    drop_wraps_and_label(value, {syntax.words, letters}, ends);
    return find_word(value, syntax.words) < 0 &&
           value.size() <= std::size_t(std::numeric_limits<std::int32_t>::max()) &&
           read_letters(value, letters, syntax.letter_rows, words);
}

/// Reads a text without white space at its ends by the grammar alone; `spelling` applies to expressions.
parsed_text read_by_grammar(std::string_view value, answer_syntax const& syntax, std::vector<std::int32_t>& words,
                            std::span<std::string const> ends, spelling_rule spelling) {
    static letter_table const no_letters;
    parsed_text parsed;
    if (syntax.alphabet != nullptr && read_as_letters(value, syntax, words, ends)) {
        return parsed;
    }
    drop_wraps_and_label(value, {syntax.words, no_letters}, ends);
    if (value.empty()) {
        parsed.answer_code = code_empty;
        return parsed;
    }
    if (value.size() > std::size_t(std::numeric_limits<std::int32_t>::max())) {
        parsed.answer_code = code_overflow;  // its values could not be counted in a block
        return parsed;
    }
    if (is_open(value.front())) {
        list_reader reader(value, words);
        parsed.answer_code = reader.read();
        parsed.where = reader.where();
    } else if (std::int32_t const word = find_word(value, syntax.words); word >= 0) {
        words.insert(words.end(), {answer_word, word});
    } else if (syntax.numbers != bare_number::none) {
        parsed.answer_code = read_numbers(value, syntax.numbers, words);
    } else {
        parsed.answer_code = code_unparsable;
    }
    if (syntax.expressions && parsed.answer_code != code_ok) {
        std::int32_t const code = read_expression(value, words, spelling);
        if (code == code_ok || value.front() != '[') {
            parsed.answer_code = code;
            parsed.where = -1;
        }
    }
    return parsed;
}

/// Whether a text that is no answer by the grammar is one in the free spelling.
bool read_freely(std::string_view value, answer_syntax const& syntax, std::vector<std::int32_t>& words,
                 std::span<std::string const> ends) {
    static letter_table const no_letters;
    drop_back_wraps(value, ends, syntax.alphabet != nullptr ? letter_table(syntax) : no_letters);
    bool const numbers = syntax.numbers != bare_number::none;
    std::string const plain = plain_spelling(value, {.lists = !numbers && !syntax.expressions,
                                                     .expressions = syntax.expressions,
                                                     .letters = syntax.alphabet != nullptr});
    if (read_by_grammar(plain, syntax, words, {}, spelling_rule::free).answer_code == code_ok) {
        return true;
    }
    std::string_view number = plain;
    drop_wraps_and_label(number, {syntax.words, no_letters}, {});
    return numbers && read_number_equation(number, syntax.numbers, words);
}

}  // namespace

parsed_text read_answer(std::string_view text, answer_syntax const& syntax, std::vector<std::int32_t>& words,
                        spelling_rule spelling, std::span<std::string const> ends) {
    std::string_view const value = trimmed(text);
    parsed_text parsed = read_by_grammar(value, syntax, words, ends, spelling_rule::strict);
    if (parsed.answer_code != code_ok && parsed.answer_code != code_empty && spelling == spelling_rule::free &&
        read_freely(value, syntax, words, ends)) {
        parsed = {};
    }
    parsed.answer.begin = value.data() == nullptr ? 0 : value.data() - text.data();
    parsed.answer.end = parsed.answer.begin + std::int64_t(value.size());
    if (parsed.answer_code != code_ok) {
        words.push_back(answer_flat);
    }
    return parsed;
}

}  // namespace optgap::text

namespace optgap {

parsed_text parse_answer(std::string_view text, answer_syntax const& syntax, std::vector<std::int32_t>& words,
                         spelling_rule spelling) {
    return text::read_answer(text, syntax, words, spelling, end_of_turn_strings());
}

}  // namespace optgap
