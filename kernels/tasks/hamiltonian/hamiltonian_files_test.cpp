#include "kernels/core/graph.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian.hpp"
#include "tests/support/file_cases.hpp"

namespace optgap::text::hamiltonian {
std::vector<std::int32_t> read_hcp(std::string_view text);
}

namespace optgap {
namespace {

using hcp_task = tasks::hamiltonian::task;
using text::hamiltonian::read_hcp;

std::string const hcp_head =
    "NAME : ring\nTYPE : HCP\nDIMENSION : 4\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n";
std::string const hcp_ring = hcp_head + "1 2\n2 3\n3 4\n4 1\n-1\nEOF\n";

TEST(hamiltonian, files_of_the_hcp_format_are_read) {
    testing::wide_block const ring = read_hcp(hcp_ring);
    graph_view const graph = view_graph(testing::wide_view(ring));
    EXPECT_EQ(graph.n, 4);
    EXPECT_TRUE(graph.adjacent(0, 1) && graph.adjacent(1, 2) && graph.adjacent(2, 3) && graph.adjacent(3, 0));
    EXPECT_FALSE(graph.adjacent(0, 2) || graph.adjacent(1, 3));
    EXPECT_EQ(read_hcp("DIMENSION: 4\r\nCOMMENT: a\r\nCOMMENT: b\r\nEDGE_DATA_FORMAT: ADJ_LIST\r\nEDGE_DATA_SECTION\r\n"
                       "1 2 4 -1\r\n2 3 -1\r\n3 4 -1\r\n-1\r\n"),
              ring);
    EXPECT_EQ(read_hcp(hcp_head + "1 2\n2 3\n3 4\n4 1\n1 4\n4 3\n3 2\n2 1\n-1\n"), ring);
}

TEST(hamiltonian, cut_surplus_and_foreign_hcp_files_are_refused) {
    testing::expect_cuts_refused(read_hcp, hcp_ring, 1);
    testing::expect_no_nonsense<hcp_task>(read_hcp, hcp_ring);
    testing::expect_refused(
        read_hcp, {{"", "line 1: the file ended without EDGE_DATA_SECTION"},
                   {"Dear colleague,\n", "line 1: expected a Hamiltonian circuit problem"},
                   {"TYPE : TSP\n", "line 1: TYPE must be HCP, found 'TSP'"},
                   {"DIMENSION : 0\n", "line 1: DIMENSION must be in 1 ... 20000"},
                   {"EDGE_DATA_SECTION\n", "line 1: DIMENSION must come before"},
                   {"DIMENSION : 4\nDIMENSION : 4\n", "line 2: DIMENSION is there twice"},
                   {hcp_head + "1 2\nEOF\n", "line 7: the file is cut"},
                   {hcp_head + "1 5\n", "line 6: a vertex must be in 1 ... 4"},
                   {hcp_head + "1 1\n", "line 6: an edge must join two different vertices"},
                   {hcp_head + "1 2 3\n", "line 6: expected the two ends of an edge"},
                   {hcp_head + "1 2\n2 3\n1 2\n-1\n", "line 9: of 2 edges some are there once and some more often"},
                   {hcp_ring + "1 3\n", "line 12: there is a line behind EOF"}});
}

}  // namespace
}  // namespace optgap
