// A page as one file of HTML that is also well-formed XML.

#include <fmt/format.h>

#include "host/report/page/page.hpp"
#include "host/report/page/page_style.hpp"
#include "host/report/page/page_text.hpp"
#include "kernels/text/svg.hpp"
#include "optgap/report.hpp"

namespace optgap {
namespace {

constexpr std::size_t min_linked = 3;     ///< as many sections get a line of links
constexpr std::size_t longest_word = 30;  ///< bytes of a cell that is not broken within words

std::string inline_html(std::string_view text) {
    std::string out;
    std::vector<std::string_view> const pieces = plain_and_code(text);
    for (std::size_t k = 0; k < pieces.size(); ++k) {
        out += k % 2 == 0 ? xml_text(pieces[k]) : fmt::format("<code>{}</code>", xml_text(pieces[k]));
    }
    return out;
}

std::string paragraphs_html(std::string_view text, char const* style = "") {
    std::string out;
    for (std::string_view const paragraph : paragraphs(text)) {
        out += fmt::format("<p{}>{}</p>\n", style, inline_html(paragraph));
    }
    return out;
}

std::string notes_html(page_table const& table) {
    std::string out;
    for (page_column const& column : table.columns) {
        if (!column.note.empty()) {
            out += fmt::format("{}<b>{}</b>: {}", out.empty() ? "" : "; ", xml_text(column.name),
                               inline_html(column.note));
        }
    }
    return out.empty() ? out : fmt::format("<p class=\"notes\">{}.</p>\n", out);
}

/// `style` is "data" for tables that the script makes sortable, "numbers" where all but the first column are numbers.
std::string table_html(page_table const& table, std::string_view name, std::string_view style) {
    bool const said = style == "numbers";
    std::string out =
        fmt::format("<div class=\"wide\"><table class=\"{}\"{} aria-label=\"{}\">\n<thead><tr>", style,
                    table.filter ? fmt::format(" data-filter=\"{}\"", *table.filter) : "", xml_text(name));
    for (page_column const& column : table.columns) {
        out += fmt::format("<th scope=\"col\"{}{}>{}</th>", column.right && !said ? " class=\"n\"" : "",
                           column.note.empty() ? "" : fmt::format(" title=\"{}\"", xml_text(column.note)),
                           xml_text(column.name));
    }
    out += "</tr></thead>\n<tbody>\n";
    for (auto const& row : cell_texts(table)) {
        out += "<tr>";
        for (std::size_t c = 0; c < row.size(); ++c) {
            bool const right = table.columns[c].right;
            bool const heads = c == 0 && !right;
            bool const broken = !right && row[c].size() > longest_word;
            out += heads ? "<th scope=\"row\"" : "<td";
            out += right && !said ? " class=\"n\">" : broken ? " class=\"long\">" : ">";
            out += xml_text(row[c]);
            out += heads ? "</th>" : "</td>";
        }
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>\n";
}

std::string chart_html(chart const& of) {
    std::string left_out;
    page_table const numbers = chart_table(of, left_out);
    std::string out = "<figure>" + draw_chart(of);
    for (std::string const& note : chart_notes(of)) {
        out += fmt::format("<figcaption>{}</figcaption>\n", xml_text(note));
    }
    out += "<details><summary>Numbers</summary>";
    if (!left_out.empty()) {
        out += fmt::format("<p>{}</p>", xml_text(left_out));
    }
    return out + table_html(numbers, of.title, "numbers") + "</details></figure>\n";
}

std::string figures_html(page_section const& of) {
    if (of.pictures.empty() && of.charts.empty()) {
        return {};
    }
    std::string out = "<div class=\"figures\">\n";
    for (page_picture const& picture : of.pictures) {
        out += fmt::format("<figure class=\"picture\">{}<figcaption>{}</figcaption></figure>\n", picture.svg,
                           inline_html(picture.caption));
    }
    if (!of.charts.empty()) {
        out += "<div class=\"charts\">\n";
        for (chart const& one : of.charts) {
            out += chart_html(one);
        }
        out += "</div>\n";
    }
    return out + "</div>\n";
}

std::string section_html(page_section const& of, int level) {
    std::string out = fmt::format("<section id=\"{}\">\n<h{}>{}</h{}>\n", of.id, level, xml_text(of.heading), level);
    out += paragraphs_html(of.text) + figures_html(of);
    if (of.table) {
        out += table_html(*of.table, of.heading, "data") + notes_html(*of.table);
    }
    for (page_section const& inner : of.sections) {
        out += section_html(inner, level + 1);
    }
    return out + "</section>\n";
}

std::string head_html(page const& of) {
    std::string out = fmt::format("<h1>{}</h1>\n{}", xml_text(of.title), paragraphs_html(of.lead));
    if (!of.facts.empty()) {
        out += "<dl>\n";
        for (auto const& [name, value] : of.facts) {
            out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", xml_text(name), inline_html(cell_text(value)));
        }
        out += "</dl>\n";
    }
    if (!of.command.empty()) {
        out += fmt::format("<p class=\"dim\">Made by <code>{}</code></p>\n", xml_text(of.command));
    }
    if (of.sections.size() >= min_linked) {
        out += "<nav aria-label=\"Sections\">";
        for (page_section const& section : of.sections) {
            out += fmt::format("<a href=\"#{}\">{}</a> ", section.id, xml_text(section.heading));
        }
        out += "</nav>\n";
    }
    return out;
}

}  // namespace

std::string page_html(std::string_view page_json) {
    page const made = read_page(page_json);
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n"
        "<title>{}</title>\n<style>{}{}{}</style>\n</head>\n<body>\n<main>\n",
        page_policy, xml_text(made.title), svg_style_sheet, chart_style_sheet, page_style_sheet);
    out += head_html(made);
    for (page_section const& section : made.sections) {
        out += section_html(section, 2);
    }
    return out + fmt::format("</main>\n<script>{}</script>\n</body>\n</html>\n", page_script);
}

}  // namespace optgap
