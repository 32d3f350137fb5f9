#include "host/rubric/content/visible.hpp"

#include <algorithm>
#include <cstring>

#include "optgap/external.hpp"

namespace optgap::rubrics {
namespace {

constexpr std::string_view reasoning_open = "<think>";
constexpr std::string_view reasoning_close = "</think>";

/// The number of marks of the fence that begins or ends on the line at `at`; 0: none. A fence is up to three blanks,
/// then three marks or more.
std::size_t fence_at(std::string_view text, std::size_t at, char& mark) {
    std::size_t blanks = 0;
    while (at < text.size() && text[at] == ' ' && blanks < 3) {
        ++at;
        ++blanks;
    }
    if (at >= text.size() || (text[at] != '`' && text[at] != '~')) {
        return 0;
    }
    mark = text[at];
    std::size_t marks = 0;
    while (at + marks < text.size() && text[at + marks] == mark) {
        ++marks;
    }
    return marks >= 3 ? marks : 0;
}

std::size_t line_end(std::string_view text, std::size_t at) {
    void const* const found = at < text.size() ? std::memchr(text.data() + at, '\n', text.size() - at) : nullptr;
    return found == nullptr ? text.size() : std::size_t(static_cast<char const*>(found) - text.data());
}

/// The place after the fenced block that begins at `at`: after its closing line, or the text's end.
std::size_t behind_fence(std::string_view text, std::size_t at, char mark, std::size_t marks) {
    for (at = line_end(text, at); at < text.size(); at = line_end(text, at)) {
        char closing = 0;
        std::size_t const found = fence_at(text, ++at, closing);
        if (found >= marks && closing == mark) {
            return line_end(text, at);
        }
    }
    return text.size();
}

/// The last place of `part`; npos: none. Searches from the front: rfind compares at every byte, 0.7 us over 4 kB, while
/// find leaps to the next "<", and most texts have none.
std::size_t find_last(std::string_view text, std::string_view part) {
    std::size_t last = text.npos;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
        last = at;
    }
    return last;
}

/// Whether the text may contain anything to remove. For most texts this one pass is all the work.
bool may_hide(std::string_view text) {
    for (char const *at = text.data(), *const end = at + text.size(); at != end; ++at) {
        at = static_cast<char const*>(std::memchr(at, '\n', std::size_t(end - at)));
        if (at == nullptr) {
            break;
        }
        char mark = 0;
        if (fence_at(text, std::size_t(at - text.data()) + 1, mark) > 0) {
            return true;
        }
    }
    char mark = 0;
    return fence_at(text, 0, mark) > 0 || text.find("<!--") != text.npos || text.find("](") != text.npos;
}

}  // namespace

bool answer_text(std::string_view text, text_part part, std::string_view format, std::string_view& out) {
    out = text;
    if (part == text_part::all) {
        return true;
    }
    if (!format.empty()) {
        std::int32_t const of = format_index(format);
        answer_place_found const found = find_answers({&text, 1}, {&of, 1}, {})[0];
        out = text.substr(std::size_t(found.answer.begin), std::size_t(found.answer.end - found.answer.begin));
        return found.has_answer;
    }
    std::size_t const close = find_last(text, reasoning_close);
    if (close != text.npos) {
        out = text.substr(close + reasoning_close.size());
    }
    return out.find(reasoning_open) == out.npos;
}

std::string_view outside_fences(std::string_view text, std::string& out) {
    if (!may_hide(text)) {
        return text;
    }
    out.clear();
    bool line_begins = true;
    for (std::size_t at = 0; at < text.size();) {
        char mark = 0;
        std::size_t const marks = line_begins ? fence_at(text, at, mark) : 0;
        std::size_t behind = at;
        if (marks > 0) {
            behind = behind_fence(text, at, mark, marks);
        } else if (text.compare(at, 4, "<!--") == 0) {
            std::size_t const close = text.find("-->", at + 4);
            behind = close == text.npos ? text.size() : close + 3;
        } else if (text.compare(at, 2, "](") == 0) {
            std::size_t const limit = std::min(line_end(text, at), at + 4096);
            std::size_t const close = text.substr(0, limit).find(')', at + 2);
            behind = close == text.npos ? limit : close + 1;
        }
        if (behind > at) {
            out += '\n';
            at = behind;
            line_begins = false;
            continue;
        }
        line_begins = text[at] == '\n';
        out += text[at++];
    }
    return out;
}

}  // namespace optgap::rubrics
