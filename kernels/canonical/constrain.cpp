#include "kernels/canonical/constrain.hpp"

#include <algorithm>
#include <numeric>

#include <nlohmann/json.hpp>

#include "optgap/status.hpp"

namespace optgap::constraints {
namespace {

using marks = std::vector<char>;

std::string entry(char const* list, std::size_t i) { return std::string(list) + "[" + std::to_string(i) + "]"; }

[[noreturn]] void refuse(std::string const& field, std::string const& rule) { throw field_error(field, rule); }

std::int64_t number_in(json const& value, std::int64_t count, std::string const& field, char const* what) {
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0 || value.get<std::int64_t>() >= count) {
        refuse(field, std::string("must be ") + what + ", an integer from 0 to " + std::to_string(count - 1));
    }
    return value.get<std::int64_t>();
}

/// The numbers of a list as marks; throws for repeats.
marks marked(json const& list, std::int64_t count, char const* name, char const* what) {
    marks out(std::size_t(count), 0);
    for (std::size_t i = 0; i < list.size(); ++i) {
        char& mark = out[std::size_t(number_in(list[i], count, entry(name, i), what))];
        if (mark != 0) {
            refuse(entry(name, i), "stands there twice");
        }
        mark = 1;
    }
    return out;
}

struct choice {
    marks required;
    marks forbidden;
};

choice chosen(json const& require, json const& forbid, std::int64_t count, char const* what) {
    choice out{marked(require, count, "require", what), marked(forbid, count, "forbid", what)};
    for (std::int64_t i = 0; i < count; ++i) {
        if (out.required[std::size_t(i)] != 0 && out.forbidden[std::size_t(i)] != 0) {
            refuse("forbid", "has what require has, " + std::to_string(i));
        }
    }
    return out;
}

/// Removes the marked entries from a list.
void drop(json& list, marks const& gone) {
    json kept = json::array();
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (gone[i] == 0) {
            kept.push_back(std::move(list[i]));
        }
    }
    list = std::move(kept);
}

/// Records the parent's names of the child's items, and the items that every answer also contains.
void tell_names(marks const& gone, marks const* required, lifting& out) {
    for (std::size_t i = 0; i < gone.size(); ++i) {
        if (gone[i] == 0) {
            out.names.push_back(std::int32_t(i));
        }
        if (required != nullptr && (*required)[i] != 0) {
            out.taken.push_back(std::int32_t(i));
        }
    }
}

/// Removes vertices and their edges, and renumbers the others without gaps.
void drop_vertices(json& instance, marks const& gone) {
    std::vector<std::int64_t> number(gone.size(), -1);
    std::int64_t next = 0;
    for (std::size_t v = 0; v < gone.size(); ++v) {
        number[v] = gone[v] != 0 ? -1 : next++;
    }
    json edges = json::array();
    for (json const& edge : instance["edges"]) {
        std::int64_t const u = number[edge[0].get<std::size_t>()];
        std::int64_t const v = number[edge[1].get<std::size_t>()];
        if (u >= 0 && v >= 0) {
            edges.push_back(json::array({u, v}));
        }
    }
    instance["n"] = next;
    instance["edges"] = std::move(edges);
}

std::pair<std::size_t, std::size_t> pair_in(json const& value, std::size_t n, std::string const& field) {
    if (!value.is_array() || value.size() != 2) {
        refuse(field, "must be a pair of vertices");
    }
    auto const u = std::size_t(number_in(value[0], std::int64_t(n), field + "[0]", "a vertex"));
    auto const v = std::size_t(number_in(value[1], std::int64_t(n), field + "[1]", "a vertex"));
    if (u == v) {
        refuse(field, "must have two different vertices");
    }
    return {u, v};
}

/// Keeps the vertices adjacent to all required ones for a clique, or adjacent to none of them for an independent set.
void choose_vertices(json& instance, json const& require, json const& forbid, bool adjacent, lifting& out) {
    std::size_t const n = instance["n"].get<std::size_t>();
    choice const said = chosen(require, forbid, std::int64_t(n), "a vertex");
    std::vector<std::size_t> joined(n, 0);  // number of required neighbours
    for (json const& edge : instance["edges"]) {
        std::size_t const u = edge[0].get<std::size_t>();
        std::size_t const v = edge[1].get<std::size_t>();
        joined[u] += said.required[v] != 0 ? 1 : 0;
        joined[v] += said.required[u] != 0 ? 1 : 0;
    }
    std::size_t const all = require.size();
    marks gone = said.forbidden;
    for (std::size_t v = 0; v < n; ++v) {
        bool const own = said.required[v] != 0;
        std::size_t const wanted = adjacent ? all - (own ? 1 : 0) : 0;
        if (own && joined[v] != wanted) {
            refuse("require", "has vertices that cannot stand in one answer");
        }
        if (own || joined[v] != wanted) {
            gone[v] = 1;
        }
    }
    tell_names(gone, &said.required, out);
    drop_vertices(instance, gone);
}

/// Items that take up the capacity in field `room`.
void choose_items(json& instance, json const& require, json const& forbid, char const* room, char const* weights,
                  lifting& out) {
    std::size_t const count = instance[weights].size();
    choice const said = chosen(require, forbid, std::int64_t(count), "an item");
    std::int64_t left = instance[room].get<std::int64_t>();
    marks gone = said.forbidden;
    for (std::size_t i = 0; i < count; ++i) {
        if (said.required[i] != 0) {
            left -= instance[weights][i].get<std::int64_t>();
            gone[i] = 1;
        }
    }
    if (left < 0) {
        refuse("require", std::string("has items that together exceed ") + room);
    }
    tell_names(gone, &said.required, out);
    for (auto& [name, value] : instance.items()) {
        if (value.is_array()) {
            drop(value, gone);
        }
    }
    instance[room] = left;
}

}  // namespace

void cover(json& instance, json const& require, json const& forbid, lifting& out) {
    std::size_t const count = instance["sets"].size();
    choice const said = chosen(require, forbid, std::int64_t(count), "a set");
    marks covered(instance["universe"].get<std::size_t>(), 0);
    marks gone = said.forbidden;
    for (std::size_t s = 0; s < count; ++s) {
        if (said.required[s] != 0) {
            gone[s] = 1;
            for (json const& element : instance["sets"][s]) {
                covered[element.get<std::size_t>()] = 1;
            }
        }
    }
    std::vector<std::int64_t> number(covered.size());
    std::int64_t next = 0;
    for (std::size_t e = 0; e < covered.size(); ++e) {
        number[e] = covered[e] != 0 ? -1 : next++;
    }
    tell_names(gone, &said.required, out);
    drop(instance["sets"], gone);
    if (instance.contains("costs")) {
        drop(instance["costs"], gone);
    }
    for (json& set : instance["sets"]) {
        json kept = json::array();
        for (json const& element : set) {
            if (std::int64_t const e = number[element.get<std::size_t>()]; e >= 0) {
                kept.push_back(e);
            }
        }
        set = std::move(kept);
    }
    instance["universe"] = next;
}

void colours(json& instance, json const& require, json const& forbid, lifting& out) {
    std::size_t const n = instance["n"].get<std::size_t>();
    std::vector<std::size_t> root(n);
    std::iota(root.begin(), root.end(), std::size_t(0));
    auto const root_of = [&](std::size_t v) {
        while (root[v] != v) {
            v = root[v] = root[root[v]];
        }
        return v;
    };
    for (std::size_t i = 0; i < require.size(); ++i) {
        auto const [u, v] = pair_in(require[i], n, entry("require", i));
        std::size_t const a = root_of(u);
        std::size_t const b = root_of(v);
        root[std::max(a, b)] = std::min(a, b);
    }
    for (std::size_t i = 0; i < forbid.size(); ++i) {
        auto const [u, v] = pair_in(forbid[i], n, entry("forbid", i));
        instance["edges"].push_back(json::array({u, v}));
    }
    std::vector<std::size_t> number(n, 0);
    std::size_t next = 0;
    for (std::size_t v = 0; v < n; ++v) {
        number[v] = root_of(v) == v ? next++ : number[root_of(v)];
    }
    for (json& edge : instance["edges"]) {
        std::size_t const u = number[edge[0].get<std::size_t>()];
        std::size_t const v = number[edge[1].get<std::size_t>()];
        if (u == v) {
            refuse("require", "gives one colour to the ends of an edge");
        }
        edge = json::array({u, v});
    }
    out.names.assign(number.begin(), number.end());
    instance["n"] = next;
}

void cycle(json& instance, json const& require, json const& forbid, lifting& out) {
    if (!require.empty()) {
        refuse("require", "is not offered for this task: what a cycle must visit is no cycle of a smaller graph");
    }
    std::size_t const n = instance["n"].get<std::size_t>();
    json vertices = json::array();
    for (std::size_t i = 0; i < forbid.size(); ++i) {
        if (!forbid[i].is_array()) {
            vertices.push_back(forbid[i]);
            continue;
        }
        auto const [u, v] = pair_in(forbid[i], n, entry("forbid", i));
        json& edges = instance["edges"];
        auto const found = std::find_if(edges.begin(), edges.end(), [u = u, v = v](json const& edge) {
            return (edge[0] == u && edge[1] == v) || (edge[0] == v && edge[1] == u);
        });
        if (found == edges.end()) {
            refuse(entry("forbid", i), "is no edge");
        }
        edges.erase(found);
    }
    marks const gone = marked(vertices, std::int64_t(n), "forbid", "a vertex or a pair");
    tell_names(gone, nullptr, out);
    drop_vertices(instance, gone);
}

void meetings(json& instance, json const& require, json const& forbid, lifting& out) {
    marks const gone = marked(forbid, std::int64_t(instance["capacities"].size()), "forbid", "a room");
    json& people = instance["availability"];
    for (std::size_t i = 0; i < require.size(); ++i) {
        json const& said = require[i];
        std::string const field = entry("require", i);
        if (!said.is_array() || said.size() != 3 || !said[1].is_number_integer() || !said[2].is_number_integer()) {
            refuse(field, "must be a person and the start and the end of a window");
        }
        auto const person = std::size_t(number_in(said[0], std::int64_t(people.size()), field + "[0]", "a person"));
        std::int64_t const begin = said[1].get<std::int64_t>();
        std::int64_t const end = said[2].get<std::int64_t>();
        json windows = json::array();
        for (json const& window : people[person]) {
            std::int64_t const from = std::max(begin, window[0].get<std::int64_t>());
            std::int64_t const to = std::min(end, window[1].get<std::int64_t>());
            if (from < to) {
                windows.push_back(json::array({from, to}));
            }
        }
        people[person] = std::move(windows);
    }
    tell_names(gone, nullptr, out);
    drop(instance["capacities"], gone);
}

void clique(json& instance, json const& require, json const& forbid, lifting& out) {
    choose_vertices(instance, require, forbid, true, out);
}

void independent(json& instance, json const& require, json const& forbid, lifting& out) {
    choose_vertices(instance, require, forbid, false, out);
}

void knapsack(json& instance, json const& require, json const& forbid, lifting& out) {
    choose_items(instance, require, forbid, "capacity", "weights", out);
}

void sum(json& instance, json const& require, json const& forbid, lifting& out) {
    choose_items(instance, require, forbid, "target", "values", out);
}

}  // namespace optgap::constraints
