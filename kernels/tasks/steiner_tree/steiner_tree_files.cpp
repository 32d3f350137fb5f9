// Graphs in SteinLib's format (Koch, Martin & Voss 2001): sections of lines, each line of a keyword and numbers.

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/tasks/steiner_tree/steiner_tree.hpp"
#include "kernels/text/file_words.hpp"

namespace optgap::text::steiner_tree {
namespace {

using optgap::tasks::steiner_tree::graph_layout;
using optgap::tasks::steiner_tree::task;

/// Keywords may be in any letter case.
bool is_word(std::string_view word, std::string_view wanted) {
    return std::equal(word.begin(), word.end(), wanted.begin(), wanted.end(), [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    });
}

class stp_reader {
public:
    explicit stp_reader(std::string_view text) : lines_(text) {}

    std::vector<std::int32_t> read() {
        if (!next_line() || !is_word(lines_.words().next_word(), "33D32945")) {
            lines_.fail("expected the first line of a SteinLib file, 33D32945 STP File, STP Format Version 1.0");
        }
        while (next_line() && !is_word(lines_.line(), "EOF")) {
            file_words words = lines_.words();
            std::string_view const section = words.next_word();
            std::string_view const name = words.next_word();
            if (!is_word(section, "SECTION")) {
                lines_.fail("expected SECTION or EOF, found '" + file_words::shown(lines_.line()) + "'");
            }
            if (is_word(name, "Graph")) {
                read_graph();
            } else if (is_word(name, "Terminals")) {
                read_terminals();
            } else if (is_word(name, "Comment") || is_word(name, "Coordinates")) {
                skip_section();
            } else {
                lines_.fail("the section '" + file_words::shown(name) +
                            "' is of another problem; this task has Graph and Terminals");
            }
        }
        if (is_word(lines_.line(), "EOF") && next_line()) {
            lines_.fail("there is a line behind EOF");
        }
        if (words_.empty() || terminals_.empty()) {
            lines_.fail(std::string("the file ended without the section ") + (words_.empty() ? "Graph" : "Terminals"));
        }
        words_.push_back(std::int32_t(terminals_.size()));
        words_.insert(words_.end(), terminals_.begin(), terminals_.end());
        if (char const* const rule = task::check({words_.data(), std::int64_t(words_.size())})) {
            lines_.fail(rule);
        }
        return std::move(words_);
    }

private:
    /// Lines that begin with # are comments.
    bool next_line() {
        while (lines_.next()) {
            if (lines_.line().front() != '#') {
                return true;
            }
        }
        return false;
    }
    /// Goes to the section's next line; false at its END.
    bool next() {
        if (!next_line()) {
            lines_.fail("the file ended within a section");
        }
        return !is_word(lines_.line(), "END");
    }
    void skip_section() {
        while (next()) {
        }
    }
    static void must_end(file_words& words) {
        if (!words.at_end()) {
            words.fail("the line goes on behind its last number");
        }
    }

    void read_graph() {
        if (!words_.empty()) {
            lines_.fail("there is a second section Graph");
        }
        std::int64_t edges = -1;
        std::int64_t found = 0;
        while (next()) {
            file_words words = lines_.words();
            std::string_view const keyword = words.next_word();
            if (is_word(keyword, "Nodes")) {
                n_ = words.next_integer("the number of nodes", 1, families::max_edge_vertices);
                words_.assign(std::size_t(weighted_graph_words(n_)), 0);
                words_[0] = std::int32_t(n_);
            } else if (is_word(keyword, "Edges")) {
                edges = words.next_integer("the number of edges", 0, INT32_MAX);
            } else if (is_word(keyword, "E")) {
                read_edge(words);
                ++found;
            } else if (is_word(keyword, "Arcs") || is_word(keyword, "A")) {
                lines_.fail("arcs have a direction, which this task's edges have not");
            } else {
                lines_.fail("'" + file_words::shown(keyword) + "' is none of Nodes, Edges and E");
            }
            must_end(words);
        }
        if (edges < 0 || words_.empty()) {
            lines_.fail(std::string("the section Graph does not say ") + (words_.empty() ? "Nodes" : "Edges"));
        }
        if (found != edges) {
            lines_.fail("Edges says " + std::to_string(edges) + ", but there are " + std::to_string(found));
        }
    }
    /// Of several edges between two vertices only the lightest counts: a tree of least weight never uses the others.
    void read_edge(file_words& words) {
        if (words_.empty()) {
            lines_.fail("Nodes must come before the edges");
        }
        std::int64_t const u = words.next_integer("a node", 1, n_) - 1;
        std::int64_t const v = words.next_integer("a node", 1, n_) - 1;
        auto const weight = std::int32_t(words.next_integer("a weight", 1, families::max_edge_weight));
        if (u == v) {
            lines_.fail("an edge must join two different nodes");
        }
        std::int32_t& there = words_[std::size_t(1 + u * n_ + v)];
        there = there == 0 ? weight : std::min(there, weight);
        words_[std::size_t(1 + v * n_ + u)] = there;
    }

    void read_terminals() {
        if (words_.empty()) {
            lines_.fail("the section Graph must come before Terminals");
        }
        if (!terminals_.empty()) {
            lines_.fail("there is a second section Terminals");
        }
        std::int64_t expected = -1;
        std::vector<bool> is_there(std::size_t(n_), false);
        while (next()) {
            file_words words = lines_.words();
            std::string_view const keyword = words.next_word();
            if (is_word(keyword, "Terminals")) {
                expected = words.next_integer("the number of terminals", graph_layout[1].low.plus, n_);
            } else if (is_word(keyword, "T")) {
                std::int64_t const v = words.next_integer("a terminal", 1, n_) - 1;
                if (is_there[std::size_t(v)]) {
                    lines_.fail("node " + std::to_string(v + 1) + " is a terminal already");
                }
                is_there[std::size_t(v)] = true;
                terminals_.push_back(std::int32_t(v));
            } else {
                lines_.fail("'" + file_words::shown(keyword) +
                            "' is none of Terminals and T; roots and prizes are of another problem");
            }
            must_end(words);
        }
        if (expected < 0) {
            lines_.fail("the section Terminals does not say how many there are");
        }
        if (std::int64_t(terminals_.size()) != expected) {
            lines_.fail("Terminals says " + std::to_string(expected) + ", but there are " +
                        std::to_string(terminals_.size()));
        }
    }

    file_lines lines_;
    std::int64_t n_ = 0;
    std::vector<std::int32_t> words_;
    std::vector<std::int32_t> terminals_;
};

}  // namespace

std::vector<std::int32_t> read_stp(std::string_view text) { return stp_reader(text).read(); }

}  // namespace optgap::text::steiner_tree
