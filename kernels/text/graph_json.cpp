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

}  // namespace

namespace {

/// The form of an entry in a list of edges.
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

/// Calls add(i, entry, u, v) for the i-th entry of the field `name`.
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
                                            std::int32_t min_weight) {
    constexpr std::int32_t absent = INT32_MIN;
    std::int32_t const n = read_vertex_count(vertices, max_weighted_vertices);
    std::vector<std::int32_t> words(std::size_t(weighted_graph_words(n)), absent);
    words[0] = n;
    auto const weight_of = [&](std::int64_t u, std::int64_t v) -> std::int32_t& {
        return words[std::size_t(1 + u * n + v)];
    };
    read_edges(name, edges, triples, n, [&](std::size_t i, Value const& edge, std::int32_t u, std::int32_t v) {
        auto const weight = integer_within(edge[2], min_weight, INT32_MAX);
        if (!weight) {
            throw field_error(entry_name(name, i, 2),
                              "must be a weight, an integer from " + std::to_string(min_weight) + " to 2147483647");
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
                                              std::int32_t min_weight) {
    return weighted_graph_of(n, edges, name, min_weight);
}
std::vector<std::int32_t> read_weighted_graph(flat_value const& n, flat_value const& edges, char const* name,
                                              std::int32_t min_weight) {
    return weighted_graph_of(n, edges, name, min_weight);
}

}  // namespace optgap
