#include "kernels/text/files/graph_files.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace optgap {

edge_list::edge_list(std::int32_t n) : words_(std::size_t(graph_words(n))) {
    rows_ = begin_graph(team_, words_.data(), n);
}

void edge_list::add(std::int32_t u, std::int32_t v) {
    ++lines_;
    if (u == v) {
        ++loops_;
        return;
    }
    if (!view_graph({words_.data(), std::int64_t(words_.size())}).adjacent(u, v)) {
        ++edges_;
        add_edge(team_, rows_, n(), u, v);
    }
}

/// Only then may m differ from the number of lines: a file that was cut off does not list all edges twice.
bool edge_list::even() const { return lines_ - loops_ == edges_ || lines_ - loops_ == 2 * edges_; }

std::string edge_list::oddity() const {
    return even() ? ""
                  : "of " + std::to_string(edges_) + " edges some are there once and some more often (" +
                        std::to_string(lines_) + " lines)";
}

/// Whether each vertex has an edge. Half of a file that lists its edges once looks like a file that counts them twice,
/// except for the vertices that only the other half names.
bool edge_list::all_joined() const {
    graph_view const graph = view_graph({words_.data(), std::int64_t(words_.size())});
    for (std::int32_t u = 0; u < graph.n; ++u) {
        if (std::all_of(graph.row(u), graph.row(u) + graph.row_words, [](std::uint32_t word) { return word == 0; })) {
            return false;
        }
    }
    return true;
}

std::string edge_list::broken_count(std::int64_t m) const {
    bool const counted_twice = m == 2 * edges_ && (lines_ != edges_ || all_joined());
    if (m == lines_ || (even() && (m == edges_ || counted_twice))) {
        return "";
    }
    return "the problem line says " + std::to_string(m) + " edges, but there are " + std::to_string(edges_) +
           " different ones in " + std::to_string(lines_) + " lines";
}

namespace {

/// The problem line and the edges of a DIMACS file, and the m that it declares.
class dimacs_reader {
public:
    explicit dimacs_reader(std::string_view text) : lines_(text) {}

    edge_list read() {
        while (lines_.next()) {
            file_words words = lines_.words();
            std::string_view const kind = words.next_word();
            if (kind.front() == 'c') {
                continue;
            }
            if (kind == "p") {
                read_problem(words);
            } else if (kind == "e") {
                read_edge(words);
            } else if (!graph_) {
                lines_.fail("expected a DIMACS graph: comments c, a problem line p edge n m and lines e u v; found '" +
                            file_words::shown(lines_.line()) + "'");
            } else {
                lines_.fail("must begin with c or e");
            }
        }
        if (!graph_) {
            throw field_error("line 1", "there is no problem line, p edge n m");
        }
        return std::move(*graph_);
    }
    [[nodiscard]] std::int64_t edges() const { return m_; }
    [[nodiscard]] file_lines const& lines() const { return lines_; }

private:
    void read_problem(file_words words) {
        file_words rest = words;
        std::string_view const format = rest.next_word();
        bool const named = format == "edge" || format == "col" || format == "edges" || format == "clq";
        if (graph_ || !(named || (!format.empty() && format.front() >= '0' && format.front() <= '9'))) {
            lines_.fail("must be the only problem line, p edge n m or p col n m");
        }
        file_words numbers = named ? rest : words;
        std::int64_t const n = numbers.next_integer("n", 1, max_graph_vertices);
        m_ = numbers.next_integer("m", 0, INT64_MAX);
        if (!numbers.at_end()) {
            lines_.fail("the problem line goes on behind p edge n m");
        }
        graph_.emplace(std::int32_t(n));
    }

    void read_edge(file_words words) {
        if (!graph_) {
            lines_.fail("must come after the problem line");
        }
        if (lines_.count() != 3) {
            lines_.fail("must be e u v with vertices from 1 to " + std::to_string(graph_->n()));
        }
        std::int64_t const u = words.next_integer("a vertex", 1, graph_->n()) - 1;
        std::int64_t const v = words.next_integer("a vertex", 1, graph_->n()) - 1;
        graph_->add(std::int32_t(u), std::int32_t(v));
    }

    file_lines lines_;
    std::optional<edge_list> graph_;
    std::int64_t m_ = 0;
};

}  // namespace

std::vector<std::int32_t> read_dimacs_graph(std::string_view text) {
    dimacs_reader reader(text);
    edge_list graph = reader.read();
    if (std::string const broken = graph.broken_count(reader.edges()); !broken.empty()) {
        reader.lines().fail(broken);
    }
    return graph.take();
}

std::vector<std::int32_t> read_dimacs_bits(std::string_view text) {
    std::size_t length = 0;
    auto const [number_end, problem] = std::from_chars(text.data(), text.data() + text.size(), length);
    std::size_t const begin = std::size_t(number_end - text.data()) + 1;
    if (problem != std::errc() || begin > text.size() || *number_end != '\n' || length > text.size() - begin) {
        throw field_error("line 1", "must be the number of bytes of the preamble that follows");
    }
    dimacs_reader reader(text.substr(begin, length));
    edge_list graph = reader.read();
    std::string_view rows = text.substr(begin + length);
    for (std::int32_t u = 0; u < graph.n(); ++u) {
        std::size_t const bytes = std::size_t(u) / 8 + 1;
        std::string const place = "row " + std::to_string(u + 1);
        if (rows.size() < bytes) {
            throw field_error(place, "the file ended; row i of the triangle has i / 8 bytes, rounded up");
        }
        for (std::int32_t v = 0; v < u; ++v) {
            if ((static_cast<unsigned char>(rows[std::size_t(v) / 8]) >> (7 - v % 8) & 1) != 0) {
                graph.add(u, v);
            }
        }
        rows.remove_prefix(bytes);
    }
    if (rows.find_first_not_of(" \t\r\n") != std::string_view::npos) {
        throw field_error("row " + std::to_string(graph.n() + 1),
                          "the file must end with the bits of its last vertex, " + std::to_string(graph.n()));
    }
    if (std::string const broken = graph.broken_count(reader.edges()); !broken.empty()) {
        throw field_error("the preamble", broken);
    }
    return graph.take();
}

}  // namespace optgap
