#pragma once
// The slow obvious twin of the scanner, with the twin of the grammar behind it.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "optgap/format.hpp"
#include "tests/text/reference_grammar.hpp"

namespace optgap::text_reference {

/// A tag of the format where it stands in the text; kind is 'O', 'C' for reasoning and 'a', 'z' for answers.
struct tag {
    char kind;
    std::size_t begin, end;
};

inline std::vector<tag> tags_of(std::string const& text, format_spec const& format) {
    std::vector<std::pair<char, std::string>> kinds;
    if (format.reasoning_required) {
        kinds = {{'O', format.reasoning_open}, {'C', format.reasoning_close}};
    }
    if (format.place == answer_place::tagged) {
        kinds.push_back({'a', format.answer_open});
        kinds.push_back({'z', format.answer_close});
    }
    std::vector<tag> tags;
    for (std::size_t i = 0; i < text.size(); ++i) {
        for (auto const& [kind, spelled] : kinds) {
            if (starts_with(text, i, spelled)) {
                tags.push_back({kind, i, i + spelled.size()});
                i += spelled.size() - 1;
                break;
            }
        }
    }
    return tags;
}

inline bool only_turn_ends(std::string rest) {
    for (rest = trim(rest); !rest.empty(); rest = trim(rest)) {
        std::size_t const before = rest.size();
        for (std::string const& token : turn_ends()) {
            if (starts_with(rest, 0, token)) {
                rest.erase(0, token.size());
                break;
            }
        }
        if (rest.size() == before) {
            return false;
        }
    }
    return true;
}

/// [begin, end) of the answer's text and where the text behind its part begins; begin is npos when there is none.
struct part {
    std::size_t begin = std::string::npos, end = 0, behind = 0;
};

inline part last_box(std::string const& text, std::size_t from) {
    std::size_t const open = text.rfind("\\boxed{");
    if (open == std::string::npos || open < from) {
        return {};
    }
    int depth = 1;
    for (std::size_t i = open + 7; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
            continue;
        }
        depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        if (depth == 0) {
            return {open + 7, i, i + 1};
        }
    }
    return {};
}

inline part last_line(std::string const& text, std::size_t from) {
    std::string const low = lowered(text);
    std::size_t const narrow = low.rfind("answer:");
    std::size_t const wide = low.rfind("answer\xEF\xBC\x9A");
    bool const is_wide = wide != std::string::npos && (narrow == std::string::npos || wide > narrow);
    std::size_t const at = is_wide ? wide : narrow;
    return at == std::string::npos || at < from ? part{} : part{at + (is_wide ? 9 : 7), text.size(), text.size()};
}

inline result completion(std::string const& text, format_spec const& format, std::vector<std::string> const& words) {
    std::vector<tag> const tags = tags_of(text, format);
    std::size_t const none = std::string::npos;
    std::size_t begin = format.reasoning_opened_in_prompt ? 0 : none, end = none, behind = 0;
    int opened = 0, closed = 0;
    if (format.reasoning_required) {
        for (tag const& t : tags) {
            opened += t.kind == 'O';
            closed += t.kind == 'C';
            if (t.kind == 'O' && begin == none) {
                begin = t.end;
            } else if (t.kind == 'C' && begin != none && end == none) {
                end = t.begin;
                behind = t.end;
            }
        }
    }
    part found;
    int answer_opened = 1, answer_closed = 1;
    if (format.place == answer_place::tagged) {
        answer_opened = answer_closed = 0;
        std::size_t waiting = none;
        for (tag const& t : tags) {
            if (end != none && t.begin >= begin && t.end <= end) {
                continue;
            }
            if (t.kind == 'a') {
                ++answer_opened;
                waiting = t.end;
            } else if (t.kind == 'z') {
                ++answer_closed;
                if (waiting != none) {
                    found = {waiting, t.begin, t.end};
                    waiting = none;
                }
            }
        }
    } else {
        found = format.place == answer_place::boxed ? last_box(text, behind) : last_line(text, behind);
    }
    bool const has_answer = found.begin != none;
    result made =
        has_answer ? answer(text.substr(found.begin, found.end - found.begin), words) : failed({}, code_empty);
    if (has_answer) {
        made.parsed.answer.begin += std::int64_t(found.begin);
        made.parsed.answer.end += std::int64_t(found.begin);
    }
    bool const reasoned = end != none && !trim(text.substr(begin, end - begin)).empty();
    int const allowed = format.reasoning_opened_in_prompt ? 0 : 1;
    made.parsed.format_code = format.reasoning_required && !reasoned ? code_format_missing_reasoning
                              : !has_answer || found.begin < behind  ? code_format_missing_answer
                              : format.reasoning_required && (opened != allowed || closed != 1) ? code_format_repeated
                              : answer_opened != 1 || answer_closed != 1                        ? code_format_repeated
                              : format.nothing_after_answer && !only_turn_ends(text.substr(found.behind))
                                  ? code_format_trailing
                                  : code_ok;
    return made;
}

}  // namespace optgap::text_reference
