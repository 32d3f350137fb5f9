#include <algorithm>
#include <string>
#include <string_view>

#include "host/parse/free/spelling.hpp"
#include "host/parse/lexemes.hpp"
#include "host/parse/marks.hpp"

namespace optgap::text {
namespace {

constexpr std::size_t max_words = 200;  // bytes around a box
constexpr std::size_t max_phrase = 96;  // bytes of "The answer is"
constexpr std::size_t max_remark = 64;  // bytes of a remark in brackets
constexpr int max_wraps = 3;            // such as a box within tags within a box
constexpr std::string_view tag_open = "<answer>";
constexpr std::string_view tag_close = "</answer>";

/// Words whose presence beside a value means that the writer is not committed to it.
constexpr std::string_view hedges[] = {
    "alternatively", "although",   "attempt", "but",       "can",        "could",    "draft",
    "either",        "else",       "example", "except",    "fail",       "fails",    "false",
    "first",         "guess",      "if",      "incorrect", "infeasible", "instead",  "invalid",
    "isn",           "likely",     "may",     "maybe",     "might",      "never",    "no",
    "nor",           "not",        "or",      "otherwise", "perhaps",    "possibly", "probably",
    "should",        "suboptimal", "try",     "unless",    "unsure",     "versus",   "vs",
    "without",       "wrong"};
/// The same for a label, where a word such as "or" may be part of a name: "Items or places:".
constexpr std::string_view retractions[] = {"discarded", "draft",    "false",  "guess", "incorrect", "infeasible",
                                            "invalid",   "maybe",    "never",  "not",   "perhaps",   "possibly",
                                            "probably",  "rejected", "unsure", "wrong"};
/// Names that a sentence gives its value.
constexpr std::string_view nouns[] = {
    "answer",  "answers",  "assignment", "choice", "colouring", "count",    "cover",     "cut",
    "cycle",   "equation", "expression", "grid",   "items",     "length",   "list",      "matching",
    "maximum", "minimum",  "moves",      "order",  "ordering",  "output",   "path",      "permutation",
    "plan",    "product",  "quotient",   "result", "route",     "schedule", "selection", "sequence",
    "set",     "solution", "subset",     "sum",    "tour",      "value"};

/// Other words between a sentence's beginning and its value: "I choose [1, 2]".
constexpr std::string_view leads[] = {"a",      "best",     "both", "choose", "chose",   "chosen", "final", "have",
                                      "i",      "item",     "my",   "of",     "optimal", "our",    "pick",  "picked",
                                      "select", "selected", "take", "takes",  "the",     "these",  "we"};
/// Quantities that a remark gives a number for: "(total value 15)".
constexpr std::string_view quantities[] = {"cost",  "count", "distance", "length", "objective", "profit",
                                           "score", "size",  "sum",      "total",  "value",     "weight"};
constexpr std::string_view joins[] = {"also", "and", "plus", "then", "with"};

template <std::size_t Size>
bool is_one_of(std::string_view word, std::string_view const (&known)[Size]) {
    return std::ranges::any_of(known, [&](std::string_view one) { return std::ranges::equal(word, one, {}, lower); });
}

template <std::size_t Size>
bool has_word(std::string_view text, std::string_view const (&known)[Size]) {
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && is_letter(text[end])) {
            ++end;
        }
        if (is_one_of(text.substr(i, end - i), known)) {
            return true;
        }
        i = end + 1;
    }
    return false;
}

bool consists_of(std::string_view text, std::string_view signs) {
    return std::ranges::all_of(
        text, [&](char c) { return is_letter(c) || is_white(c) || signs.find(c) != std::string_view::npos; });
}

/// Whether words neither hold a value nor withdraw one.
bool are_harmless(std::string_view words) {
    return words.size() <= max_words && consists_of(words, ".,:;!$*_`'\"-#\\()") && !has_word(words, hedges);
}

/// Finds the only box of the text. Returns false when there is none, another one, or one that never closes.
bool find_only_box(std::string_view text, std::size_t& at, box& found) {
    bool any = false;
    for (std::size_t i = text.find_first_of("\\<\b"); i < text.size(); i = text.find_first_of("\\<\b", i + 1)) {
        std::size_t begin = 0;
        bool token = false;
        if (!opens_box(text, i, begin, token)) {
            continue;
        }
        if (any) {
            return false;
        }
        any = true;
        at = i;
    }
    found = any ? box_at(text, at) : box{};
    return found.behind > 0;
}

/// Finds the text's only answer tags. Returns false where there are none or more.
bool find_only_tags(std::string_view text, std::size_t& at, box& found) {
    at = text.find(tag_open);
    std::size_t const close = text.find(tag_close);
    if (at == std::string_view::npos || close == std::string_view::npos || close < at ||
        text.find(tag_open, at + 1) != std::string_view::npos ||
        text.find(tag_close, close + 1) != std::string_view::npos) {
        return false;
    }
    found = {at + tag_open.size(), close, close + tag_close.size()};
    return true;
}

/// Removes "The optimal tour is" and similar phrases.
std::string_view without_phrase(std::string_view text) {
    std::string_view const head = text.substr(0, max_phrase);
    for (std::size_t i = 0; i < head.size() && (is_letter(head[i]) || head[i] == ' ' || head[i] == ',');) {
        std::size_t end = i;
        if (!is_letter(head[i])) {
            ++i;
            continue;
        }
        while (end < head.size() && is_letter(head[end])) {
            ++end;
        }
        std::string_view const word = head.substr(i, end - i);
        if (std::ranges::equal(word, std::string_view("is"), {}, lower) ||
            std::ranges::equal(word, std::string_view("are"), {}, lower)) {
            std::string_view const before = head.substr(0, i);
            std::string_view rest = trimmed(text.substr(end));
            rest.remove_prefix(rest.starts_with(':') ? 1 : 0);
            return has_word(before, nouns) && !has_word(before, hedges) ? trimmed(rest) : text;
        }
        i = end;
    }
    return text;
}

/// Removes "(items)" after a value.
std::string_view without_remark(std::string_view text) {
    std::size_t const far = text.size() > max_remark ? text.size() - max_remark : 0;
    std::size_t open = text.substr(far).rfind('(');
    if (!text.ends_with(')') || open == std::string_view::npos) {
        return text;
    }
    open += far;
    std::string_view const remark = text.substr(open + 1, text.size() - open - 2);
    std::string_view const before = trimmed(text.substr(0, open));
    bool const value = !before.empty() && (before.back() == ']' || before.back() == ')' || is_digit(before.back()));
    bool const words = consists_of(remark, ",'-") && std::ranges::any_of(remark, is_letter);
    bool const number =
        !words && consists_of(remark, ",'-:=.0123456789") && has_word(remark, quantities) && !has_word(remark, joins);
    return value && (words || number) && !has_word(remark, hedges) ? before : text;
}

/// Removes one pair of emphasis or of quotes, and what a label's emphasis left before the value.
std::string_view without_marks(std::string_view text) {
    if (text.size() > 1 && text.front() == text.back() &&
        std::string_view("*_\"'").find(text.front()) != std::string_view::npos) {
        return trimmed(text.substr(1, text.size() - 2));
    }
    return text.size() > 1 && (text[0] == '*' || text[0] == '_') && is_white(text[1]) ? trimmed(text.substr(1)) : text;
}

constexpr bool ends_value(char c) { return is_digit(c) || c == ']' || c == ')'; }
constexpr bool begins_value(char c) { return is_digit(c) || is_open(c) || c == '-'; }

/// Removes leading words without other meaning, directly before the value: "Items 1, 2", "I choose [1, 2]".
std::string_view without_lead(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size() && i < max_phrase && is_letter(text[i])) {
        std::size_t end = i;
        while (end < text.size() && is_letter(text[end])) {
            ++end;
        }
        std::string_view const word = text.substr(i, end - i);
        bool const blank = end < text.size() && is_white(text[end]);
        if (!(is_one_of(word, leads) || is_one_of(word, nouns)) || !blank) {
            return text;
        }
        i = end;
        while (i < text.size() && is_white(text[i])) {
            ++i;
        }
    }
    return i > 0 && i < text.size() && begins_value(text[i]) ? text.substr(i) : text;
}

/// Rewrites "1, 2, and 3" as "1, 2, 3".
std::string without_ands(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        std::string_view const rest = text.substr(i);
        std::size_t const size = rest.starts_with("and") ? 3 : rest.starts_with('&') ? 1 : 0;
        std::size_t next = i + size;
        while (size > 0 && next < text.size() && is_white(text[next])) {
            ++next;
        }
        std::string_view const before = size > 0 ? trimmed(out) : std::string_view();
        bool const comma = before.ends_with(',');
        bool const apart = size == 1 || (next > i + size && !out.empty() && !ends_value(out.back()));
        if (size > 0 && apart && next < text.size() && begins_value(text[next]) && !before.empty() &&
            (comma || ends_value(before.back()))) {
            out.resize(std::size_t(before.data() + before.size() - out.data()));
            out += comma ? " " : ", ";
            i = next;
        } else {
            out += text[i++];
        }
    }
    return out;
}

/// Whether a text has only integers, commas and white space, with a comma.
bool is_bare_list(std::string_view text) {
    bool comma = false;
    for (char const c : text) {
        if (!is_digit(c) && c != '-' && c != ',' && !is_white(c)) {
            return false;
        }
        comma |= c == ',';
    }
    return comma;
}

/// Whether a text is a number with digits in groups of three: "45,325".
bool is_in_groups(std::string_view text) {
    text = trimmed(text);
    std::size_t at = std::min<std::size_t>(text.find(','), text.size());
    bool good = at > 0 && at <= 3 && at < text.size();
    for (; good && at < text.size(); at += 4) {
        good = text[at] == ',' && text.size() - at > 3;
    }
    return good && std::ranges::all_of(text, [](char c) { return is_digit(c) || c == ','; }) &&
           std::size_t(std::ranges::count(text, ',')) * 4 + (text.find(',')) == text.size();
}

}  // namespace

bool takes_back(std::string_view label) { return has_word(label, retractions); }

std::string_view unboxed(std::string_view text) {
    for (int wraps = 0; wraps < max_wraps; ++wraps) {
        std::size_t at = 0;
        box found;
        if (!find_only_box(text, at, found) && !find_only_tags(text, at, found)) {
            return text;
        }
        if (!are_harmless(text.substr(0, at)) || !are_harmless(text.substr(found.behind))) {
            return text;
        }
        text = text.substr(found.begin, found.end - found.begin);
    }
    return text;
}

std::string plain_words(std::string_view text, free_reading reading) {
    std::string_view value = trimmed(text);
    if (reading.letters) {
        return std::string(without_phrase(value));  // any sign may be a letter
    }
    std::size_t before = 0;
    do {
        before = value.size();
        value = without_lead(without_phrase(without_marks(value)));
        value = reading.expressions && value.starts_with('=') ? trimmed(value.substr(1)) : value;
        value.remove_suffix(value.ends_with('.') ? 1 : 0);
        value = reading.expressions ? value : without_remark(trimmed(value));
    } while (value.size() < before);
    return reading.lists ? without_ands(value) : std::string(value);
}

std::string plain_spelling(std::string_view text, free_reading reading) {
    std::string out = plain_words(plain_characters(unboxed(text), reading), reading);
    std::size_t const sign = out.find_last_of(":=");
    std::size_t const begin = sign == std::string::npos ? 0 : sign + 1;
    bool const number = !reading.lists && !reading.expressions && is_in_groups(std::string_view(out).substr(begin));
    if (!number && is_bare_list(std::string_view(out).substr(begin))) {
        out.insert(begin, 1, '[');
        out += ']';
    }
    return out;
}

}  // namespace optgap::text
