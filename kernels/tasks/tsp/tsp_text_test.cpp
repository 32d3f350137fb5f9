#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/tasks/tsp/tsp.hpp"
#include "kernels/tasks/tsp/tsp_fixture.hpp"
#include "kernels/tasks/tsp/tsp_reference.hpp"
#include "kernels/text/task_text.hpp"
#include "tests/support/instance_json.hpp"

extern optgap::task_text const optgap_text_tsp;

namespace {

using namespace optgap;
using namespace optgap::tsp_fixture;

words from_text(char const* text) { return optgap::testing::read_instance(optgap_text_tsp, text); }

/// Field and rule of the error, or "accepted".
std::string json_error(char const* text) {
    try {
        from_text(text);
    } catch (field_error const& error) {
        return error.what();
    }
    return "accepted";
}

std::string file_error(std::string const& text) {
    try {
        optgap_text_tsp.files[0].read(text);
    } catch (field_error const& error) {
        return error.what();
    }
    return "accepted";
}

std::string points_file(char const* weight_type, char const* points) {
    return std::string("NAME: tiny\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: ") + weight_type +
           "\nNODE_COORD_SECTION\n" + points + "EOF\n";
}

std::string matrix_file(char const* format, char const* weights) {
    return std::string(
               "NAME : tiny\r\nTYPE : TSP\r\nDIMENSION : 4\r\nEDGE_WEIGHT_TYPE : EXPLICIT\r\nEDGE_WEIGHT_FORMAT : ") +
           format + "\r\nEDGE_WEIGHT_SECTION\r\n" + weights;
}

TEST(tsp_text, reads_and_writes_distances) {
    words const instance = from_text(R"({"distances":[[0,10,15,20],[10,0,35,25],[15,35,0,30],[20,25,30,0]]})");
    EXPECT_EQ(instance, (words{0, 4, 10, 15, 35, 20, 25, 30}));
    EXPECT_EQ(optgap::testing::write_instance(optgap_text_tsp, view(instance)),
              R"({"distances":[[0,10,15,20],[10,0,35,25],[15,35,0,30],[20,25,30,0]]})");
}

TEST(tsp_text, keeps_decimal_points_exactly) {
    EXPECT_EQ(from_text(R"({"points":[[0,0],[3,4.0],[1e1,-2]],"metric":"euc_2d"})"),
              (words{1, 3, 1, 0, 0, 3, 4, 10, -2}));
    EXPECT_EQ(from_text(R"({"points":[[0.1,0],[3,0.25],[1,1]],"metric":"euc_2d"})"),
              (words{1, 3, 100, 10, 0, 300, 25, 100, 100}));
    words const fine = from_text(R"({"points":[[-536.870912,0.000001],[0.3,123.456789],[1,1]],"metric":"euc_2d"})");
    EXPECT_EQ(fine, (words{1, 3, 1'000'000, -536870912, 1, 300'000, 123'456'789, 1'000'000, 1'000'000}));
    for (words const& instance : {fine, words{1, 3, 10, 1, 2, 3, 4, 5, 6}, words{1, 3, 1000, 1, -2, 33, 4, 50, 6}}) {
        EXPECT_EQ(from_text(optgap::testing::write_instance(optgap_text_tsp, view(instance)).c_str()), instance);
    }
}

TEST(tsp_text, any_decimal_of_six_places_is_the_one_that_was_written) {
    std::int64_t draw = 12345;
    std::string row;
    std::vector<std::int64_t> millionths;
    for (std::int32_t city = 0; city < 3000; ++city) {
        row += city == 0 ? "[" : "],[";
        for (std::int32_t axis = 0; axis < 2; ++axis) {
            draw = draw * 48271 % 2147483647;
            std::int64_t const value = draw % 500'000'000;
            std::string fraction = std::to_string(1'000'000 + value % 1'000'000).substr(1);
            row += (axis == 0 ? "" : ",") + std::to_string(value / 1'000'000) + "." + fraction;
            millionths.push_back(value);
        }
    }
    words const instance = from_text((R"({"metric":"euc_2d","points":[)" + row + "]]}").c_str());
    EXPECT_EQ(instance[2], 1'000'000);
    for (std::size_t i = 0; i < millionths.size(); ++i) {
        ASSERT_EQ(instance[3 + i], millionths[i]);
    }
}

TEST(tsp_text, names_the_field_that_breaks_a_rule) {
    std::pair<char const*, char const*> const cases[] = {
        {"[]", "instance: must be an object"},
        {"{}", "distances: is missing"},
        {R"({"distances":3})", "distances: must be a list"},
        {R"({"distances":[[0,1],[1,0]]})", "distances: must have 3"},
        {R"({"distances":[[0,1,2],[1,0,3],[2,3]]})", "distances[2]: must be a list of 3"},
        {R"({"distances":[[0,1,2],[1,0,3],[2,4,0]]})", "distances[1][2]: must equal distances[2][1]"},
        {R"({"distances":[[0,1,2],[1,7,3],[2,3,0]]})", "distances[1][1]: must be 0"},
        {R"({"distances":[[0,1,2],[1,0,-3],[2,-3,0]]})", "distances[1][2]: must be an integer from 0"},
        {R"({"distances":[[0,1,2],[1,0,3.0],[2,3.0,0]]})", "distances[1][2]: must be an integer"},
        {R"({"distances":[[0,true,2],[true,0,3],[2,3,0]]})", "distances[0][1]: must be an integer"},
        {R"({"distances":[[0,16777217,2],[1,0,3],[2,3,0]]})", "distances[0][1]: must be an integer"},
        {R"({"distances":[[0,18446744073709551615,2],[1,0,3],[2,3,0]]})", "distances[0][1]: must be an integer"},
        {R"({"distances":[[0,1,2],[1,0,3],[2,3,0]],"n":3})", "n: unknown field; an instance has distances"},
        {R"({"points":[[0,0],[1,1],[2,2]]})", "metric: is missing"},
        {R"({"points":[[0,0],[1,1],[2,2]],"metric":"geo"})", "metric: must be"},
        {R"({"points":[[0,0],[1,1],[2]],"metric":"euc_2d"})", "points[2]: must be a list of two"},
        {R"({"points":[[0,0],[1,"1"],[2,2]],"metric":"euc_2d"})", "points[1][1]: must be a number"},
        {R"({"points":[[0,0],[1,0.1234567],[2,2]],"metric":"euc_2d"})",
         "points[1][1]: must be a number with at most six"},
        {R"({"points":[[0,0],[1,1e300],[2,2]],"metric":"euc_2d"})", "points[1][1]: must be a number"},
        {R"({"points":[[0,0],[1,600000000],[2,2]],"metric":"euc_2d"})", "points: coordinates"},
        {R"({"points":[[0,0],[1,500000000],[2,2]],"metric":"euc_2d"})", "points: the points' bounding box"},
    };
    for (auto const& [text, expected] : cases) {
        EXPECT_EQ(json_error(text).rfind(expected, 0), 0u) << text << " gave " << json_error(text);
    }
}

TEST(tsp_text, applies_each_of_tsplibs_distance_rules) {
    // d(1,0), d(2,0), d(2,1). Raw lengths of the first file: 5, sqrt(2) = 1.414, sqrt(13) = 3.606.
    char const* const flat = "1 0 0\n2 3 4\n3 1 1\n";
    auto const read = [](std::string const& text) { return optgap_text_tsp.files[0].read(text); };
    EXPECT_EQ(read(points_file("EUC_2D", flat)), (words{1, 3, 1, 0, 0, 3, 4, 1, 1}));
    EXPECT_EQ(read(points_file("EUC_2D", "3 1 1\n1 0.0 0\n2 3.0e0 +4\n")), (words{1, 3, 1, 0, 0, 3, 4, 1, 1}));
    EXPECT_EQ(read(points_file("CEIL_2D", flat)), (words{0, 3, 5, 2, 4}));
    EXPECT_EQ(read(points_file("CEIL_2D", "1 0 0\n2 0.3 0.4\n3 1.5 2\n")), (words{0, 3, 1, 3, 2}));
    EXPECT_EQ(read(points_file("MAN_2D", "1 0 0\n2 1.2 1.3\n3 1 1\n")), (words{0, 3, 3, 2, 1}));
    EXPECT_EQ(read(points_file("MAX_2D", flat)), (words{0, 3, 4, 1, 3}));
    // sqrt(1000 / 10) is 10 exactly; sqrt(1010 / 10) = 10.05 goes up; sqrt(10 / 10) = 1.
    EXPECT_EQ(read(points_file("ATT", "1 0 0\n2 30 10\n3 31 7\n")), (words{0, 3, 10, 11, 1}));
    // A quarter of the equator and of a meridian on a sphere of 6378.388 km: 6378.388 · pi / 2 = 10019.1, plus 1, cut.
    EXPECT_EQ(read(points_file("GEO", "1 0 0\n2 0 90.0\n3 89.60 0\n")), (words{0, 3, 10020, 10020, 10020}));
    // 30 minutes are half a degree: 6378.388 · pi / 360 = 55.66.
    EXPECT_EQ(read(points_file("GEO", "1 0 0\n2 0.30 0\n3 0 0.30\n"))[2], 56);
}

TEST(tsp_text, reads_tables_and_json) {
    auto const read = [](char const* text) { return optgap_text_tsp.files[0].read(text); };
    words const expected{0, 3, 1, 2, 3};
    for (char const* const text :
         {"0,1,2\n1,0,3\n2,3,0\n", "0;1;2\r\n1;0;3\r\n2;3;0", "0 1 2\n\n1 0 3\n2 3 0\n",
          "\"\",\"A\",\"B\",\"C\"\nA,0,1,2\nB,1,0,3\nC,2,3,0\n", "A,B,C\n0,1,2\n1,0,3\n2,3,0\n",
          "[[0, 1, 2],\n [1, 0, 3], [2, 3, 0]]\n", "{\"distances\": [[0, 1, 2], [1, 0, 3], [2, 3, 0]]}"}) {
        EXPECT_EQ(read(text), expected) << text;
    }
    words const points{1, 3, 1, 0, 0, 3, 4, 1, 1};
    EXPECT_EQ(read("name,x,y\na,0,0\nb,3,4\nc,1,1\n"), points);
    EXPECT_EQ(read("Y\tX\n0\t0\n4\t3\n1\t1.0\n"), points);
    EXPECT_EQ(read("x,y\n0.5,0\n3,4\n1,1\n"), (words{2, 3, 10, 5, 0, 30, 40, 10, 10}));
}

TEST(tsp_text, names_the_metric_of_doubles) {
    words const instance = from_text(R"({"points":[[2.3,0],[0.8,0],[0,1]],"metric":"euc_2d_doubles"})");
    EXPECT_EQ(instance, (words{2, 3, 10, 23, 0, 8, 0, 0, 10}));
    EXPECT_EQ(optgap::testing::write_instance(optgap_text_tsp, view(instance)),
              R"({"points":[[2.3,0.0],[0.8,0.0],[0.0,1.0]],"metric":"euc_2d_doubles"})");
    // 1.5 exactly; in doubles 2.3 - 0.8 is a little less.
    EXPECT_EQ(optgap::tasks::tsp::distances(view(instance))(0, 1), 1);
    words const exact = from_text(R"({"points":[[2.3,0],[0.8,0],[0,1]],"metric":"euc_2d"})");
    EXPECT_EQ(optgap::tasks::tsp::distances(view(exact))(0, 1), 2);
    EXPECT_EQ(from_text(R"({"points":[[2,0],[1,0],[0,1]],"metric":"euc_2d_doubles"})")[0], 1);
    EXPECT_NE(optgap_text_tsp.prompt(view(instance), 0, {1, 2}).find("computed in double precision"),
              std::string::npos);
}

TEST(tsp_text, reads_every_way_to_write_a_matrix) {
    words const expected{0, 4, 1, 2, 4, 3, 5, 6};
    auto const read = [](std::string const& text) { return optgap_text_tsp.files[0].read(text); };
    for (char const* const format : {"LOWER_ROW", "UPPER_COL"}) {
        EXPECT_EQ(read(matrix_file(format, "1 2 4 3\n5 6\nEOF")), expected);
    }
    for (char const* const format : {"LOWER_DIAG_ROW", "UPPER_DIAG_COL"}) {
        EXPECT_EQ(read(matrix_file(format, "0 1 0 2 4\n0 3 5 6 0\nEOF")), expected);
    }
    for (char const* const format : {"UPPER_ROW", "LOWER_COL"}) {
        EXPECT_EQ(read(matrix_file(format, "1 2 3 4\r\n5 6")), expected);
    }
    for (char const* const format : {"UPPER_DIAG_ROW", "LOWER_DIAG_COL"}) {
        EXPECT_EQ(
            read(matrix_file(format, "0 1 2 3 0 4 5 0 6 0\nDISPLAY_DATA_SECTION\n1 0 0\n2 1 1\n3 2.5 2\n4 3 3\nEOF")),
            expected);
    }
    EXPECT_EQ(read(matrix_file("FULL_MATRIX", "0 1 2 3\n1 9999 4 5\n2 4 0 6\n3 5 6 0\n")), expected);
}

TEST(tsp_text, names_the_line_that_breaks_a_file) {
    std::pair<std::string, char const*> const cases[] = {
        {"", "line 1: the file is empty"},
        {"TYPE: ATSP\n", "line 1: the file ended without its weights"},
        {"TYPE : TOUR\nDIMENSION : 3\n", "line 1: TYPE is TOUR: a tour is an answer"},
        {"NAME: x\nNAME: x\n", "line 2: NAME is there twice"},
        {points_file("EUC_2D", "1 0 0\n2 3 4\n3 1 1\n4 2 2\n"), "line 9: '4 2 2' is no keyword"},
        {points_file("EUC_2D", "1 0 0\n2 3 4\n3 1 1\n") + "4 2 2\n", "line 10: there is a line behind EOF"},
        {points_file("EUC_2D", "1 0 0 2 3 4\n3 1 1\n"), "line 6: expected a city and its two coordinates"},
        {points_file("EUC_2D", "0 0 0\n1 3 4\n3 1 1\n"),
         "line 8: numbers must be 0 to 2 or 1 to 3, each of one city, found both"},
        {matrix_file("UPPER_ROW", "1 2 3\n4 5 6 7\n"), "line 8: the line goes on behind the matrix's last weight"},
        {"DIMENSION: 20000\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n",
         "line 3: the file is too short for"},
        {"Dear colleague,\nplease find the distances below.\n", "line 1: expected the keywords of a TSPLIB file"},
        {"name,x,y\na,1,2\nb,3,4\na,5,6\n", "line 4: city 'a' is there twice"},
        {"name,x,y\na,1,2\nb,3,4\nc,5\n", "line 4: expected 3 cells, as in the header"},
        {"name,x,y\na,1,2\nb,3,4\nc,5,?\n", "line 4: a coordinate must be a number, found '?'"},
        {"0,1,2\n1,0,3\n", "line 2: the first row has 3 distances, but there are 2 rows"},
        {"0,1,2\n1,0,3\n2,3,0\n2,3,0\n", "line 4: expected a square matrix of distances"},
        {"0,1,2\n1,0,3\n4,3,0\n", "line 3: the matrix must be symmetric"},
        {"0,1,2\n1,0,3\n2,3,1\n", "line 3: a city's distance to itself must be 0"},
        {"[[0, 1, 2], [1, 0, 3]", "the file: expected JSON"},
        {"[[0, 1, 2], [1, 0, 3], [2, 4, 0]]", "distances[1][2]: must equal distances[2][1]"},
        {"NAME: x\nDIMENSION: two\n", "line 2: DIMENSION must be"},
        {"DIMENSION: 2\n", "line 1: DIMENSION must be"},
        {"DIMENSION: 99999999999999999999\n", "line 1: DIMENSION must be"},
        {"EDGE_WEIGHT_TYPE: XRAY1\n", "line 1: EDGE_WEIGHT_TYPE must be one of"},
        {"EDGE_WEIGHT_FORMAT: SPARSE\n", "line 1: EDGE_WEIGHT_FORMAT must be one of"},
        {"NODE_COORD_SECTION\n1 2 3\n", "line 1: DIMENSION must come before"},
        {"\n\nCAPACITY: 7\n", "line 3: CAPACITY is no keyword"},
        {points_file("EUC_2D", "1 0 0\n2 3 4\n2 1 1\n"), "line 8: city 2 is there twice"},
        {points_file("EUC_2D", "1 0 0\n2 3 4\n4 1 1\n"),
         "line 8: numbers must be 0 to 2 or 1 to 3, each of one city, found 4"},
        {points_file("EUC_2D", "1 0 0\n2 3 x\n3 1 1\n"), "line 7: a coordinate must be a number"},
        {points_file("EUC_2D", "1 0 0\n2 3 nan\n3 1 1\n"), "line 7: a coordinate must be a number"},
        {points_file("EUC_2D", "1 0 0\n2 3 1e-31\n3 1 1\n"), "line 7: a coordinate must have at most 36 digits and 30"},
        {points_file("EUC_2D", "1 0 0\n2 3 1e36\n3 1 1\n"), "line 7: a coordinate must have at most 36 digits and 30"},
        {points_file("EUC_2D", "1 0 0\n2 3 1e20\n3 1 1e-20\n"), "line 8: no coordinate may have more than 36 digits"},
        {points_file("EUC_2D", "1 0 0\n2 3 500000000\n3 1 0.0000001\n"), "line 9: a distance must be in 0"},
        {"TYPE: TSPX\n", "line 1: TYPE must be one of TSP, ATSP, found 'TSPX'"},
        {"FIXED_EDGES_SECTION\n1 2\n-1\n", "line 1: FIXED_EDGES_SECTION asks for a tour with given edges"},
        {points_file("EUC_2D", "1 0 0\n2 3 4\n"),
         "line 8: DIMENSION says 3 cities, but NODE_COORD_SECTION ended behind 2"},
        {points_file("CEIL_2D", "1 0 0\n2 3 500000000\n3 1 1\n"), "line 9: a distance must be in 0"},
        {matrix_file("FULL_MATRIX", "0 1 2 3\n1 0 4 5\n2 4 0 6\n3 7 6 0\n"), "line 10: the matrix must be symmetric"},
        {matrix_file("UPPER_ROW", "1 2 3\n-4 5 6\n"), "line 8: a weight must be in 0"},
        {matrix_file("UPPER_ROW", "1 2 3\n4 5.5 6\n"), "line 8: a weight must be an integer"},
        {matrix_file("UPPER_ROW", "1 2 3\n4 5"), "line 8: the file ended within EDGE_WEIGHT_SECTION"},
        {matrix_file("FUNCTION", "1 2 3\n"), "line 6: EDGE_WEIGHT_FORMAT must say"},
        {"DIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\nEOF\n", "line 3: the file ended without NODE_COORD_SECTION"},
        {std::string(300'000, '['), "the file: expected JSON"},
        {std::string(300'000, '[') + std::string(300'000, ']'), "distances: must have 3"},
    };
    for (auto const& [text, expected] : cases) {
        EXPECT_EQ(file_error(text).rfind(expected, 0), 0u) << text.substr(0, 200) << "\ngave " << file_error(text);
    }
}

/// The integers that follow `label` in the text, up to the first character that is neither a digit nor a separator.
std::vector<std::int64_t> integers_after(std::string const& text, std::string const& label) {
    std::vector<std::int64_t> found;
    for (std::size_t at = text.find(label) + label.size(); at < text.size(); ++at) {
        if (text[at] >= '0' && text[at] <= '9') {
            std::size_t used = 0;
            found.push_back(std::stoll(text.substr(at, 12), &used));
            at += used - 1;
        } else if (std::string(" ,-:[]+=").find(text[at]) == std::string::npos) {
            break;
        }
    }
    return found;
}

TEST(tsp_text, shows_worked_examples_that_are_optimal_and_drawn_afresh) {
    words const instance{0, 5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    for (std::int32_t const style : {1, 3}) {
        std::vector<std::string> prompts;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            std::string const text = optgap_text_tsp.prompt(view(instance), style, {seed, 9});
            prompts.push_back(text);
            std::vector<std::int64_t> const pairs = integers_after(text, "and the distances ");
            ASSERT_EQ(pairs.size(), 18u) << text;
            words example{0, 4, 0, 0, 0, 0, 0, 0};
            for (std::size_t k = 0; k < 18; k += 3) {
                example[std::size_t(2 + pairs[k + 1] * (pairs[k + 1] - 1) / 2 + pairs[k])] = std::int32_t(pairs[k + 2]);
            }
            std::vector<std::int64_t> const tour = integers_after(text, "A shortest tour is ");
            ASSERT_EQ(tour.size(), 4u);
            words block{answer_flat};
            block.insert(block.end(), tour.begin(), tour.end());
            verdict const found = reference::tsp::verify(example, block);
            EXPECT_EQ(found.code, code_ok);
            EXPECT_EQ(found.objective, reference::tsp::optimum(example));
            std::vector<std::int64_t> const sum = integers_after(text, "with the length ");
            ASSERT_EQ(sum.size(), 5u);
            EXPECT_EQ(sum[0] + sum[1] + sum[2] + sum[3], sum[4]);
            EXPECT_EQ(sum[4], found.objective);
        }
        std::sort(prompts.begin(), prompts.end());
        EXPECT_GT(std::unique(prompts.begin(), prompts.end()) - prompts.begin(), 35);
    }
}

TEST(tsp_text, gives_every_distance_in_every_style) {
    words const instance{0, 4, 111, 222, 333, 444, 555, 666};
    words const points{1, 3, 100, -150, 25, 7, 300, 12345, 0};
    std::vector<std::string> prompts;
    for (std::int32_t style = 0; style < optgap_text_tsp.styles; ++style) {
        std::string const text = optgap_text_tsp.prompt(view(instance), style, {1, 2});
        for (char const* const distance : {"111", "222", "333", "444", "555", "666"}) {
            EXPECT_NE(text.find(distance), std::string::npos) << "style " << style;
        }
        std::string const located = optgap_text_tsp.prompt(view(points), style, {1, 2});
        for (char const* const point : {"-1.5, 0.25", "0.07, 3", "123.45, 0"}) {
            EXPECT_NE(located.find(point), std::string::npos) << located;
        }
        EXPECT_NE(located.find("rounded to the nearest integer"), std::string::npos);
        prompts.push_back(text);
    }
    std::sort(prompts.begin(), prompts.end());
    EXPECT_EQ(std::unique(prompts.begin(), prompts.end()), prompts.end());
}

TEST(tsp_text, explains_what_is_wrong_with_a_tour) {
    words const instance{0, 4, 10, 15, 35, 20, 25, 30};
    auto const explained = [&](words const& block) {
        return optgap_text_tsp.explain(view(instance), view(block), reference::tsp::verify(instance, block));
    };
    EXPECT_EQ(explained({-1, 0, 1, 3, 2}), "The tour visits each of the 4 cities exactly once and has the length 80.");
    EXPECT_EQ(explained({-1, 0, 1, 1, 2}),
              "City 1 at index 2 was visited before; a tour visits each of the 4 cities exactly once.");
    EXPECT_EQ(explained({-1, 0, 1, 9, 2}), "Value 9 at index 2 is no city; cities are 0 to 3.");
    EXPECT_EQ(explained({-1, 0, 3}), "The tour leaves out 2 of the 4 cities, among them city 1.");
    EXPECT_EQ(explained({-1}), "The list is empty; a tour visits each of the 4 cities exactly once.");
    EXPECT_EQ(explained({1, 2, 0, 1}), "The answer is a list of lists, but a tour is one list of cities.");
}

}  // namespace
