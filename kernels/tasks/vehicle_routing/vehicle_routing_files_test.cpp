#include "kernels/tasks/vehicle_routing/vehicle_routing.hpp"
#include "tests/support/file_cases.hpp"

namespace optgap::text::vehicle_routing {
std::vector<std::int32_t> read_vrp(std::string_view text);
}

namespace optgap {
namespace {

using vrp_task = tasks::vehicle_routing::task;
using testing::wide_block;
using text::vehicle_routing::read_vrp;

std::string const vrp_head = "NAME : six\nCOMMENT : (two trucks at least)\nTYPE : CVRP\nDIMENSION : 6\nCAPACITY : 60\n";
std::string const vrp_demands = "DEMAND_SECTION\n1 0\n2 7\n3 30\n4 16\n5 9\n6 21\n";
std::string const vrp_end = vrp_demands + "DEPOT_SECTION\n 1\n -1\nEOF\n";
std::string const vrp_places = " 1 30 40\n 2 37 52\n 3 49 49\n 4 52 64\n 5 20 26\n 6 40 30\n";
std::string const vrp_points = vrp_head + "EDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n" + vrp_places + vrp_end;

std::string vrp_matrix(std::string const& format, std::string const& numbers) {
    return vrp_head + "EDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : " + format + "\nEDGE_WEIGHT_SECTION\n" +
           numbers + vrp_end;
}
std::string const vrp_rows = "17\n24 15\n36 22 18\n20 34 40 53\n17 25 24 39 23\n";

TEST(vehicle_routing, files_of_points_and_of_distances_are_proven) {
    EXPECT_EQ(testing::optimum_of_file<vrp_task>(read_vrp, vrp_points), 120);
    EXPECT_EQ(testing::optimum_of_file<vrp_task>(read_vrp, vrp_matrix("LOWER_ROW", vrp_rows)), 141);
    wide_block const words = read_vrp(vrp_matrix("LOWER_ROW", vrp_rows));
    // The other triangles, and numbers on any lines.
    EXPECT_EQ(read_vrp(vrp_matrix("UPPER_COL", "17 24 15 36\n22 18 20 34 40 53 17 25 24 39\n23\n")), words);
    EXPECT_EQ(read_vrp(vrp_matrix("UPPER_ROW", "17 24 36 20 17\n15 22 34 25\n18 40 24\n53 39\n23\n")), words);
    EXPECT_EQ(read_vrp(vrp_matrix("LOWER_DIAG_ROW", "0 17 0 24 15 0 36 22 18 0\n20 34 40 53 0 17 25 24 39 23 0\n")),
              words);
    EXPECT_EQ(read_vrp(vrp_matrix("FULL_MATRIX",
                                  "0 17 24 36 20 17\n17 0 15 22 34 25\n24 15 0 18 40 24\n36 22 18 0 53 39\n"
                                  "20 34 40 53 0 23\n17 25 24 39 23 0\n")),
              words);
}

TEST(vehicle_routing, points_that_are_not_whole_become_distances) {
    std::string text = vrp_points;
    text.replace(text.find("30 40"), 5, "-0.5 2e4");
    wide_block const words = read_vrp(text);
    ASSERT_EQ(words.size(), std::size_t(families::routes_words(6) + 36));
    EXPECT_EQ(words[std::size_t(families::routes_words(6) + 1)], 19948);  // from (-0.5, 20000) to (37, 52)
    EXPECT_EQ(vrp_task::check(testing::wide_view(words)), nullptr);
    std::string rounded_up = vrp_points;
    rounded_up.replace(rounded_up.find("EUC_2D"), 6, "CEIL_2D");
    EXPECT_EQ(read_vrp(rounded_up)[std::size_t(families::routes_words(6) + 1)], 14);  // the root of 193
}

TEST(vehicle_routing, any_place_of_a_file_may_be_the_depot) {
    std::string text = vrp_points;
    text.replace(text.find("1 0\n2 7\n"), 8, "1 7\n2 0\n");
    text.replace(text.find("SECTION\n 1\n"), 11, "SECTION\n 2 -1\n");
    text.erase(text.find(" -1\n -1\n") + 4, 4);
    wide_block const words = read_vrp(text);
    EXPECT_EQ(wide_block(words.begin() + 2, words.begin() + 6), (wide_block{37, 52, 30, 40}));
    EXPECT_EQ(wide_block(words.begin() + 14, words.end()), (wide_block{0, 7, 30, 16, 9, 21}));
}

TEST(vehicle_routing, cut_surplus_and_foreign_files_are_refused) {
    testing::expect_cuts_refused(read_vrp, vrp_points, 1);  // except for EOF
    testing::expect_cuts_refused(read_vrp, vrp_matrix("LOWER_ROW", vrp_rows), 1);
    testing::expect_no_nonsense<vrp_task>(read_vrp, vrp_points);
    testing::expect_no_nonsense<vrp_task>(read_vrp, vrp_matrix("LOWER_ROW", vrp_rows));
    auto const changed = [](std::string text, std::string const& from, std::string const& to) {
        return text.replace(text.find(from), from.size(), to);
    };
    testing::expect_refused(
        read_vrp,
        {{"", "line 1: the file has no DIMENSION; expected a CVRP file"},
         {"hello\n", "line 1: expected a keyword or a section of a CVRP file, found 'hello'"},
         {changed(vrp_points, "CVRP", "TSP"), "line 3: TYPE must be CVRP, found 'TSP'"},
         {changed(vrp_points, " 6 40 30\n", ""), "line 13: a place must be an integer, found 'DEMAND_SECTION'"},
         {changed(vrp_points, " 6 40 30\n", " 6 40 30\n 7 1 1\n"), "line 14: expected a keyword or a section"},
         {changed(vrp_points, " 6 40 30\n", " 7 40 30\n"), "line 13: a place must be in 1 ... 6"},
         {changed(vrp_points, " 6 40 30\n", " 5 40 30\n"), "line 13: place 5 stands there twice"},
         {changed(vrp_points, " 6 40 30\n", " 6 40 30 1\n"), "line 13: the line goes on"},
         {changed(vrp_points, " 6 40 30\n", " 6 40 nan\n"), "line 13: a coordinate must be a number"},
         {changed(vrp_points, "6 21\n", "6 61\n"), "line 24: the demand of place 6 must be in 1 ... CAPACITY"},
         {changed(vrp_points, "1 0\n", "1 1\n"), "line 24: the depot's demand must be 0"},
         {changed(vrp_points, " 1\n -1\n", " 1\n 2\n -1\n"), "line 23: DEPOT_SECTION must name one depot"},
         {changed(vrp_points, "CAPACITY : 60", "CAPACITY : -1"), "line 5: CAPACITY must be in 1 ... 1000000"},
         {changed(vrp_points, "CAPACITY : 60", "VEHICLES : 2"), "line 5: VEHICLES asks for less or shorter routes"},
         {changed(vrp_points, "CAPACITY : 60", "SEASON : 2"), "line 5: 'SEASON' is no keyword of a CVRP file"},
         {changed(vrp_points, "DIMENSION : 6", "DIMENSION : 201"), "line 4: DIMENSION must be in 2 ... 200"},
         {vrp_points + "7 1 1\n", "line 25: there is a line behind EOF"},
         {changed(vrp_points, "EUC_2D", "GEO"), "line 6: EDGE_WEIGHT_TYPE must be one of"},
         {vrp_matrix("LOWER_ROW", "17\n24 15\n36 22 18\n20 34 40 53\n17 25 24 39 23 1\n"), "line 13: the line goes on"},
         {vrp_matrix("LOWER_ROW", vrp_rows + "5\n"), "line 14: expected a keyword or a section"},
         {vrp_matrix("LOWER_ROW", "17\n24 15\n36 22 18\n20 34 40 53\n17 25 24 39\n"),
          "line 14: a distance must be an integer, found 'DEMAND_SECTION'"},
         {vrp_matrix("LOWER_ROW", "17\n24 15\n36 22 18\n20 34 40 53\n17 25 24 39 -23\n"),
          "line 13: a distance must be in 0 ... 10000000"},
         {vrp_matrix("FULL_MATRIX", "0 17 24 36 20 17\n18 0 15 22 34 25\n"),
          "line 10: the distances must be the same in both directions; places 1 and 2 have two"},
         {vrp_matrix("SPARSE", vrp_rows), "line 7: EDGE_WEIGHT_FORMAT must be FULL_MATRIX"}});
}

}  // namespace
}  // namespace optgap
