#include "kernels/text/graph_json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "kernels/core/graph.hpp"
#include "kernels/core/team.hpp"
#include "kernels/core/weighted_graph.hpp"
#include "kernels/text/json_fields.hpp"

namespace optgap {
namespace {

class graph_builder {
public:
    explicit graph_builder(std::int32_t n) : words_(std::size_t(graph_words(n))) {
        rows_ = begin_graph(team_, words_.data(), n);
    }
    void add(std::int32_t u, std::int32_t v) { add_edge(team_, rows_, words_[0], u, v); }
    [[nodiscard]] std::int32_t n() const { return words_[0]; }
    std::vector<std::int32_t> take() { return std::move(words_); }

private:
    solo team_;
    std::vector<std::int32_t> words_;
    std::uint32_t* rows_ = nullptr;
};

/// The next blank-separated part of `line`, taken off its front; empty at the end.
std::string_view next_part(std::string_view& line) {
    constexpr std::string_view blanks = " \t\r";
    std::size_t const begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) {
        line = {};
        return {};
    }
    line.remove_prefix(begin);
    std::size_t const end = line.find_first_of(blanks);
    std::string_view const part = line.substr(0, end);
    line.remove_prefix(part.size());
    return part;
}

std::optional<std::int32_t> next_integer(std::string_view& line, std::int32_t low, std::int32_t high) {
    std::string_view const part = next_part(line);
    std::int32_t number = 0;
    auto const [end, problem] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (problem != std::errc() || end != part.data() + part.size() || number < low || number > high) {
        return std::nullopt;
    }
    return number;
}

}  // namespace

namespace {

/// How the entries of a list of edges are written.
struct edge_form {
    std::size_t size;
    char const* list_rule;
    char const* entry_rule;
};
constexpr edge_form pairs{2, "must be a list of pairs [u, v]", "must be a pair [u, v]"};
constexpr edge_form triples{3, "must be a list of triples [u, v, weight]", "must be a triple [u, v, weight]"};

template <class Value>
std::int32_t read_vertex_count(Value const& n, std::int32_t most) {
    auto const count = integer_within(n, 1, most);
    if (!count) {
        throw field_error("n", integer_rule(1, most));
    }
    return *count;
}

/// add(i, entry, u, v) for the i-th entry of the field `name`.
template <class Value, class Add>
void read_edges(char const* name, Value const& edges, edge_form const& form, std::int32_t n, Add const& add) {
    if (!edges.is_array()) {
        throw field_error(name, form.list_rule);
    }
    for (std::size_t i = 0; Value const& edge : edges) {
        if (!edge.is_array() || edge.size() != form.size) {
            throw field_error(entry_name(name, i), form.entry_rule);
        }
        std::array<std::int32_t, 2> ends{};
        for (std::size_t k = 0; k < 2; ++k) {
            auto const end = integer_within(edge[k], 0, n - 1);
            if (!end) {
                throw field_error(entry_name(name, i, k),
                                  "must be a vertex, an integer from 0 to " + std::to_string(n - 1));
            }
            ends[k] = *end;
        }
        if (ends[0] == ends[1]) {
            throw field_error(entry_name(name, i), "must join two different vertices");
        }
        add(i++, edge, ends[0], ends[1]);
    }
}

template <class Value>
std::vector<std::int32_t> graph_of(Value const& n, Value const& edges, char const* name) {
    graph_builder graph(read_vertex_count(n, max_graph_vertices));
    read_edges(name, edges, pairs, graph.n(),
               [&](std::size_t, Value const&, std::int32_t u, std::int32_t v) { graph.add(u, v); });
    return graph.take();
}

template <class Value>
std::vector<std::int32_t> weighted_graph_of(Value const& vertices, Value const& edges, char const* name,
                                            std::int32_t least_weight) {
    constexpr std::int32_t absent = INT32_MIN;
    std::int32_t const n = read_vertex_count(vertices, max_weighted_vertices);
    std::vector<std::int32_t> words(std::size_t(weighted_graph_words(n)), absent);
    words[0] = n;
    auto const weight_of = [&](std::int64_t u, std::int64_t v) -> std::int32_t& {
        return words[std::size_t(1 + u * n + v)];
    };
    read_edges(name, edges, triples, n, [&](std::size_t i, Value const& edge, std::int32_t u, std::int32_t v) {
        auto const weight = integer_within(edge[2], least_weight, INT32_MAX);
        if (!weight) {
            throw field_error(entry_name(name, i, 2),
                              "must be a weight, an integer from " + std::to_string(least_weight) + " to 2147483647");
        }
        if (std::int32_t const there = weight_of(u, v); there != absent && there != *weight) {
            throw field_error(entry_name(name, i), "gives a pair a second weight, after " + std::to_string(there));
        }
        weight_of(u, v) = weight_of(v, u) = *weight;
    });
    std::ranges::replace(words, absent, 0);
    return words;
}

}  // namespace

json graph_edges(words_view words) {
    graph_view const graph = view_graph(words);
    json edges = json::array();
    for (std::int32_t u = 0; u < graph.n; ++u) {
        for (std::int32_t v = u + 1; v < graph.n; ++v) {
            if (graph.adjacent(u, v)) {
                edges.push_back(json::array({u, v}));
            }
        }
    }
    return edges;
}

std::vector<std::int32_t> read_graph(json const& n, json const& edges, char const* name) {
    return graph_of(n, edges, name);
}
std::vector<std::int32_t> read_graph(flat_value const& n, flat_value const& edges, char const* name) {
    return graph_of(n, edges, name);
}

json weighted_graph_edges(words_view words) {
    std::int64_t const n = words[0];
    json edges = json::array();
    for (std::int64_t u = 0; u < n; ++u) {
        for (std::int64_t v = u + 1; v < n; ++v) {
            if (std::int32_t const weight = words[1 + u * n + v]; weight != 0) {
                edges.push_back(json::array({u, v, weight}));
            }
        }
    }
    return edges;
}

std::vector<std::int32_t> read_weighted_graph(json const& n, json const& edges, char const* name,
                                              std::int32_t least_weight) {
    return weighted_graph_of(n, edges, name, least_weight);
}
std::vector<std::int32_t> read_weighted_graph(flat_value const& n, flat_value const& edges, char const* name,
                                              std::int32_t least_weight) {
    return weighted_graph_of(n, edges, name, least_weight);
}

namespace {

/// The lines of a DIMACS file or of a binary one's preamble.
graph_builder read_dimacs_lines(std::string_view text) {
    std::optional<graph_builder> graph;
    for (std::int64_t number = 1; !text.empty(); ++number) {
        std::size_t const end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        std::string const field = "line " + std::to_string(number);
        std::string_view const kind = next_part(line);
        if (kind.empty() || kind.front() == 'c') {
            continue;
        }
        if (kind == "p") {
            std::string_view const numbers = line;
            std::string_view const format = next_part(line);
            bool const named = format == "edge" || format == "col" || format == "edges";
            if (graph || !(named || (!format.empty() && format.front() >= '0' && format.front() <= '9'))) {
                throw field_error(field, "must be the only problem line, p edge n m or p col n m");
            }
            line = named ? line : numbers;
            auto const n = next_integer(line, 1, max_graph_vertices);
            if (!n) {
                throw field_error(field, "n " + integer_rule(1, max_graph_vertices));
            }
            graph.emplace(*n);
        } else if (kind == "e") {
            if (!graph) {
                throw field_error(field, "must come after the problem line");
            }
            auto const u = next_integer(line, 1, graph->n());
            auto const v = next_integer(line, 1, graph->n());
            if (!u || !v || !next_part(line).empty()) {
                throw field_error(field, "must be e u v with vertices from 1 to " + std::to_string(graph->n()));
            }
            if (*u != *v) {
                graph->add(*u - 1, *v - 1);
            }
        } else {
            throw field_error(field, "must begin with c, p or e");
        }
    }
    if (!graph) {
        throw field_error("line 1", "there is no problem line, p edge n m");
    }
    return std::move(*graph);
}

}  // namespace

std::vector<std::int32_t> read_dimacs_graph(std::string_view text) { return read_dimacs_lines(text).take(); }

std::vector<std::int32_t> read_dimacs_bits(std::string_view text) {
    std::size_t length = 0;
    auto const [number_end, problem] = std::from_chars(text.data(), text.data() + text.size(), length);
    std::size_t const begin = std::size_t(number_end - text.data()) + 1;
    if (problem != std::errc() || begin > text.size() || *number_end != '\n' || length > text.size() - begin) {
        throw field_error("line 1", "must be the number of bytes of the preamble that follows");
    }
    graph_builder graph = read_dimacs_lines(text.substr(begin, length));
    std::string_view rows = text.substr(begin + length);
    for (std::int32_t u = 0; u < graph.n(); ++u) {
        std::size_t const bytes = std::size_t(u) / 8 + 1;
        if (rows.size() < bytes) {
            throw field_error("row " + std::to_string(u + 1),
                              "the file ended; row i of the triangle has i / 8 bytes, "
                              "rounded up");
        }
        for (std::int32_t v = 0; v < u; ++v) {
            if ((static_cast<unsigned char>(rows[std::size_t(v) / 8]) >> (7 - v % 8) & 1) != 0) {
                graph.add(u, v);
            }
        }
        rows.remove_prefix(bytes);
    }
    return graph.take();
}

}  // namespace optgap
