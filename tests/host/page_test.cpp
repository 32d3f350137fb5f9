#include <gtest/gtest.h>

#include <string>

#include "host/report/page/page.hpp"
#include "kernels/text/svg.hpp"
#include "optgap/report.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

std::string const chart_head = R"("kind": "lines", "title": "c", "x": {"label": "step"}, "y": {"label": "rate"})";

std::string page_with(std::string const& section) {
    return R"({"title": "t", "sections": [{"heading": "h", )" + section + "}]}";
}

std::string chart_with(std::string const& fields) { return page_with(R"("charts": [{)" + fields + "}]"); }

/// "field: rule" of a description's error; empty without one.
std::string refusal(std::string const& description) {
    try {
        page_html(description);
    } catch (field_error const& found) {
        return found.what();
    }
    return "";
}

TEST(page, a_wrong_field_is_named) {
    struct {
        std::string description, sentence;
    } const cases[] = {
        {"", "page: is no JSON"},
        {"[]", "page: must be an object"},
        {R"({"sections": []})", "title: is missing"},
        {R"({"title": "t"})", "sections: is missing"},
        {R"({"title": 5, "sections": []})", "title: must be a string"},
        {R"({"title": "t", "sections": [], "colour": 1})",
         "colour: is no field; known are title, lead, facts, sections, command"},
        {R"({"title": "t", "sections": [], "facts": [["a"]]})", "facts[0]: must be [name, value]"},
        {R"({"title": "t", "sections": [], "facts": [["a", true]]})",
         "facts[0][1]: must be a string, a number or null"},
        {R"({"title": "t", "sections": [{"text": "x"}]})", "sections[0].heading: is missing"},
        {page_with(R"("id": "A b")"), "sections[0].id: must be of the letters a-z, digits, _ and -"},
        {page_with(R"("table": {"columns": [], "rows": []})"), "sections[0].table.columns: a table needs a column"},
        {page_with(R"("table": {"columns": [{"name": "a"}], "rows": [[1], [1, 2]]})"),
         "sections[0].table.rows[1]: has 2 cells; there are 1 columns"},
        {page_with(R"("table": {"columns": [{"name": "a", "align": "middle"}], "rows": []})"),
         "sections[0].table.columns[0].align: must be \"left\" or \"right\""},
        {page_with(R"("table": {"columns": [{"name": "a"}], "rows": [], "filter": 1})"),
         "sections[0].table.filter: must be the number of a column, 0 to 0"},
        {chart_with(R"("kind": "pie")"),
         "sections[0].charts[0].kind: must be \"lines\", \"points\", \"bars\" or \"histogram\""},
        {chart_with(chart_head), "sections[0].charts[0].series: is missing"},
        {chart_with(chart_head + R"(, "series": [])"), "sections[0].charts[0].series: must be 1 to 12 series"},
        {chart_with(chart_head + R"(, "series": [{"name": "a", "points": [[1]]}])"),
         "sections[0].charts[0].series[0].points[0]: must be [x, y] or [x, y, low, high]"},
        {chart_with(chart_head + R"(, "series": [{"name": "a", "points": [[1, 1], [1, 2]]}])"),
         "sections[0].charts[0].series[0].points[1]: x must ascend: 1 follows 1"},
        {chart_with(chart_head + R"(, "series": [{"name": "a", "points": [[1, 1, 3, 2]]}])"),
         "sections[0].charts[0].series[0].points[0]: low and high must be two numbers, the lower first, or two nulls"},
        {chart_with(chart_head + R"(, "series": [{"name": "a", "points": [[1, 1e300]]}])"),
         "sections[0].charts[0].series[0].points[0][1]: must be a number of at most 1e+100"},
        {chart_with(chart_head + R"(, "series": [{"name": "a", "values": [1]}])"),
         "sections[0].charts[0].series[0].values: stands in histograms, and in place of points"},
        {chart_with(chart_head + R"(, "bins": "whole", "series": [{"name": "a", "points": []}])"),
         "sections[0].charts[0].bins: has no effect without values to count"},
        {page_with(R"("pictures": [{"svg": "<svg ><script></script></svg>", "caption": "c"}])"),
         "sections[0].pictures[0].svg: <script> is no shape that a page takes"},
    };
    for (auto const& [description, sentence] : cases) {
        EXPECT_EQ(refusal(description), sentence) << description;
    }
}

TEST(page, a_histogram_counts_its_values) {
    std::string const head = R"("kind": "histogram", "title": "c", "x": {"label": "q"}, "y": {"label": "rows"}, )";
    std::string const made =
        page_html(chart_with(head + R"("bins": "share", "series": [{"name": "a", "values": [1, 1, 0.51]}])"));
    EXPECT_NE(made.find("from 1: 2"), std::string::npos) << made;
    EXPECT_NE(made.find("from 0.5: 1"), std::string::npos);
    EXPECT_EQ(refusal(chart_with(head + R"("bins": "share", "series": [{"name": "a", "values": [2]}])")),
              "sections[0].charts[0].series[0].values[0]: must be from 0 to 1");
    EXPECT_EQ(refusal(chart_with(head + R"("series": [{"name": "a", "values": [2]}])")),
              "sections[0].charts[0].bins: is missing: how the values are counted");
}

TEST(page, hostile_texts_stay_texts) {
    std::string const evil =
        R"(</script><script>alert(1)</script><img src=x onerror=\"y\"> | `a` *b* \u0000\u001b[31m)";
    std::string const description =
        R"({"title": ")" + evil + R"(", "lead": ")" + evil + R"(", "facts": [[")" + evil + R"(", ")" + evil +
        R"("]], "command": ")" + evil + R"(", "sections": [{"heading": ")" + evil +
        R"(", "table": {"columns": [{"name": ")" + evil + R"(", "note": ")" + evil + R"("}], "rows": [[")" + evil +
        R"("]]}, "charts": [{"kind": "bars", "title": ")" + evil + R"(", "x": {"label": ")" + evil +
        R"("}, "y": {"label": ")" + evil + R"("}, "series": [{"name": ")" + evil + R"(", "points": [[")" + evil +
        R"(", 1]]}]}]}]})";
    std::string const html = page_html(description);
    EXPECT_EQ(html.find("<img"), std::string::npos);
    EXPECT_EQ(html.find("<script>"), html.rfind("<script>")) << "the page's own, and no other";
    EXPECT_EQ(html.find('\x1b'), std::string::npos);
    EXPECT_EQ(html.find('\0'), std::string::npos);
    std::string const markdown = page_markdown(description);
    EXPECT_EQ(markdown.find("<script>alert"), markdown.find("`` </script><script>alert") + 12) << "as code alone";
    EXPECT_NE(markdown.find("&lt;/script&gt;"), std::string::npos);
    EXPECT_NE(markdown.find("\\| "), std::string::npos);
    EXPECT_EQ(markdown.find('\x1b'), std::string::npos);
}

TEST(page, bytes_that_are_no_utf_8_and_halves_of_surrogates_are_replaced) {
    std::string const lead =
        "a\xff"
        "b\xed\xa0\x80"
        "c\xc3";
    std::string const made =
        page_html(R"({"title": "\ud83d x \ud83d\ude00 \\ud83d", "lead": ")" + lead + R"( ", "sections": []})");
    EXPECT_NE(made.find("<h1>\uFFFD x \U0001F600 \\ud83d</h1>"), std::string::npos) << made;
    EXPECT_NE(made.find("a\uFFFDb\uFFFD\uFFFD\uFFFDc\uFFFD "), std::string::npos);
}

TEST(page, what_is_missing_has_a_mark) {
    std::string const table = page_with(R"("table": {"columns": [{"name": "a"}, {"name": "b", "align": "right"}],
                  "rows": [["x", null], [null, 0.5]]})");
    EXPECT_NE(page_html(table).find("<td class=\"n\">–</td>"), std::string::npos);
    EXPECT_NE(page_markdown(table).find("| –   | 0.5 |"), std::string::npos) << page_markdown(table);
}

TEST(page, a_columns_numbers_have_equally_many_decimals) {
    page_table table;
    table.columns.resize(3);
    table.rows = {{0.5, std::int64_t(12), 1e-9}, {0.12345, 3.0, 12345.678}, {-0.00001, page_cell("n/a"), 0.0}};
    EXPECT_EQ(cell_texts(table)[1], (std::vector<std::string>{"0.12345", "3", "1.235e+04"}));
    table.rows = {{0.5, std::int64_t(12), 1.25}, {0.12345, 3.0, 12345.678}, {0.0, page_cell("n/a"), -0.0}};
    EXPECT_EQ(cell_texts(table)[0], (std::vector<std::string>{"0.5000", "12", "1.2"}));
    EXPECT_EQ(cell_texts(table)[1], (std::vector<std::string>{"0.1235", "3", "12345.7"}));
    EXPECT_EQ(cell_texts(table)[2], (std::vector<std::string>{"0.0000", "n/a", "0.0"}));
}

TEST(page, sections_have_names_that_differ) {
    std::string const made = page_html(
        R"({"title": "t", "sections": [{"heading": "A B"}, {"heading": "A b"}, {"heading": "≥"}, {"heading": "é"}]})");
    for (char const* id : {"\"a-b\"", "\"a-b-2\"", "\"section\"", "\"section-2\""}) {
        EXPECT_NE(made.find(std::string("<section id=") + id), std::string::npos) << made;
    }
    EXPECT_EQ(refusal(R"({"title": "t", "sections": [{"heading": "x", "id": "a"}, {"heading": "y", "id": "a"}]})"),
              "sections[1].id: is another section's, too");
}

TEST(page, pictures_hold_shapes_and_words_alone) {
    svg out(10, 10, "a <title>");
    out.circle({1, 1}, 1, "vertex", "hint");
    out.text({1, 1}, "w & w", "label");
    std::string const drawn = out.finish();
    EXPECT_EQ(checked_picture(drawn, "svg"), drawn);
    EXPECT_EQ(checked_picture(standalone_svg(drawn), "svg"), drawn) << "without the style sheet that the page has";
    for (std::string const wrong :
         {"", "<svg", "<svg >", "<svg ></svg><svg ></svg>", "<svg ></svg>x", "<svg ><a></a></svg>",
          "<svg onload=\"x\"></svg>", "<svg ><g></svg></g>", "<svg class=\"x></svg>", "<svg ><!-- --></svg>",
          "<svg ><rect href=\"x\"/></svg>", "<svg ><style>x</style></svg>", "<svg class='x'></svg>"}) {
        EXPECT_THROW(checked_picture(wrong, "svg"), field_error) << wrong;
    }
}

TEST(page, long_tables_of_charts_are_thinned_and_say_so) {
    std::string points;
    for (int k = 0; k < 1000; ++k) {
        points += (k > 0 ? ",[" : "[") + std::to_string(k) + "," + std::to_string(k % 7) + "]";
    }
    std::string const made =
        page_html(chart_with(chart_head + R"(, "series": [{"name": "a", "points": [)" + points + "]}]"));
    EXPECT_NE(made.find("Every 9th of 1000 rows."), std::string::npos);
    EXPECT_NE(made.find("drawn through 400 of 1000 points"), std::string::npos) << made;
    EXPECT_LT(made.size(), 40'000u);
}

TEST(page, is_the_same_bytes_each_time) {
    std::string const description =
        chart_with(chart_head + R"(, "series": [{"name": "a", "points": [[1, 0.3, 0.2, 0.4], [2, null], [3, 0.5]]}])");
    EXPECT_EQ(page_html(description), page_html(description));
    EXPECT_EQ(page_markdown(description), page_markdown(description));
}

}  // namespace
}  // namespace optgap
