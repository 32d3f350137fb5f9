// IFBench's types about brackets, quotes, lines and case.

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/checks/types.hpp"

namespace optgap::rubrics {

namespace ifbench_format {

type_answer parentheses(type_input const& in) {
    static constexpr std::string_view opening = "([{";
    static constexpr std::string_view closing = ")]}";
    constexpr std::size_t least = 5;
    std::string open;
    std::size_t deepest = 0;
    std::size_t best = 0;
    bool passed = false;
    auto const is_bracket = [](bytes16 value) {
        return within(value, '(', ')') | same(value, '[') | same(value, ']') | same(value, '{') | same(value, '}');
    };
    each_byte(in.raw(), is_bracket, [&](std::size_t at) {
        char const byte = in.raw()[at];
        if (opening.find(byte) != std::string_view::npos) {
            open += byte;
            deepest = std::max(deepest, open.size());
            best = std::max(best, deepest);
            return true;
        }
        if (open.empty() || open.back() != opening[closing.find(byte)]) {
            open.clear();
            deepest = 0;
            return true;
        }
        open.pop_back();
        passed = deepest >= least && (!in.strict || open.empty());
        deepest = open.empty() && in.strict ? 0 : deepest;
        return !passed;
    });
    return {passed, std::int64_t(best)};
}

type_answer quotes(type_input const& in) {
    std::string open;
    std::size_t deepest = 0;
    bool closed = false;
    auto const is_quote = [](bytes16 value) { return same(value, '"') | same(value, '\''); };
    each_byte(in.raw(), is_quote, [&](std::size_t at) {
        char const byte = in.raw()[at];
        if (!open.empty() && byte == open.back()) {
            open.pop_back();
            closed = deepest - open.size() >= 3;
        } else {
            open += byte;
            deepest = std::max(deepest, open.size());
        }
        return !closed;
    });
    return {closed && in.enough(3), std::int64_t(deepest)};
}

/// \W*[aA]\W*[bB]\W*[cC]\W* at the beginning.

bool are_letters(std::string_view options) {
    std::size_t at = 0;
    for (char const letter : std::string_view("abc")) {
        while (at < options.size() && word_size(options, at) == 0) {
            at += decode(options, at).size;
        }
        if (at == options.size() || (options[at] | 32) != letter) {
            return false;
        }
        ++at;
    }
    return true;
}

type_answer options(type_input const& in) {
    std::string_view const all = in.argument(0);
    std::string_view const separator = contains(all, "/") ? "/" : contains(all, "or") ? "or" : ",";
    bool const letters = are_letters(all);
    std::string_view const bare = without_marks(in.raw());
    // Lower case makes at least one byte of three, and at most three of two.
    bool const may_be = bare.size() <= 5 * all.size();
    std::string const text = may_be && !letters ? lowered(bare) : std::string();
    for (std::string_view const part : split_at(all, separator)) {
        std::string_view const option = trimmed(part);
        if (letters ? in.raw() == option : may_be && lowered(without_marks(option)) == text) {
            return true;
        }
    }
    return false;
}

type_answer newline(type_input const& in) {
    split_text const& bare = in.forms.bare();
    std::int64_t lines = 0;
    for (std::string_view const line : split_at(trimmed(bare.text), "\n")) {
        lines += !line.empty();
    }
    return {lines == std::int64_t(bare.size()) && in.enough(2), lines};
}

/// The result of emoji.is_emoji for one character: Emoji, except ASCII and the letters of flags.

bool is_emoji_point(std::string_view point) {
    if (point.empty() || static_cast<unsigned char>(point[0]) < 0x80) {
        return false;
    }
    char32_t const code = decode(point, 0).point;
    return is_a(code, may_be_emoji) && (code < 0x1F1E6 || code > 0x1F1FF);
}

std::string bare_sentence(type_input const& in, std::size_t k) {
    std::string bare;
    delete_marks(in.sentence(k), bare);
    return std::string(trimmed(bare));
}

type_answer emoji(type_input const& in) {
    for (std::size_t k = 0; k < in.sentence_count(); ++k) {
        std::string const bare = bare_sentence(in, k);
        if (bare.empty()) {
            return {false, std::int64_t(k)};
        }
        std::string_view const last = last_point(bare);
        std::string_view const before = last_point(std::string_view(bare).substr(0, bare.size() - last.size()));
        if (is_emoji_point(last) || is_emoji_point(before.empty() ? last : before)) {
            continue;
        }
        if (k + 1 == in.sentence_count() || !is_emoji_point(first_point(bare_sentence(in, k + 1)))) {
            return {false, std::int64_t(k)};
        }
    }
    return {!in.strict || (in.sentence_count() > 0 && in.enough(2)), std::int64_t(in.sentence_count())};
}

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

type_answer line_indent(type_input const& in) {
    std::vector<std::string_view> kept = split_at(in.raw(), "\n");
    if (in.strict) {
        std::erase_if(kept, [](std::string_view line) { return is_blank(line); });
        if (kept.size() < 2) {
            return false;
        }
    } else {
        // The published loop removes from the list that it iterates over. It skips the line after a removed one. It
        // removes the first line equal to the blank one, which may be one that it skipped before.
        std::vector<std::string_view> const all = std::move(kept);
        kept.clear();
        std::vector<bool> gone(all.size(), false);
        std::unordered_map<std::string_view, std::deque<std::size_t>> passed_over;
        for (std::size_t at = 0; at < all.size(); ++at) {
            if (!is_blank(all[at])) {
                continue;
            }
            std::deque<std::size_t>& equal = passed_over[all[at]];
            equal.push_back(at);
            gone[equal.front()] = true;
            equal.pop_front();
            if (++at < all.size() && is_blank(all[at])) {
                passed_over[all[at]].push_back(at);
            }
        }
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (!gone[k]) {
                kept.push_back(all[k]);
            }
        }
    }
    for (std::size_t k = 0; k + 1 < kept.size(); ++k) {
        if (indent_of(kept[k + 1]) <= indent_of(kept[k])) {
            return {false, std::int64_t(k)};
        }
    }
    return {true, std::int64_t(kept.size())};
}

type_answer quote_unquote(type_input const& in) {
    if (!contains(in.raw(), "\"")) {
        return {!in.strict, 0};
    }
    std::string const text = replaced(in.raw(), "'\"'", "");
    std::string joined;
    for (std::string_view const piece : pieces_of(text)) {
        joined += piece;
    }
    if (contains(joined, "\"\"")) {
        return false;
    }
    std::string_view rest = joined;
    auto const cut = [](char byte) { return is_digit_byte(byte) || (is_mark_byte(byte) && byte != '"'); };
    while (!rest.empty() && cut(rest.front())) {
        rest.remove_prefix(1);
    }
    while (!rest.empty() && cut(rest.back())) {
        rest.remove_suffix(1);
    }
    std::int64_t const marks = count_of(joined, "\"");
    return {!rest.ends_with('"') && (!in.strict || (marks >= 2 && marks % 2 == 0)), marks};
}

type_answer title_case(type_input const& in) {
    std::int64_t judged = 0;
    for (place const& token : in.forms.tokens()) {
        std::string_view const word = in.text.of(token);
        std::string_view const first = first_point(word);
        std::string_view const rest = word.substr(first.size());
        char32_t const code = decode(word, 0).point;
        if (!is_a(code, is_letter)) {
            continue;
        }
        ++judged;
        bool const low = is_a(code, is_lower);
        if (low && (rest.empty() || is_upper_text(rest) || is_lower_text(rest))) {
            return {false, judged};
        }
    }
    return {!in.strict || judged >= 2, judged};
}

/// The code points [first, last) of a text.

}  // namespace ifbench_format

std::span<instruction_type const> ifbench_format_types() {
    using namespace ifbench_format;
    using enum argument_kind;
    static constexpr char const* same = "the same";
    static constexpr instruction_type types[] = {
        {"format:parentheses",
         'E',
         {},
         parentheses,
         "a bracket closes its own kind, and five of ( [ { were open since the last mismatch",
         "all of them close"},
        {"format:quotes",
         'E',
         {},
         quotes,
         "of \" and ', each closed by its own, three of the deepest have closed",
         "three words"},
        {"format:options",
         'E',
         {{"options", argument_kind::text}},
         ifbench_format::options,
         "options are parted by /, else by or, else by a comma; lettered ones are the whole text, others are it "
         "without case "
         "and punctuation around",
         same},
        {"format:newline",
         'E',
         {},
         newline,
         "punctuation deleted and stripped, lines that are not empty are as many as pieces",
         "two words",
         true},
        {"format:emoji",
         'S',
         {},
         emoji,
         "in every sentence, punctuation deleted, the last or last but one character is an emoji, or the next sentence "
         "begins "
         "with one",
         "a sentence, and two words"},
        {"format:line_indent",
         'E',
         {},
         line_indent,
         "blanks at the begin of lines rise strictly; of consecutive blank lines every second is removed first",
         "all blank lines are removed; two lines remain"},
        {"format:quote_unquote",
         'E',
         {},
         quote_unquote,
         "white space and '\"' removed, no \"\" stands in the text, and it does not end with \" before digits and "
         "punctuation",
         "quotes are paired, and there is one"},
        {"format:title_case",
         'S',
         {},
         title_case,
         "no token is a small letter, all small, or a small letter before capitals",
         "two tokens begin with a letter",
         true},
    };
    return types;
}

}  // namespace optgap::rubrics
