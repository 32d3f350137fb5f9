#include "host/parse/marks.hpp"

#include <array>
#include <cstdint>

#include "host/parse/byte_search.hpp"
#include "host/parse/free/spelling.hpp"
#include "host/parse/lexemes.hpp"

namespace optgap::text {
namespace {

constexpr std::array<std::string_view, 4> box_commands{"\\boxed", "\\fbox", "\\framebox", "\boxed"};
constexpr std::string_view token_open = "<|begin_of_box|>";
constexpr std::string_view token_close = "<|end_of_box|>";
constexpr std::string_view line_label = "answer";
constexpr std::string_view full_width_colon = "\xEF\xBC\x9A";
constexpr std::string_view no_break_space = "\xC2\xA0";

bool is_line_label(std::string_view text) {
    for (std::size_t i = 0; i < line_label.size(); ++i) {
        if (i >= text.size() || lower(text[i]) != line_label[i]) {
            return false;
        }
    }
    return true;
}

constexpr std::size_t max_emphasis = 8;
constexpr std::size_t max_before = 64;

/// The words before a label on its line, back to a punctuation mark: "Wrong" of "**Wrong** Answer:".
std::string_view words_before(std::string_view text, std::size_t label) {
    std::size_t begin = label;
    while (begin > 0 && label - begin < max_before && (is_label_byte(text[begin - 1]) || text[begin - 1] == '*')) {
        --begin;
    }
    return text.substr(begin, label - begin);
}

/// The end of a label whose colon stands at `colon`. Emphasis and blanks may stand between ("**Answer** :").
std::size_t end_of_label(std::string_view text, std::size_t colon) {
    std::size_t end = colon;
    while (end > 0 && colon - end < max_emphasis) {
        char const c = text[end - 1];
        if (c == '*' || c == '_' || c == '`' || c == ' ' || c == '\t') {
            --end;
        } else if (text.substr(0, end).ends_with(no_break_space)) {
            end -= no_break_space.size();
        } else {
            break;
        }
    }
    return end;
}

}  // namespace

bool opens_box(std::string_view text, std::size_t at, std::size_t& begin, bool& token) {
    std::string_view const rest = text.substr(at);
    token = rest.starts_with(token_open);
    if (token) {
        begin = at + token_open.size();
        return true;
    }
    for (std::string_view const command : box_commands) {
        if (rest.starts_with(command)) {
            std::size_t brace = command.size();
            while (brace < rest.size() && is_white(rest[brace])) {
                ++brace;
            }
            begin = at + brace + 1;
            return brace < rest.size() && rest[brace] == '{';
        }
    }
    return false;
}

box box_at(std::string_view text, std::size_t at) {
    box found;
    bool token = false;
    if (!opens_box(text, at, found.begin, token)) {
        return found;
    }
    if (token) {
        std::size_t const close = text.find(token_close, found.begin);
        return close == std::string_view::npos ? found : box{found.begin, close, close + token_close.size()};
    }
    std::size_t depth = 1;
    for (std::size_t i = found.begin; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;  // \{ and \} are characters, not braces
        } else if (text[i] == '{') {
            ++depth;
        } else if (text[i] == '}' && --depth == 0) {
            return {found.begin, i, i + 1};
        }
    }
    return found;
}

bool find_box(std::string_view text, text_span& content, std::size_t& behind) {
    static constexpr pair_filter filter = [] {
        pair_filter f;
        f.add({0xFF, '\\', 0xFF, 'b'});
        f.add({0xFF, '\\', 0xFF, 'f'});
        f.add({0xFF, '\b', 0xFF, 'o'});
        f.add({0xFF, '<', 0xFF, '|'});
        return f;
    }();
    backward_candidates candidates(text, filter);
    for (std::size_t at = candidates.next(); at != no_position; at = candidates.next()) {
        std::size_t begin = 0;
        bool token = false;
        if (opens_box(text, at, begin, token)) {
            box const found = box_at(text, at);
            content = {std::int64_t(found.begin), std::int64_t(found.end)};
            behind = found.behind;
            return behind > 0;
        }
    }
    return false;
}

bool find_line(std::string_view text, text_span& content) {
    static constexpr pair_filter filter = [] {
        pair_filter f;
        f.add({0xFF, ':', 0, 0});
        f.add({0xFF, 0xEF, 0xFF, 0xBC});
        return f;
    }();
    backward_candidates candidates(text, filter);
    for (std::size_t colon = candidates.next(); colon != no_position; colon = candidates.next()) {
        bool const wide = text.substr(colon, full_width_colon.size()) == full_width_colon;
        std::size_t const end = end_of_label(text, colon);
        if ((wide || text[colon] == ':') && end >= line_label.size() &&
            is_line_label(text.substr(end - line_label.size()))) {
            if (takes_back(words_before(text, end - line_label.size()))) {
                return false;
            }
            content = {std::int64_t(colon + (wide ? full_width_colon.size() : 1)), std::int64_t(text.size())};
            return true;
        }
    }
    return false;
}

std::size_t end_of_lines(std::string_view text) {
    std::int64_t depth = 0;
    bool begun = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if ((c == '\n' || c == '\r') && begun && depth <= 0) {
            return i;
        }
        depth += is_open(c) ? 1 : c == ']' || c == ')' ? -1 : 0;
        begun |= !is_white(c);
    }
    return text.size();
}

}  // namespace optgap::text
