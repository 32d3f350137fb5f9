#include "kernels/text/svg.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "host/report/fingerprint.hpp"
#include "kernels/core/graph.hpp"
#include "kernels/core/team.hpp"
#include "kernels/text/graph_picture.hpp"

namespace optgap {
namespace {

std::size_t count(std::string const& text, std::string_view piece) {
    std::size_t found = 0;
    for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + piece.size())) {
        ++found;
    }
    return found;
}

TEST(svg, writes_elements_with_one_decimal_and_classes) {
    svg out(20, 10, "a title");
    out.line({0, 0.25}, {1.26, -0.01}, "line");
    out.circle({1, 2}, 3.5, "vertex");
    out.circle({1, 2}, 1, "mark", "7 < 8");
    out.text({1, 2}, "x", "label", text_anchor::end);
    std::string const drawn = out.finish();
    EXPECT_TRUE(drawn.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 20 10\"")) << drawn;
    EXPECT_NE(drawn.find("<title>a title</title>"), std::string::npos);
    EXPECT_NE(drawn.find(R"(<line x1="0" y1="0.2" x2="1.3" y2="0" class="line"/>)"), std::string::npos) << drawn;
    EXPECT_NE(drawn.find(R"(<circle cx="1" cy="2" r="3.5" class="vertex"/>)"), std::string::npos) << drawn;
    EXPECT_NE(drawn.find(R"(class="mark"><title>7 &lt; 8</title></circle>)"), std::string::npos) << drawn;
    EXPECT_NE(drawn.find(R"(<text x="1" y="2" class="label" text-anchor="end">x</text>)"), std::string::npos) << drawn;
    EXPECT_TRUE(drawn.ends_with("</svg>\n"));
}

TEST(svg, escapes_what_markup_would_swallow) {
    EXPECT_EQ(xml_text("a<b>&\"c\"\n\x01 ≥"), "a&lt;b&gt;&amp;&quot;c&quot;\n\xEF\xBF\xBD ≥");
    svg out(1, 1, "<&>");
    out.rectangle({0, 0}, 1, 1, "bar", "5 < 6");
    std::string const drawn = out.finish();
    EXPECT_NE(drawn.find("<title>&lt;&amp;&gt;</title>"), std::string::npos);
    EXPECT_NE(drawn.find("<title>5 &lt; 6</title>"), std::string::npos);
}

TEST(svg, a_standalone_drawing_carries_its_style_sheet) {
    svg out(1, 1, "t");
    std::string const alone = standalone_svg(out.finish());
    EXPECT_NE(alone.find("prefers-color-scheme:dark"), std::string::npos);
    EXPECT_LT(alone.find("<style>"), alone.find("<title>"));
}

TEST(svg, points_on_a_circle_are_where_the_library_puts_them) {
    for (int i = -5; i < 40; ++i) {
        double const turn = double(i) / 17;
        point const found = on_circle({3, 4}, 100, turn);
        EXPECT_NEAR(found.x, 3 + 100 * std::sin(2 * std::numbers::pi * turn), 1e-6) << i;
        EXPECT_NEAR(found.y, 4 - 100 * std::cos(2 * std::numbers::pi * turn), 1e-6) << i;
    }
}

/// The path 0 - 1 - … - (n-1).
std::vector<std::int32_t> path_graph(std::int32_t n) {
    std::vector<std::int32_t> words(std::size_t(graph_words(n)));
    solo team;
    std::uint32_t* const rows = begin_graph(team, words.data(), n);
    for (std::int32_t v = 0; v + 1 < n; ++v) {
        add_edge(team, rows, n, v, v + 1);
    }
    return words;
}

TEST(graph_picture, draws_every_vertex_and_edge_once_and_marked_edges_last) {
    std::vector<std::int32_t> const words = path_graph(5);
    std::vector<char> const marked{0, 1, 1, 1, 0};
    graph_picture drawing("path", 5);
    drawing.edges({words.data(), std::int64_t(words.size())}, marked, "strong");
    std::string const drawn = drawing.draw();
    EXPECT_EQ(count(drawn, "<circle"), 5u);
    EXPECT_EQ(count(drawn, "class=\"line\""), 2u);
    EXPECT_EQ(count(drawn, "class=\"strong\""), 2u);
    EXPECT_LT(drawn.rfind("class=\"line\""), drawn.find("class=\"strong\""));
}

TEST(graph_picture, puts_groups_first_in_their_order) {
    graph_picture plain("g", 4);
    graph_picture grouped("g", 4);
    grouped.group(std::array<std::int32_t, 2>{2, 1}, "chosen");
    std::string const before = plain.draw();
    std::string const after = grouped.draw();
    auto const place = [](std::string const& drawn, std::size_t vertex) {
        std::size_t at = 0;
        for (std::size_t i = 0; i <= vertex; ++i) {
            at = drawn.find("<circle", at + 1);
        }
        return drawn.substr(at, drawn.find(" r=", at) - at);
    };
    EXPECT_EQ(place(after, 2), place(before, 0));
    EXPECT_EQ(place(after, 1), place(before, 1));
    EXPECT_EQ(place(after, 0), place(before, 2));
    EXPECT_EQ(count(after, "class=\"chosen\""), 2u);
}

TEST(graph_picture, a_repeated_member_is_drawn_once) {
    graph_picture drawing("g", 3);
    drawing.group(std::array<std::int32_t, 4>{1, 1, 2, 1}, "chosen");
    EXPECT_EQ(count(drawing.draw(), "<circle"), 3u);
}

TEST(fingerprint, is_the_published_hash) {
    EXPECT_EQ(fingerprint(""), "99aa06d3014798d86001c324468d497f");
    EXPECT_NE(fingerprint("a"), fingerprint("b"));
}

}  // namespace
}  // namespace optgap
