// Family markdown: beginnings of lines and spans between marks, outside of code fences.

#include <algorithm>

#include "host/rubric/checks/measures.hpp"
#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/checks/splits.hpp"

namespace optgap::rubrics {

namespace markdown_rules {

struct line_head {
    std::string_view rest;    ///< without the indent
    std::int64_t indent = 0;  ///< blanks; a tab is four
};

line_head head_of(std::string_view line) {
    line_head head{line, 0};
    while (!head.rest.empty() && (head.rest[0] == ' ' || head.rest[0] == '\t')) {
        head.indent += head.rest[0] == ' ' ? 1 : 4;
        head.rest.remove_prefix(1);
    }
    return head;
}

bool is_fence(std::string_view rest) { return rest.starts_with("```") || rest.starts_with("~~~"); }

/// Calls run(line) for each line outside of fences, and open(line) for the first line of each fence. Returns the number
/// of fences.
template <class Run, class Open>
std::int64_t each_line(measure_input const& in, Run&& run, Open&& open) {
    std::int64_t fences = 0;
    std::string_view mark;
    for (place const& place : in.text.lines()) {
        std::string_view const line = in.text.of(place);
        std::string_view const rest = head_of(line).rest;
        if (mark.empty() && is_fence(rest)) {
            mark = rest.substr(0, 3);
            ++fences;
            open(rest);
        } else if (!mark.empty()) {
            mark = rest.starts_with(mark) ? std::string_view{} : mark;
        } else {
            run(line);
        }
    }
    return fences;
}
template <class Run>
void each_line(measure_input const& in, Run&& run) {
    each_line(in, run, [](std::string_view) {});
}

/// The bytes of a marker at the begin of a line, if a blank and something more follow; else 0.
std::size_t bullet_size(std::string_view rest, std::string_view markers) {
    for (std::size_t at = 0; at < markers.size();) {
        std::size_t const size = decode(markers, at).size;
        std::string_view const marker = markers.substr(at, size);
        if (rest.starts_with(marker) && rest.size() > size && (rest[size] == ' ' || rest[size] == '\t') &&
            !is_blank(rest.substr(size))) {
            return size;
        }
        at += size;
    }
    return 0;
}

std::int64_t level_of(std::int64_t indent) { return indent / 2 + 1; }

measured bullets(measure_input const& in) {
    std::int64_t count = 0;
    each_line(in, [&](std::string_view line) {
        line_head const head = head_of(line);
        std::int64_t const level = in.option(1).number;
        count += bullet_size(head.rest, in.option(0).text) > 0 && (level == 0 || level_of(head.indent) == level);
    });
    return {count, in.text.nonempty_lines()};
}
measured sub_bullets(measure_input const& in) {
    std::int64_t count = 0;
    each_line(in, [&](std::string_view line) {
        line_head const head = head_of(line);
        count += bullet_size(head.rest, in.option(0).text) > 0 && level_of(head.indent) >= 2;
    });
    return {count, in.text.nonempty_lines()};
}
measured numbered(measure_input const& in) {
    std::int64_t count = 0;
    each_line(in, [&](std::string_view line) {
        std::string_view const rest = head_of(line).rest;
        std::size_t const digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        count += digits > 0 && digits + 1 < rest.size() && (rest[digits] == '.' || rest[digits] == ')') &&
                 (rest[digits + 1] == ' ' || rest[digits + 1] == '\t') && !is_blank(rest.substr(digits + 1));
    });
    return {count, in.text.nonempty_lines()};
}
measured headings(measure_input const& in) {
    std::int64_t count = 0;
    each_line(in, [&](std::string_view line) {
        std::size_t const level = std::min(line.find_first_not_of('#'), line.size());
        bool const wanted = in.option(0).number == 0 || std::int64_t(level) == in.option(0).number;
        count += level >= 1 && level <= 6 && wanted && level < line.size() &&
                 (line[level] == ' ' || line[level] == '\t') && !is_blank(line.substr(level));
    });
    return {count, in.text.nonempty_lines()};
}

/// Counts spans that a mark opens and closes in one line, with a character other than white space at both inner ends.
std::int64_t count_spans(std::string_view line, std::string_view mark) {
    std::int64_t count = 0;
    for (std::size_t at = 0; (at = line.find(mark, at)) != std::string_view::npos;) {
        std::size_t const run = std::min(line.find_first_not_of(mark[0], at), line.size()) - at;
        std::size_t const inside = at + run;
        if (run != mark.size() || inside == line.size() || space_size(line, inside) > 0) {
            at = inside;
            continue;
        }
        std::size_t end = line.find(mark[0], inside);
        std::size_t closing =
            end == std::string_view::npos ? 0 : std::min(line.find_first_not_of(mark[0], end), line.size()) - end;
        while (end != std::string_view::npos &&
               (closing != mark.size() || is_a(decode_before(line, end).point, is_space))) {
            end = line.find(mark[0], end + closing);
            closing =
                end == std::string_view::npos ? 0 : std::min(line.find_first_not_of(mark[0], end), line.size()) - end;
        }
        if (end == std::string_view::npos) {
            break;  // no later span is closed, either
        }
        ++count;
        at = end + closing;
    }
    return count;
}
template <char const* Mark>
measured spans(measure_input const& in) {
    std::int64_t count = 0;
    each_line(in, [&](std::string_view line) { count += count_spans(line, Mark); });
    return {count, 0};
}
constexpr char two_stars[] = "**";
constexpr char one_star[] = "*";

measured inline_code(measure_input const& in) {
    std::int64_t count = 0;
    each_line(in, [&](std::string_view line) {
        for (std::size_t at = 0; (at = line.find('`', at)) != std::string_view::npos;) {
            std::size_t const end = line.find('`', at + 1);
            if (end == std::string_view::npos) {
                break;
            }
            count += end > at + 1;
            at = end + 1;
        }
    });
    return {count, 0};
}

measured fences(measure_input const& in) {
    std::string const& wanted = in.option(0).text;
    std::int64_t count = 0;
    each_line(
        in, [](std::string_view) {},
        [&](std::string_view rest) { count += wanted.empty() || lowered(trimmed(rest.substr(3))) == lowered(wanted); });
    return {count, 0};
}

bool is_table_rule(std::string_view line) {
    std::string_view const rest = trimmed(line);
    return contains(rest, "|") && contains(rest, "-") && rest.find_first_not_of("|-: \t") == std::string_view::npos;
}
measured tables(measure_input const& in) {
    std::int64_t count = 0;
    bool piped = false;
    each_line(in, [&](std::string_view line) {
        bool const rule = is_table_rule(line);
        count += rule && piped;
        piped = !rule && contains(line, "|");
    });
    return {count, 0};
}

measured links(measure_input const& in) {
    std::int64_t count = 0;
    each_line(in, [&](std::string_view line) {
        constexpr std::size_t none = std::string_view::npos;
        std::size_t open = none;
        std::size_t close = 0;  // the next ) where an address may end, searched for once
        for (std::size_t at = 0; at < line.size() && close != none; ++at) {
            if (line[at] == '[') {
                open = at;
            } else if (line[at] == ']') {
                bool const text = open != none && at > open + 1 && at + 1 < line.size() && line[at + 1] == '(';
                open = none;
                if (!text) {
                    continue;
                }
                close = close < at + 2 ? line.find(')', at + 2) : close;
                if (close != none && close > at + 2) {
                    ++count;
                    at = close;
                }
            }
        }
    });
    return {count, 0};
}

measured block_quotes(measure_input const& in) {
    std::int64_t count = 0;
    each_line(in, [&](std::string_view line) {
        std::string_view const rest = head_of(line).rest;
        count += rest.starts_with('>') && !is_blank(rest.substr(1));
    });
    return {count, in.text.nonempty_lines()};
}

measured rules(measure_input const& in) {
    std::int64_t count = 0;
    each_line(in, [&](std::string_view line) {
        std::string_view const rest = trimmed(line);
        count += rest.size() >= 3 && (rest[0] == '-' || rest[0] == '*' || rest[0] == '_') &&
                 rest.find_first_not_of(rest[0]) == std::string_view::npos;
    });
    return {count, 0};
}

measured highlights(measure_input const& in) {
    return {count_highlights(in.raw(), false) + count_highlights(in.raw(), true), 0};
}

}  // namespace markdown_rules

std::span<measure const> markdown_measures() {
    using namespace markdown_rules;
    static constexpr char const* of_lines = "lines that are not blank";
    static constexpr measure_option markers{"markers", argument_kind::text, false, 0, "-*+\xE2\x80\xA2", nullptr};
    static constexpr measure all[] = {
        {"bullets",
         "markdown",
         false,
         {markers, {"level", argument_kind::integer}},
         bullets,
         "lines that begin with one of the markers, a blank and something more; level: indent by twos, from 1",
         of_lines},
        {"sub_bullets", "markdown", false, {markers}, sub_bullets, "bullets of level 2 or deeper", of_lines},
        {"numbered",
         "markdown",
         false,
         {},
         numbered,
         "lines that begin with digits, . or ), a blank and something more",
         of_lines},
        {"headings",
         "markdown",
         false,
         {{"level", argument_kind::integer}},
         headings,
         "lines that begin with one to six #, a blank and something more",
         of_lines},
        {"bold", "markdown", false, {}, spans<two_stars>, "parts of a line between ** and **", nullptr},
        {"italic", "markdown", false, {}, spans<one_star>, "parts of a line between * and *", nullptr},
        {"inline_code", "markdown", false, {}, inline_code, "parts of a line between ` and `", nullptr},
        {"fences",
         "markdown",
         false,
         {{"language", argument_kind::text}},
         fences,
         "code fences (``` or ~~~) that open, of a language or any",
         nullptr},
        {"tables", "markdown", false, {}, tables, "lines of | - : behind a line with |", nullptr},
        {"links",
         "markdown",
         false,
         {},
         links,
         "texts in brackets with an address in parentheses behind, in one line",
         nullptr},
        {"block_quotes", "markdown", false, {}, block_quotes, "lines that begin with > and hold more", of_lines},
        {"rules", "markdown", false, {}, rules, "lines of three or more - or * or _ alone", nullptr},
        {"highlights",
         "markdown",
         false,
         {},
         highlights,
         "parts *...* and **...** that are not blank, as IFEval counts them",
         nullptr},
    };
    return all;
}

}  // namespace optgap::rubrics
