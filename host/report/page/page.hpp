#pragma once
// The description of a page, which page_json.cpp reads, and page_html.cpp and page_markdown.cpp write.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "host/report/page/chart.hpp"

namespace optgap {

/// Nothing, words, an integer or another number.
using page_cell = std::variant<std::monostate, std::string, std::int64_t, double>;

struct page_column {
    std::string name;
    bool right = false;  ///< numbers: set to the right, sorted by value
    std::string note;    ///< what it means
};

struct page_table {
    std::vector<page_column> columns;
    std::vector<std::vector<page_cell>> rows;  ///< each as wide as the columns
    std::optional<std::size_t> filter;         ///< readers may choose among this column's words
};

struct page_picture {
    std::string svg;  ///< an element as kernels/text/svg.hpp draws it; checked
    std::string caption;
    std::string file;  ///< the link in Markdown; empty: Markdown shows the caption alone
};

struct page_section {
    std::string heading;
    std::string id;  ///< the target of links; unique in the page
    std::string text;
    std::vector<page_picture> pictures;
    std::vector<chart> charts;
    std::optional<page_table> table;
    std::vector<page_section> sections;
};

struct page {
    std::string title;
    std::string lead;
    std::vector<std::pair<std::string, page_cell>> facts;
    std::vector<page_section> sections;
    std::string command;  ///< the command that makes the same page
};

/// Throws field_error that names the field. Texts come out as UTF-8 without control characters.
page read_page(std::string_view page_json);

/// The element, if it holds only shapes and words; the style sheet of a standalone drawing is removed. Throws
/// field_error about `field`.
std::string checked_picture(std::string svg, std::string const& field);

/// The texts of the cells, by rows: a column's numbers with equally many decimals, at least four significant digits
/// where that is possible; "–" for nothing.
std::vector<std::vector<std::string>> cell_texts(page_table const& table);
std::string cell_text(page_cell const& cell);

/// A chart's numbers as a table. Where there are very many, it has every n-th row, and `left_out` says so.
page_table chart_table(chart const& of, std::string& left_out);

}  // namespace optgap
