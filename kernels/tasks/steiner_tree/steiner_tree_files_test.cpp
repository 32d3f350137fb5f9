#include "kernels/tasks/steiner_tree/steiner_tree.hpp"
#include "tests/support/file_cases.hpp"

namespace optgap::text::steiner_tree {
std::vector<std::int32_t> read_stp(std::string_view text);
}

namespace optgap {
namespace {

using stp_task = tasks::steiner_tree::task;
using text::steiner_tree::read_stp;

std::string const stp_head = "33D32945 STP File, STP Format Version 1.0\n\nSECTION Comment\nName \"five\"\nEND\n\n";
std::string const stp_graph =
    "SECTION Graph\nNodes 5\nEdges 7\nE 1 2 4\nE 2 3 3\nE 3 4 2\nE 4 5 5\nE 1 5 6\nE 2 5 2\nE 3 5 4\nEND\n";
std::string const stp_terminals = "SECTION Terminals\nTerminals 3\nT 1\nT 3\nT 4\nEND\n";
std::string const stp_file = stp_head + stp_graph + stp_terminals + "\nEOF\n";

TEST(steiner_tree, files_of_steinlib_are_proven) {
    EXPECT_EQ(testing::optimum_of_file<stp_task>(read_stp, stp_file), 9);
    std::string lower = stp_file;
    lower.replace(lower.find("SECTION Graph"), 13, "Section graph");
    lower.replace(lower.find("Nodes"), 5, "nodes");
    EXPECT_EQ(read_stp(lower), read_stp(stp_file));
    std::string drawn = stp_file;
    drawn.insert(drawn.find("\nEOF"), "SECTION Coordinates\nDD 1 80 40\nEND\n");
    EXPECT_EQ(read_stp(drawn), read_stp(stp_file));
    std::string remarked = stp_file;
    remarked.insert(remarked.find("E 3 4"), "# E 1 3 1\n");
    EXPECT_EQ(read_stp(remarked), read_stp(stp_file));
    std::string doubled = stp_file;  // the lighter one of two edges counts
    doubled.replace(doubled.find("Edges 7"), 7, "Edges 8");
    doubled.insert(doubled.find("E 2 3 3"), "E 2 1 9\n");
    EXPECT_EQ(read_stp(doubled), read_stp(stp_file));
}

TEST(steiner_tree, cut_surplus_and_foreign_files_are_refused) {
    testing::expect_cuts_refused(read_stp, stp_file, 2);  // except for EOF
    testing::expect_no_nonsense<stp_task>(read_stp, stp_file);
    auto const changed = [](std::string const& from, std::string const& to) {
        std::string text = stp_file;
        return text.replace(text.find(from), from.size(), to);
    };
    testing::expect_refused(
        read_stp,
        {{"", "line 1: expected the first line of a SteinLib file, 33D32945 STP File"},
         {"4 5\n1 2 3\n", "line 1: expected the first line of a SteinLib file"},
         {stp_file + "E 1 3 1\n", "line 26: there is a line behind EOF"},
         {stp_head, "line 6: the file ended without the section Graph"},
         {stp_head + stp_graph, "line 17: the file ended without the section Terminals"},
         {stp_head + stp_terminals, "line 7: the section Graph must come before Terminals"},
         {stp_head + stp_graph + stp_graph, "line 18: there is a second section Graph"},
         {changed("E 3 5 4\n", ""), "line 16: Edges says 7, but there are 6"},
         {changed("E 3 5 4\n", "E 3 5 4\nE 1 3 4\n"), "line 18: Edges says 7, but there are 8"},
         {changed("T 4\n", ""), "line 22: Terminals says 3, but there are 2"},
         {changed("T 4\n", "T 3\n"), "line 22: node 3 is a terminal already"},
         {changed("T 4\n", "T 6\n"), "line 22: a terminal must be in 1 ... 5"},
         {changed("T 4\n", "RootP 4\n"), "line 22: 'RootP' is none of Terminals and T"},
         {changed("E 1 2 4", "E 1 2 0"), "line 10: a weight must be in 1 ... 100000"},
         {changed("E 1 2 4", "E 1 1 4"), "line 10: an edge must join two different nodes"},
         {changed("E 1 2 4", "E 0 2 4"), "line 10: a node must be in 1 ... 5"},
         {changed("E 1 2 4", "E 1 2 4 4"), "line 10: the line goes on"},
         {changed("E 1 2 4", "A 1 2 4"), "line 10: arcs have a direction"},
         {changed("Nodes 5", "Nodes 501"), "line 8: the number of nodes must be in 1 ... 500"},
         {changed("Nodes 5\n", ""), "line 9: Nodes must come before the edges"},
         {changed("SECTION Terminals", "SECTION MaximumDegrees"),
          "line 18: the section 'MaximumDegrees' is of another problem"},
         {changed("Nodes 5", "Nodes 6"), "line 25: n is 1 to 500, an edge joins two different vertices and weighs"}});
}

}  // namespace
}  // namespace optgap
