#pragma once
// What may be renamed in an instance without making it another problem, said once a task, as data. From it comes an
// instance's twin, and an answer under the twin's labels (relabel.hpp).
//
//   constexpr symmetry graph{.axes = {{.name = "vertex", .count = "n"}},
//                            .fields = {{.name = "edges", .names = {"vertex", "vertex"}}},
//                            .answer = {.names = {"vertex"}}};
//
// An axis is what labels are given to. A list of the instance's JSON, or of an answer, has to do with axes in two ways:
// its places stand for labels (weights: place i is item i's), or its integers name them (edges: two vertices a row).

#include <cstdint>

namespace optgap {

/// Where the labels of an axis may go.
enum class label_moves : std::int32_t {
    any,        ///< to any other's place
    mirrored,   ///< all stay, or all change ends: what has neighbours or an order
    but_first,  ///< as any, but the first label stays: a depot
};

struct label_axis {
    char const* name = nullptr;  ///< "vertex"
    /// The field that is their number, or a list of that length; nullptr: the first field whose places they are.
    char const* count = nullptr;
    std::int32_t first = 0;  ///< label
    label_moves moves = label_moves::any;
};

/// A list: of integers, of lists of integers, or of anything else that only changes its place.
struct labelled_list {
    char const* name = nullptr;     ///< the field's; nothing for an answer
    char const* rows = nullptr;     ///< the axis that its places stand for
    char const* columns = nullptr;  ///< the axis that the places of its inner lists stand for
    /// Axes that the integers of an innermost list name: {"vertex"} for any number of members; by place
    /// {"vertex", "vertex", ""} for an edge with its weight, a plain number. A list of another length stays as it is.
    char const* names[4] = {};
    /// An inner list says that its first half comes before its second on this axis, so that the halves change places
    /// when the axis is mirrored.
    char const* order = nullptr;
    /// An inner list, of any length, goes along this axis, so that it turns round when the axis is mirrored.
    char const* along = nullptr;
};

struct symmetry {
    label_axis axes[4] = {};  ///< ended by {}
    labelled_list fields[6] = {};
    labelled_list answer = {};
    /// Two axes that may change roles when they are equally long: a grid's rows and columns.
    char const* exchanged[2] = {};
};

/// Of a graph (graph_json.hpp), with or without weights of its vertices, whose answers are lists of vertices.
inline constexpr symmetry vertex_symmetry{
    .axes = {{.name = "vertex", .count = "n"}},
    .fields = {{.name = "edges", .names = {"vertex", "vertex"}}, {.name = "weights", .rows = "vertex"}},
    .answer = {.names = {"vertex"}},
};

/// Of a task whose instances have no other labels: it has no twins.
inline constexpr symmetry no_symmetry{};

}  // namespace optgap
