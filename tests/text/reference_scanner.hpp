#pragma once
// The slow, simple reference for the scanner, followed by the grammar's reference.

#include <cstdint>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "optgap/format.hpp"
#include "tests/text/reference_grammar.hpp"

namespace optgap::text_reference {

/// A tag of the format at its place in the text; kind is 'O', 'C' for reasoning and 'a', 'z' for answers.
struct tag {
    char kind;
    std::size_t begin, end;
};

/// The first byte after a reasoning tag at `at`; 0 where it is not there. Before gpt-oss's <|message|> a header may
/// have a content type.
inline std::size_t end_of_header(std::string const& text, std::size_t at, std::string const& spelled) {
    std::string const message = "<|message|>";
    if (spelled.size() == message.size() || !ends_with(spelled, message)) {
        return starts_with(text, at, spelled) ? at + spelled.size() : 0;
    }
    std::size_t const head = spelled.size() - message.size();
    static std::regex const typed(R"((?:[A-Za-z0-9 _./+=\-]|<\|constrain\|>)*)");
    for (std::size_t size = 0; starts_with(text, at, spelled.substr(0, head)) && size <= 64; ++size) {
        if (at + head + size < text.size() && starts_with(text, at + head + size, message)) {
            return std::regex_match(text.substr(at + head, size), typed) ? at + head + size + message.size() : 0;
        }
    }
    return 0;
}

inline std::vector<tag> tags_of(std::string const& text, format_spec const& format) {
    std::vector<std::pair<char, std::string>> kinds;
    std::size_t start = 0;
    if (format.reasoning != reasoning_rule::none) {
        for (reasoning_markers const& pair : format.markers) {
            if (!pair.at_start) {
                kinds.push_back({'O', pair.open});
            } else if (start == 0 && starts_with(text, 0, pair.open)) {
                start = pair.open.size();
            }
            kinds.push_back({'C', pair.close});
        }
    }
    if (format.place == answer_place::tagged) {
        kinds.push_back({'a', format.answer_open});
        kinds.push_back({'z', format.answer_close});
    }
    std::vector<tag> tags;
    if (start > 0) {
        tags.push_back({'O', 0, start});
    }
    for (std::size_t i = start; i < text.size(); ++i) {
        for (auto const& [kind, spelled] : kinds) {
            std::size_t const end = one_of(kind, "OC")              ? end_of_header(text, i, spelled)
                                    : starts_with(text, i, spelled) ? i + spelled.size()
                                                                    : 0;
            if (end > 0) {
                tags.push_back({kind, i, end});
                i = end - 1;
                break;
            }
        }
    }
    return tags;
}

inline bool only_turn_ends(std::string rest, std::vector<std::string> const& ends) {
    for (rest = trim(rest); !rest.empty(); rest = trim(rest)) {
        std::size_t const before = rest.size();
        for (std::string const& token : ends) {
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

/// [begin, end) of the answer's text, and the begin of the text after its part; begin is npos when there is none.
struct part {
    std::size_t begin = std::string::npos, end = 0, behind = 0;
};

inline part last_box(std::string const& text, std::size_t from) {
    auto const boxes = boxes_of(text.substr(from));
    if (boxes.empty()) {
        return {};
    }
    box_part const found = box_from(text, boxes.back().first + from, boxes.back().second + from);
    return found.behind == 0 ? part{} : part{found.begin, found.end, found.behind};
}

inline part last_line(std::string const& text, std::size_t from, bool prose_may_follow) {
    part found;
    for (std::size_t i = from; i < text.size(); ++i) {
        bool const wide = starts_with(text, i, "\uFF1A");
        if (!wide && text[i] != ':') {
            continue;
        }
        // Up to eight bytes of emphasis and blanks may stand between the label and its colon.
        std::string before = lowered(text.substr(from, i - from));
        for (std::size_t const size = before.size(); size - before.size() < 8;) {
            std::size_t const mark = ends_with(before, "\u00A0")                          ? 2
                                     : !before.empty() && one_of(before.back(), "*_` \t") ? 1
                                                                                          : 0;
            if (mark == 0) {
                break;
            }
            before.resize(before.size() - mark);
        }
        if (ends_with(before, "answer")) {
            std::string const ahead = before.substr(0, before.size() - 6);
            std::size_t const stop = ahead.find_last_not_of(letters + digits + " _-*");
            std::size_t const begin = stop == std::string::npos ? 0 : stop + 1;
            std::string const words =
                ahead.substr(std::max(begin, ahead.size() - std::min<std::size_t>(64, ahead.size())));
            found = has_one_of(words, retractions) ? part{} : part{i + (wide ? 3 : 1), text.size(), text.size()};
        }
    }
    if (found.begin == std::string::npos) {
        return {};
    }
    for (std::size_t i = found.begin; prose_may_follow && i < text.size(); ++i) {
        std::string const line = text.substr(found.begin, i - found.begin);
        auto const count = [&](char const* set) {
            return std::count_if(line.begin(), line.end(), [&](char c) { return one_of(c, set); });
        };
        if (one_of(text[i], "\r\n") && !trim(line).empty() && count("[(") <= count("])")) {
            found.end = found.behind = i;
            break;
        }
    }
    return found;
}

/// The end of the reasoning, and its properties that the rules use.
struct thoughts {
    std::size_t begin = std::string::npos, end = std::string::npos, behind = 0;
    int opened = 0, closed = 0;
    bool unfinished = false;
};

inline thoughts thoughts_of(std::string const& text, std::vector<tag> const& tags, format_spec const& format) {
    thoughts found;
    if (format.opened_in_prompt && format.reasoning != reasoning_rule::none) {
        found.begin = 0;
        found.unfinished = true;
    }
    for (tag const& t : tags) {
        found.opened += t.kind == 'O';
        found.closed += t.kind == 'C';
        found.unfinished = t.kind == 'O' || (found.unfinished && t.kind != 'C');
        bool const again = t.kind == 'O' && format.opened_in_prompt && trim(text.substr(0, t.begin)).empty();
        if (again || (t.kind == 'O' && found.begin == std::string::npos)) {
            found.begin = t.end;  // or the template's tag is repeated
        }
        found.opened -= again;
        bool const first = found.begin != std::string::npos && found.end == std::string::npos;
        if (t.kind == 'C' && (first || format.reasoning == reasoning_rule::optional)) {
            found.end = t.begin;
            found.behind = t.end;
        }
    }
    return found;
}

/// Lines as from Python's split("\n"), with the begin of each.
inline std::vector<std::pair<std::size_t, std::string>> lines_of(std::string const& text, std::size_t from) {
    std::vector<std::pair<std::size_t, std::string>> lines{{from, ""}};
    for (std::size_t i = from; i < text.size(); ++i) {
        if (text[i] == '\n') {
            lines.push_back({i + 1, ""});
        } else {
            lines.back().second += text[i];
        }
    }
    return lines;
}

/// The number of spaces at the begin of a line, and of fence signs after them; no signs where it is not a fence.
inline std::pair<std::size_t, std::size_t> fence_signs(std::string const& line) {
    std::size_t spaces = 0, signs = 0;
    while (spaces < line.size() && line[spaces] == ' ') {
        ++spaces;
    }
    while (spaces + signs < line.size() && (line[spaces] == '`' || line[spaces] == '~') &&
           line[spaces + signs] == line[spaces]) {
        ++signs;
    }
    return {spaces, spaces <= 3 && signs >= 3 ? signs : 0};
}

/// Complete fenced blocks in order; `closed` is false where the text ends inside a block.
inline std::vector<part> blocks_of(std::string const& text, std::size_t from, std::vector<std::string> const& ends,
                                   bool& closed) {
    std::vector<part> found;
    std::string opening;
    std::size_t begin = 0;
    for (auto const& [at, line] : lines_of(text, from)) {
        auto const [spaces, signs] = fence_signs(line);
        if (signs == 0) {
            continue;
        }
        std::string const fence = line.substr(spaces, signs);
        std::string const rest = line.substr(spaces + signs);
        if (opening.empty()) {
            if (fence[0] == '~' || rest.find('`') == std::string::npos) {
                opening = fence;
                begin = std::min(at + line.size() + 1, text.size());
            }
        } else if (fence[0] == opening[0] && fence.size() >= opening.size() && only_turn_ends(rest, ends)) {
            found.push_back({begin, at, at + spaces + signs});
            opening.clear();
        }
    }
    closed = opening.empty();
    return found;
}

inline result completion(std::string const& text, format_spec const& format, std::vector<std::string> const& words,
                         finish finished = finish::unknown, answer_syntax const& syntax = {}) {
    std::vector<tag> const tags = tags_of(text, format);
    thoughts const thought = thoughts_of(text, tags, format);
    bool const required = format.reasoning == reasoning_rule::required;
    bool const cut_off = finished == finish::length || finished == finish::abort;
    part found;
    int answer_opened = 1, answer_closed = 1;
    if (!required && thought.unfinished) {
        found = {};
    } else if (format.place == answer_place::tagged) {
        answer_opened = answer_closed = 0;
        std::size_t waiting = std::string::npos;
        for (tag const& t : tags) {
            bool const thinks =
                required ? thought.end != std::string::npos && t.begin >= thought.begin && t.end <= thought.end
                         : t.end <= thought.behind;
            if (thinks) {
                continue;
            }
            if (t.kind == 'a') {
                ++answer_opened;
                waiting = t.end;
            } else if (t.kind == 'z') {
                ++answer_closed;
                if (waiting != std::string::npos) {
                    found = {waiting, t.begin, t.end};
                    waiting = std::string::npos;
                }
            }
        }
    } else if (format.place == answer_place::fenced) {
        bool closed = true;
        std::vector<part> const blocks = blocks_of(text, thought.behind, format.ends, closed);
        found = closed && !blocks.empty() ? blocks.back() : part{};
        answer_opened = answer_closed = format.one_block ? int(blocks.size()) : 1;
    } else if (format.place == answer_place::boxed) {
        found = last_box(text, thought.behind);
    } else if (!cut_off) {
        found = last_line(text, thought.behind, format.tail == tail_rule::lenient);
    }
    bool const has_answer = found.begin != std::string::npos;
    result made = has_answer ? answer(text.substr(found.begin, found.end - found.begin), words, format.spelling,
                                      format.ends, syntax)
                             : failed({}, code_empty);
    if (has_answer) {
        made.parsed.answer.begin += std::int64_t(found.begin);
        made.parsed.answer.end += std::int64_t(found.begin);
    }
    bool const reasoned = required && thought.end != std::string::npos &&
                          !trim(text.substr(thought.begin, thought.end - thought.begin)).empty();
    int const allowed = format.opened_in_prompt ? 0 : 1;
    bool const strict = format.tail == tail_rule::strict || cut_off;
    made.parsed.format_code = required && !reasoned                         ? code_format_missing_reasoning
                              : !has_answer || found.begin < thought.behind ? code_format_missing_answer
                              : required && (thought.opened != allowed || thought.closed != 1)    ? code_format_repeated
                              : answer_opened != 1 || answer_closed != 1                          ? code_format_repeated
                              : strict && !only_turn_ends(text.substr(found.behind), format.ends) ? code_format_trailing
                                                                                                  : code_ok;
    return made;
}

}  // namespace optgap::text_reference
