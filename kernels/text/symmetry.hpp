#pragma once
// What may be renamed in an instance without changing the problem, defined once for each task, as data. Relabelled
// copies of instances, and answers under their labels, are derived from it (relabel.hpp).
//
//   constexpr symmetry graph{.axes = {{.name = "vertex", .count = "n"}},
//                            .fields = {{.name = "edges", .names = {"vertex", "vertex"}}},
//                            .answer = {.names = {"vertex"}}};
//
// An axis is a set of things that have labels. A list of the instance's JSON, or of an answer, relates to axes in two
// ways: its positions stand for labels (weights: position i belongs to item i), or its integers name them (edges: two
// vertices a row).

#include <cstdint>

namespace optgap {

/// Where the labels of an axis may move.
enum class label_moves : std::int32_t {
    any,        ///< to the position of any other label
    mirrored,   ///< all stay, or the axis is reversed: its labels have neighbours or an order
    but_first,  ///< like any, but the first label stays: a depot
};

struct label_axis {
    char const* name = nullptr;  ///< "vertex"
    /// The field that holds the number of labels, or a list of that length; nullptr: the first field whose positions
    /// are the labels.
    char const* count = nullptr;
    std::int32_t first = 0;  ///< the first label
    label_moves moves = label_moves::any;
    bool negated = false;  ///< -label also names it: literals
};

/// A list of integers, of lists of integers, or of anything else that only changes its position.
struct labelled_list {
    char const* name = nullptr;     ///< name of the field; nullptr for an answer
    char const* rows = nullptr;     ///< axis of its positions
    char const* columns = nullptr;  ///< axis of the positions in its inner lists
    /// Axes that the integers of an innermost list name: {"vertex"} for any number of members; by position {"vertex",
    /// "vertex", ""} for an edge with its weight, a plain number. A list of another length is left unchanged.
    char const* names[4] = {};
    /// In an inner list the first half comes before the second on this axis; the halves are exchanged when the axis is
    /// mirrored.
    char const* order = nullptr;
    /// An inner list, of any length, runs along this axis; it is reversed when the axis is mirrored.
    char const* along = nullptr;
};

struct symmetry {
    label_axis axes[4] = {};  ///< ended by {}
    labelled_list fields[6] = {};
    labelled_list answer = {};
    /// Two axes that may exchange roles if they have the same length: a grid's rows and columns.
    char const* exchanged[2] = {};
};

/// For a graph (graph_json.hpp), with or without weights of its vertices, whose answers are lists of vertices.
inline constexpr symmetry vertex_symmetry{
    .axes = {{.name = "vertex", .count = "n"}},
    .fields = {{.name = "edges", .names = {"vertex", "vertex"}}, {.name = "weights", .rows = "vertex"}},
    .answer = {.names = {"vertex"}},
};

/// For a task whose instances have no other labels: it has no relabelled copies.
inline constexpr symmetry no_symmetry{};

}  // namespace optgap
