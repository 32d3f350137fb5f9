// A page as Markdown.

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "host/report/page/page.hpp"
#include "host/report/page/page_text.hpp"
#include "optgap/report.hpp"

namespace optgap {
namespace {

bool is_word(std::string_view text, std::size_t at) {
    return at < text.size() && ((text[at] & 0x80) != 0 || std::isalnum(static_cast<unsigned char>(text[at])) != 0);
}

/// Words on one line, with Markdown's markup escaped.
std::string escaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        switch (char const c = text[i]) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '\n':
            case '\t': out += ' '; break;
            case '_':  // set_cover stays
                out += i > 0 && is_word(text, i - 1) && is_word(text, i + 1) ? "_" : "\\_";
                break;
            case '\\':
            case '`':
            case '*':
            case '[':
            case ']':
            case '#':
            case '~':
            case '|':
            case '!': out += '\\'; [[fallthrough]];
            default: out += c;
        }
    }
    return out;
}

/// The text as code, between more backticks than it contains.
std::string code(std::string_view text) {
    std::size_t longest = 0;
    for (std::size_t i = 0, here = 0; i < text.size(); ++i) {
        here = text[i] == '`' ? here + 1 : 0;
        longest = std::max(longest, here);
    }
    std::string const fence(longest + 1, '`');
    std::string const room = longest > 0 ? " " : "";
    std::string words(text);
    std::replace(words.begin(), words.end(), '\n', ' ');
    return fence + room + words + room + fence;
}

std::string inline_markdown(std::string_view text) {
    std::string out;
    std::vector<std::string_view> const pieces = plain_and_code(text);
    for (std::size_t k = 0; k < pieces.size(); ++k) {
        out += k % 2 == 0 ? escaped(pieces[k]) : code(pieces[k]);
    }
    return out;
}

std::string paragraphs_markdown(std::string_view text) {
    std::string out;
    for (std::string_view const paragraph : paragraphs(text)) {
        out += inline_markdown(paragraph) + "\n\n";
    }
    return out;
}

std::size_t width_of(std::string_view text) {
    return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string table_markdown(page_table const& table) {
    std::vector<std::vector<std::string>> lines(1);
    for (page_column const& column : table.columns) {
        lines[0].push_back(escaped(column.name));
    }
    for (auto const& row : cell_texts(table)) {
        lines.emplace_back();
        for (std::string const& cell : row) {
            lines.back().push_back(escaped(cell));
        }
    }
    std::vector<std::size_t> widths(table.columns.size(), 3);
    for (auto const& line : lines) {
        for (std::size_t c = 0; c < line.size(); ++c) {
            widths[c] = std::max(widths[c], width_of(line[c]));
        }
    }
    std::string out;
    for (std::size_t r = 0; r < lines.size(); ++r) {
        out += '|';
        for (std::size_t c = 0; c < widths.size(); ++c) {
            std::string const room(widths[c] - width_of(lines[r][c]), ' ');
            bool const right = table.columns[c].right;
            out += fmt::format(" {}{}{} |", right ? room : "", lines[r][c], right ? "" : room);
        }
        out += '\n';
        for (std::size_t c = 0; r == 0 && c < widths.size(); ++c) {
            std::string const dashes(widths[c] - 1, '-');
            out += fmt::format("{} {} |", c == 0 ? "|" : "", table.columns[c].right ? dashes + ":" : dashes + "-");
        }
        out += r == 0 ? "\n" : "";
    }
    return out + "\n";
}

std::string notes_markdown(page_table const& table) {
    std::string out;
    for (page_column const& column : table.columns) {
        if (!column.note.empty()) {
            out += fmt::format("- {}: {}\n", escaped(column.name), inline_markdown(column.note));
        }
    }
    return out.empty() ? out : out + "\n";
}

std::string chart_markdown(chart const& of) {
    std::string left_out;
    page_table const numbers = chart_table(of, left_out);
    std::string out = fmt::format("**{}**: {} over {}\n\n{}", escaped(of.title), escaped(of.y.label),
                                  escaped(of.x.label), table_markdown(numbers));
    return left_out.empty() ? out : out + left_out + "\n\n";
}

/// All histograms of a section, one row each.
std::string histograms_markdown(std::vector<chart> const& charts) {
    page_table out;
    out.columns = {{"histogram", false, ""}, {"series", false, ""}, {"first bar", true, ""},
                   {"last bar", true, ""},   {"median", true, ""},  {"counts", false, ""}};
    for (chart const& of : charts) {
        for (chart_series const& series : of.series) {
            if (of.kind != chart_kind::histogram) {
                continue;
            }
            std::vector<std::string> counts;
            for (chart_point const& p : series.points) {
                counts.push_back(fmt::format("{:.10g}", p.y));
            }
            auto const place = [&](std::size_t k) { return fmt::format("{:.10g}", series.points[k].x); };
            bool const none = series.points.empty();
            out.rows.push_back({of.title, series.name, none ? page_cell() : place(0),
                                none ? page_cell() : place(series.points.size() - 1),
                                std::isnan(series.median) ? page_cell() : fmt::format("{:.10g}", series.median),
                                fmt::format("{}", fmt::join(counts, " "))});
        }
    }
    return out.rows.empty() ? "" : table_markdown(out);
}

/// A file as a link names it.
std::string link_target(std::string_view file) {
    bool const plain = std::all_of(file.begin(), file.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-' || c == '/';
    });
    return plain ? std::string(file) : "<" + escaped(file) + ">";
}

std::string section_markdown(page_section const& of, int level) {
    std::string out = fmt::format("{} {}\n\n{}", std::string(std::size_t(level), '#'), escaped(of.heading),
                                  paragraphs_markdown(of.text));
    for (page_picture const& picture : of.pictures) {
        std::string const caption = inline_markdown(picture.caption);
        out += picture.file.empty()
                   ? fmt::format("(picture: {})\n\n", caption)
                   : fmt::format("![{}]({})\n\n{}\n\n", escaped(of.heading), link_target(picture.file), caption);
    }
    for (chart const& one : of.charts) {
        out += one.kind == chart_kind::histogram ? "" : chart_markdown(one);
    }
    out += histograms_markdown(of.charts);
    if (of.table) {
        out += table_markdown(*of.table) + notes_markdown(*of.table);
    }
    for (page_section const& inner : of.sections) {
        out += section_markdown(inner, level + 1);
    }
    return out;
}

}  // namespace

std::string page_markdown(std::string_view page_json) {
    page const made = read_page(page_json);
    std::string out = fmt::format("# {}\n\n{}", escaped(made.title), paragraphs_markdown(made.lead));
    for (auto const& [name, value] : made.facts) {
        out += fmt::format("- {}: {}\n", escaped(name), inline_markdown(cell_text(value)));
    }
    out += made.facts.empty() ? "" : "\n";
    out += made.command.empty() ? "" : fmt::format("Made by {}\n\n", code(made.command));
    for (page_section const& section : made.sections) {
        out += section_markdown(section, 2);
    }
    out.erase(out.find_last_not_of('\n') + 1);
    return out + "\n";
}

}  // namespace optgap
