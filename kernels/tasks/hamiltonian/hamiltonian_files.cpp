// Hamiltonian circuit problems in TSPLIB's keywords (Reinelt 1995), also used by the FHCP challenge set.

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/text/file_words.hpp"
#include "kernels/text/files/graph_files.hpp"

namespace optgap::text::hamiltonian {
namespace {

class hcp_reader {
public:
    explicit hcp_reader(std::string_view text) : lines_(text) {}

    std::vector<std::int32_t> read() {
        while (lines_.next() && lines_.line() != "EOF") {
            std::string_view const line = lines_.line();
            std::size_t const colon = std::min(line.find(':'), line.size());
            std::string_view const key = file_words::trimmed(line.substr(0, colon));
            std::string_view const value = file_words::trimmed(line.substr(std::min(colon + 1, line.size())));
            if (key != "COMMENT" && !keywords_.insert(key).second) {
                lines_.fail(file_words::shown(key) + " is there twice");
            }
            if (key == "EDGE_DATA_SECTION") {
                read_edges();
            } else {
                read_header(key, value);
            }
        }
        if (!ended_) {
            lines_.fail("the file ended without EDGE_DATA_SECTION");
        }
        if (lines_.line() == "EOF" && lines_.next()) {
            lines_.fail("there is a line behind EOF");
        }
        return std::move(words_);
    }

private:
    void read_header(std::string_view key, std::string_view value) {
        std::string_view const first = value.substr(0, value.find_first_of(" \t"));
        if (key == "TYPE") {
            need(first == "HCP", "TYPE must be HCP, found '" + file_words::shown(value) + "'");
        } else if (key == "DIMENSION") {
            file_words words(value, lines_.number());
            n_ = words.next_integer("DIMENSION", 1, max_graph_vertices);
            need(words.at_end(), "the line goes on behind its number");
        } else if (key == "EDGE_DATA_FORMAT") {
            need(first == "EDGE_LIST" || first == "ADJ_LIST",
                 "EDGE_DATA_FORMAT must be EDGE_LIST or ADJ_LIST, found '" + file_words::shown(value) + "'");
            by_vertices_ = first == "ADJ_LIST";
        } else {
            need(
                key == "NAME" || key == "COMMENT",
                "expected a Hamiltonian circuit problem in TSPLIB's keywords (NAME, TYPE, DIMENSION, EDGE_DATA_FORMAT, "
                "EDGE_DATA_SECTION), found '" +
                    file_words::shown(lines_.line()) + "'");
        }
    }

    /// Lines "u v" up to -1, or a vertex, its neighbours and -1. A file without the last -1 is incomplete.
    void read_edges() {
        need(n_ > 0, "DIMENSION must come before EDGE_DATA_SECTION");
        edge_list graph(static_cast<std::int32_t>(n_));
        while (!ended_) {
            need(lines_.next() && lines_.line() != "EOF", "the file is cut: EDGE_DATA_SECTION must end with -1");
            file_words words = lines_.words();
            if (lines_.line() == "-1") {
                ended_ = true;
                continue;
            }
            std::int64_t const u = vertex(words);
            if (by_vertices_) {
                std::int64_t v = words.next_integer("a neighbour or -1", -1, n_);
                for (; v != -1; v = words.next_integer("a neighbour or -1", -1, n_)) {
                    need(v != 0, "a neighbour must be in 1 ... " + std::to_string(n_));
                    add(graph, u, v - 1);
                }
            } else {
                add(graph, u, vertex(words));
            }
            need(words.at_end(), by_vertices_ ? "the line goes on behind -1" : "expected the two ends of an edge");
        }
        std::string const odd = graph.oddity();
        need(odd.empty(), odd);
        words_ = graph.take();
    }
    std::int64_t vertex(file_words& words) const { return words.next_integer("a vertex", 1, n_) - 1; }
    void add(edge_list& graph, std::int64_t u, std::int64_t v) const {
        need(u != v, "an edge must join two different vertices");
        graph.add(std::int32_t(u), std::int32_t(v));
    }
    void need(bool holds, std::string rule) const {
        if (!holds) {
            lines_.fail(std::move(rule));
        }
    }

    file_lines lines_;
    std::set<std::string_view> keywords_;  ///< keywords that occurred
    std::int64_t n_ = 0;
    bool by_vertices_ = false;
    bool ended_ = false;
    std::vector<std::int32_t> words_;
};

}  // namespace

std::vector<std::int32_t> read_hcp(std::string_view text) { return hcp_reader(text).read(); }

}  // namespace optgap::text::hamiltonian
