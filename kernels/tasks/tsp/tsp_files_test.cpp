// Compares the decimals and rounding of the TSPLIB reader with schoolbook arithmetic on strings of digits, and EUC_2D
// with doubles.

#include "kernels/tasks/tsp/tsp_files.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace optgap::text::tsp;
using words = std::vector<std::int32_t>;

/// Any natural number; the lowest decimal digit first, no zeros at the end.
struct natural {
    std::vector<int> digits;

    natural(std::string const& text) {
        for (char const c : text) {
            digits.insert(digits.begin(), c - '0');
        }
        trim();
    }
    void trim() {
        while (!digits.empty() && digits.back() == 0) {
            digits.pop_back();
        }
    }
    int at(std::size_t i) const { return i < digits.size() ? digits[i] : 0; }
};

bool operator<(natural const& a, natural const& b) {
    return a.digits.size() != b.digits.size()
               ? a.digits.size() < b.digits.size()
               : std::lexicographical_compare(a.digits.rbegin(), a.digits.rend(), b.digits.rbegin(), b.digits.rend());
}

/// a + sign · b, not below 0.
natural sum(natural const& a, natural const& b, int sign) {
    natural result("");
    int carry = 0;
    for (std::size_t i = 0; i <= std::max(a.digits.size(), b.digits.size()); ++i) {
        int const digit = a.at(i) + sign * b.at(i) + carry + 10;
        result.digits.push_back(digit % 10);
        carry = digit / 10 - 1;
    }
    result.trim();
    return result;
}

natural operator*(natural const& a, natural const& b) {
    natural result("");
    result.digits.assign(a.digits.size() + b.digits.size() + 1, 0);
    for (std::size_t i = 0; i < a.digits.size(); ++i) {
        for (std::size_t j = 0; j < b.digits.size(); ++j) {
            int const digit = result.digits[i + j] + a.digits[i] * b.digits[j];
            result.digits[i + j] = digit % 10;
            result.digits[i + j + 1] += digit / 10;
        }
    }
    for (std::size_t i = 0; i + 1 < result.digits.size(); ++i) {
        result.digits[i + 1] += result.digits[i] / 10;
        result.digits[i] %= 10;
    }
    result.trim();
    return result;
}

natural number(std::int64_t value) { return {std::to_string(value)}; }

/// A coordinate as in the file: sign, digits and the position of the point.
struct written {
    bool negative = false;
    std::string digits;
    std::size_t places = 0;

    std::string text() const {
        std::string padded = std::string(places, '0') + digits;
        padded.insert(padded.size() - places, ".");
        return (negative ? "-" : "") + padded;
    }
    /// In units of 10^-most.
    natural scaled(std::size_t most) const { return {digits + std::string(most - places, '0')}; }
};

natural difference(written const& a, written const& b, std::size_t most) {
    natural const x = a.scaled(most);
    natural const y = b.scaled(most);
    if (a.negative != b.negative) {
        return sum(x, y, 1);
    }
    return x < y ? sum(y, x, -1) : sum(x, y, -1);
}

/// "" if `found` is the distance of points dx, dy units of 10^-most apart, otherwise the rule that it breaks.
std::string broken_rule(std::string const& rule, natural const& dx, natural const& dy, std::size_t most,
                        std::int64_t found) {
    natural const unit("1" + std::string(most, '0'));
    natural const two = number(2);
    natural const length = sum(dx * dx, dy * dy, 1);
    auto const squared = [&](std::int64_t factor, natural const& x) { return number(factor) * x * x; };
    auto const at_most = [](natural const& a, natural const& b) { return !(b < a); };
    if (rule == "CEIL_2D" || rule == "ATT") {
        std::int64_t const ten = rule == "ATT" ? 10 : 1;
        bool const low = found == 0 || squared(ten, number(found - 1) * unit) < length;
        return low && at_most(length, squared(ten, number(found) * unit)) ? "" : "next integer";
    }
    natural const along = rule == "MAN_2D" ? sum(dx, dy, 1) : dx < dy ? dy : dx;
    bool const low = found == 0 || at_most(number(2 * found - 1) * unit, two * along);
    return low && two * along < number(2 * found + 1) * unit ? "" : "nearest integer along the axes";
}

std::string file_of(std::string const& rule, std::vector<written> const& points) {
    std::string text = "NAME : drawn\nTYPE : TSP (M.~Groetschel)\nDIMENSION : " + std::to_string(points.size() / 2) +
                       "\nEDGE_WEIGHT_TYPE : " + rule + "\nNODE_COORD_SECTION\n";
    for (std::size_t i = 0; i < points.size(); i += 2) {
        text += std::to_string(i / 2 + 1) + " " + points[i].text() + " " + points[i + 1].text() + "\n";
    }
    return text + "EOF\n";
}

/// Reads the points under `rule` and compares every distance with the schoolbook result.
void expect_distances(std::string const& rule, std::vector<written> const& points) {
    words const instance = read_tsplib(file_of(rule, points));
    std::size_t most = 0;
    for (written const& x : points) {
        most = std::max(most, x.places);
    }
    optgap::tasks::tsp::distances const d({instance.data(), std::int64_t(instance.size())});
    auto const apart = [&](std::size_t a, std::size_t b) {
        return std::strtod(points[a].text().c_str(), nullptr) - std::strtod(points[b].text().c_str(), nullptr);
    };
    for (std::size_t i = 0; i < points.size() / 2; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (rule == "EUC_2D") {  // as the library's programs compute it
                double const dx = apart(2 * i, 2 * j);
                double const dy = apart(2 * i + 1, 2 * j + 1);
                EXPECT_EQ(d(std::int32_t(i), std::int32_t(j)), std::int64_t(std::sqrt(dx * dx + dy * dy) + 0.5))
                    << file_of(rule, points);
                continue;
            }
            EXPECT_EQ(broken_rule(rule, difference(points[2 * i], points[2 * j], most),
                                  difference(points[2 * i + 1], points[2 * j + 1], most), most,
                                  d(std::int32_t(i), std::int32_t(j))),
                      "")
                << rule << " gave " << d(std::int32_t(i), std::int32_t(j)) << " for " << i << ", " << j << " of\n"
                << file_of(rule, points);
        }
    }
}

constexpr char const* rules[] = {"EUC_2D", "CEIL_2D", "ATT", "MAN_2D", "MAX_2D"};

TEST(tsp_files, rounds_decimals_as_the_schoolbook_does) {
    std::mt19937_64 random(11);
    for (int repeat = 0; repeat < 60; ++repeat) {
        std::size_t const most = random() % 31;
        std::vector<written> points;
        for (int k = 0; k < 10; ++k) {
            std::size_t const places = random() % (most + 1);
            std::string digits(1, char('1' + random() % 9));
            for (std::size_t i = 1 + random() % 6; digits.size() < places + i && digits.size() < places + 6;) {
                digits += char('0' + random() % 10);
            }
            points.push_back({random() % 2 == 0, digits, places});
        }
        for (char const* const rule : rules) {
            expect_distances(rule, points);
        }
    }
}

// 3-4-5 triangles whose long side is an integer or ends in one half, and the last place of one coordinate moved by one.
// The third point has the same number of places, so that the distances make a matrix.
TEST(tsp_files, rounds_at_the_borders_between_two_integers) {
    std::mt19937_64 random(12);
    for (std::size_t const zeros : {0U, 4U, 7U, 20U, 29U}) {
        for (int repeat = 0; repeat < 8; ++repeat) {
            std::int64_t const m = 1 + std::int64_t(random() % (repeat < 4 ? 20 : 300'000));
            for (int shift : {-1, 0, 1}) {
                std::string const tail(zeros, '0');
                natural across = sum(natural(std::to_string(4 * m) + tail), number(1), shift);
                std::string digits;
                for (int const digit : across.digits) {
                    digits.insert(digits.begin(), char('0' + digit));
                }
                std::vector<written> const points{
                    {false, "0", 0},           {false, "0", 0}, {false, std::to_string(3 * m), 1},
                    {true, digits, zeros + 1}, {false, "1", 0}, {false, "2" + tail + "1", zeros + 1}};
                for (char const* const rule : rules) {
                    expect_distances(rule, points);
                }
            }
        }
    }
    // sqrt((10² + 30²) / 10) is 10 exactly; a hair more is 11 for ATT.
    auto const att = [](char const* y) {
        return read_tsplib(std::string("DIMENSION: 3\nEDGE_WEIGHT_TYPE: ATT\nNODE_COORD_SECTION\n1 0 0\n2 10 ") + y +
                           "\n3 0 1\n")[2];
    };
    EXPECT_EQ(att("30"), 10);
    EXPECT_EQ(att("30.000000000000000000000000000001"), 11);
    EXPECT_EQ(att("29.999999999999999999999999999999"), 10);
}

TEST(tsp_files, reads_numbers_in_every_spelling) {
    auto const is = [](char const* text, std::int64_t digits, std::int32_t places) {
        auto const x = read_decimal(text);
        return x && x->fits && x->digits == digits && x->places == places;
    };
    EXPECT_TRUE(is("1.5e+02", 150, 0));
    EXPECT_TRUE(is("3.74520E+03", 37452, 1));
    EXPECT_TRUE(is("-0012.3400", -1234, 2));
    EXPECT_TRUE(is("+.5", 5, 1));
    EXPECT_TRUE(is("7.", 7, 0));
    EXPECT_TRUE(is("120e-1", 12, 0));
    EXPECT_TRUE(is("1e-30", 1, 30));
    EXPECT_TRUE(is("-0.000e999999999999999999999", 0, 0));
    EXPECT_TRUE(is("1.0000000000000000000000000000000000000000000000", 1, 0));
    for (char const* const text :
         {"", "+", ".", "e5", "1e", "1e+", "1e+-5", "1.2.3", "0x10", "1,5", "--1", "inf", "1d2"}) {
        EXPECT_FALSE(read_decimal(text)) << text;
    }
    for (char const* const text : {"1e36", "1e-31", "1234567890123456789012345678901234567", "1e99999999999999999999",
                                   "1e-99999999999999999999"}) {
        ASSERT_TRUE(read_decimal(text)) << text;
        EXPECT_FALSE(read_decimal(text)->fits) << text;
    }
    EXPECT_TRUE(read_decimal("999999999999999999999999999999999999")->fits);
    EXPECT_TRUE(read_decimal("1e35")->digits == power_of_ten(35));
}

TEST(tsp_files, keeps_points_where_six_places_do) {
    auto const form = [](char const* x) {
        return read_tsplib(std::string("TYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D (drawn)\n"
                                       "NODE_COORD_SECTION :\n1 0 0\n2 ") +
                           x + " 0\n3 1 1\n");
    };
    EXPECT_EQ(form("1.5000001e+01"), (words{2, 3, 1'000'000, 0, 0, 15'000'001, 0, 1'000'000, 1'000'000}));
    EXPECT_EQ(form("15.5000001"), (words{0, 3, 16, 1, 15}));
    EXPECT_EQ(form("600.000001"), (words{0, 3, 600, 1, 599}));
}

}  // namespace
