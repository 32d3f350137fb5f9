#include "host/report/page/chart.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "host/report/page/chart_axis.hpp"
#include "host/report/page/chart_parts.hpp"
#include "host/report/page/histogram.hpp"

namespace optgap {
namespace {

using ::testing::ElementsAre;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::vector<std::size_t> counts_of(std::vector<histogram_bar> const& bars) {
    std::vector<std::size_t> counts;
    for (histogram_bar const& bar : bars) {
        counts.push_back(bar.count);
    }
    return counts;
}

std::vector<std::string> labels_of(chart_axis const& by, std::size_t most) {
    std::vector<std::string> labels;
    for (auto const& [value, label] : by.ticks(most)) {
        labels.push_back(label);
    }
    return labels;
}

std::size_t count(std::string const& text, std::string_view piece) {
    std::size_t found = 0;
    for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) {
        ++found;
    }
    return found;
}

chart one_curve(std::vector<double> const& heights) {
    chart out{chart_kind::lines, "t", {"x"}, {"y"}, {{"a", {}, none}}};
    for (std::size_t k = 0; k < heights.size(); ++k) {
        out.series[0].points.push_back({double(k + 1), heights[k], none, none, ""});
    }
    return out;
}

TEST(histogram, has_one_bar_per_integer_while_there_is_room) {
    EXPECT_THAT(counts_of(count_values(std::vector<double>{3, 3, 5, 7}, bins::whole)), ElementsAre(2, 0, 1, 0, 1));
}

TEST(histogram, keeps_every_value_whatever_the_range) {
    for (bins const how : {bins::whole, bins::doubling}) {
        std::vector<double> const values{0, 1, 2, 1e6, 123456789, 1e15};
        std::size_t total = 0;
        std::vector<histogram_bar> const bars = count_values(values, how);
        for (histogram_bar const& bar : bars) {
            total += bar.count;
        }
        EXPECT_EQ(total, values.size());
        EXPECT_LE(bars.size(), how == bins::whole ? 24u : 55u);
    }
}

TEST(histogram, doubles_its_bars_from_one_on) {
    std::vector<histogram_bar> const bars = count_values(std::vector<double>{0, 1, 2, 3, 4, 7, 8}, bins::doubling);
    EXPECT_THAT(counts_of(bars), ElementsAre(1, 1, 2, 2, 1));
    EXPECT_EQ(bars.back().from, 8);
}

TEST(histogram, tells_an_optimal_share_from_a_nearly_optimal_one) {
    std::vector<histogram_bar> const bars = count_values(std::vector<double>{0.999, 1, 1, 0}, bins::share);
    ASSERT_EQ(bars.size(), 21u);
    EXPECT_EQ(bars[20].count, 2u);
    EXPECT_EQ(bars[19].count, 1u);
    EXPECT_EQ(bars[0].count, 1u);
    EXPECT_EQ(bars[20].from, 1);
}

TEST(histogram, of_nothing_has_no_bar_and_no_median) {
    EXPECT_TRUE(count_values({}, bins::whole).empty());
    EXPECT_TRUE(std::isnan(median_of({})));
    EXPECT_EQ(median_of(std::vector<double>{5, 1, 3, 4}), 4);
}

TEST(chart_axis, has_round_ticks_inside_of_its_range) {
    EXPECT_THAT(labels_of(chart_axis({0, 1}, false, true), 6), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1"));
    EXPECT_THAT(labels_of(chart_axis({93, 107}, false, false), 6), ElementsAre("95", "100", "105"));
    EXPECT_THAT(labels_of(chart_axis({0, 23'000}, false, true), 6), ElementsAre("0", "5000", "10k", "15k", "20k"));
    EXPECT_THAT(labels_of(chart_axis({-0.4, 0.3}, false, true), 4), ElementsAre("-0.4", "-0.2", "0", "0.2"));
    EXPECT_THAT(labels_of(chart_axis({1, 1e6}, true, false), 6),
                ElementsAre("1", "10", "100", "1000", "10k", "100k", "1M"));
    EXPECT_THAT(labels_of(chart_axis({3, 60}, true, false), 6), ElementsAre("5", "10", "20", "50"));
    EXPECT_THAT(labels_of(chart_axis({300, 320}, true, false), 6), ::testing::SizeIs(::testing::Ge(2u)));
}

TEST(chart_axis, puts_values_where_their_share_of_the_range_is) {
    chart_axis plain({0, 10}, false, true);
    plain.place(100, 0);
    EXPECT_EQ(plain.at(0), 100);
    EXPECT_EQ(plain.at(2.5), 75);
    chart_axis decades({1, 1000}, true, false);
    decades.place(0, 300);
    EXPECT_EQ(decades.at(10), 100);
}

TEST(chart_axis, of_one_value_or_none_has_a_range) {
    for (bool const log : {false, true}) {
        for (std::vector<double> const& values : std::vector<std::vector<double>>{{}, {5}, {5, 5}, {1e-30}, {1e90}}) {
            chart_axis by(values, log, false);
            by.place(0, 100);
            if (!values.empty()) {
                EXPECT_GE(by.at(values[0]), 0);
                EXPECT_LE(by.at(values[0]), 100);
            }
            EXPECT_LE(by.ticks(6).size(), 12u);
        }
    }
}

TEST(chart, breaks_a_curve_where_a_number_is_missing) {
    EXPECT_EQ(count(draw_chart(one_curve({1, 2, none, 3, 4})), "<polyline"), 2u);
    EXPECT_EQ(count(draw_chart(one_curve({1, 2, 3, 3, 4})), "<polyline"), 1u);
}

TEST(chart, says_what_has_no_place_on_a_logarithmic_axis) {
    chart of = one_curve({1, 0, -2, 10});
    EXPECT_TRUE(chart_notes(of).empty());
    of.y.log = true;
    EXPECT_THAT(chart_notes(of), ElementsAre("2 points at or below 0 have no place on a logarithmic axis."));
    EXPECT_EQ(draw_chart(of).find("nan"), std::string::npos);
}

TEST(chart, draws_a_long_curve_through_its_lows_and_highs) {
    std::vector<double> heights(10'000, 1);
    heights[1234] = 50;
    heights[8000] = -50;
    chart const of = one_curve(heights);
    std::vector<chart_point> const kept = charts::thinned(of.series[0].points);
    EXPECT_LE(kept.size(), 400u);
    auto const has = [&](double y) {
        return std::any_of(kept.begin(), kept.end(), [&](chart_point const& p) { return p.y == y; });
    };
    EXPECT_TRUE(has(50) && has(-50));
    EXPECT_TRUE(
        std::is_sorted(kept.begin(), kept.end(), [](chart_point const& a, chart_point const& b) { return a.x < b.x; }));
    EXPECT_EQ(chart_notes(of).size(), 1u);
    EXPECT_LT(draw_chart(of).size(), 20'000u);
}

TEST(chart, draws_every_kind_within_its_frame) {
    chart of = one_curve({3, 8, 2});
    for (chart_point& p : of.series[0].points) {
        p.low = p.y - 1;
        p.high = p.y + 2;
        p.name = "a rather long name of something, number " + std::to_string(p.x);
    }
    of.series.push_back(of.series[0]);
    of.series[1].name = "another series with a rather long name that needs a line of its own";
    for (chart_kind const kind : {chart_kind::lines, chart_kind::points, chart_kind::bars, chart_kind::histogram}) {
        of.kind = kind;
        std::string const drawn = draw_chart(of);
        SCOPED_TRACE(drawn);
        EXPECT_TRUE(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
        EXPECT_NE(drawn.find("<desc>"), std::string::npos);
        EXPECT_NE(drawn.find("class=\"chart\""), std::string::npos);
        for (char const* name : {" x=\"", " x1=\"", " x2=\"", " cx=\""}) {
            for (std::size_t at = drawn.find(name); at != std::string::npos; at = drawn.find(name, at + 1)) {
                double const x = std::stod(drawn.substr(at + std::string_view(name).size()));
                EXPECT_TRUE(x >= 0 && x <= charts::width) << x;
            }
        }
    }
}

TEST(chart, twelve_series_look_different) {
    std::vector<std::string> styles;
    for (std::size_t s = 0; s < 12; ++s) {
        styles.push_back(charts::series_class("curve", s));
    }
    std::sort(styles.begin(), styles.end());
    EXPECT_EQ(std::unique(styles.begin(), styles.end()), styles.end());
}

TEST(chart, a_file_of_its_own_has_its_colours) {
    std::string const file = standalone_chart(one_curve({1, 2}));
    EXPECT_NE(file.find("--s:#0072b2"), std::string::npos);
    EXPECT_LT(file.find("<style>"), file.find("<title>"));
}

}  // namespace
}  // namespace optgap
