#pragma once
// Instances made of others by what answers must and must not have, for the tasks that reduce to themselves so: a best
// answer of the child, lifted back, is a best one of the parent among those that obey.

#include <cstdint>
#include <vector>

#include "kernels/text/task_text.hpp"

namespace optgap {

/// How an answer of the child becomes one of the parent.
struct lifting {
    std::vector<std::int32_t> names;  ///< what the parent calls the child's i-th thing; colours: see below
    std::vector<std::int32_t> taken;  ///< of the parent, in every answer beside
};

/// Changes an instance in its task's JSON form. `require` and `forbid` are lists, not both empty. Throws field_error.
using constrain_rule = void (*)(json& instance, json const& require, json const& forbid, lifting& out);

namespace constraints {

/// Vertices: the neighbours of what is required are left, or, of an independent set, those that are none.
void clique(json& instance, json const& require, json const& forbid, lifting& out);
void independent(json& instance, json const& require, json const& forbid, lifting& out);
/// Sets: elements of what is required are covered.
void cover(json& instance, json const& require, json const& forbid, lifting& out);
/// Items: what is required is taken off the capacity or the target.
void knapsack(json& instance, json const& require, json const& forbid, lifting& out);
void sum(json& instance, json const& require, json const& forbid, lifting& out);
/// Pairs of one colour become one vertex, pairs of two colours an edge. `names` says for each vertex of the parent
/// which one of the child has its colour.
void colours(json& instance, json const& require, json const& forbid, lifting& out);
/// Vertices that no cycle may visit, and edges that none may take.
void cycle(json& instance, json const& require, json const& forbid, lifting& out);
/// Windows cut to a time, [person, start, end], and rooms that are not there.
void meetings(json& instance, json const& require, json const& forbid, lifting& out);

}  // namespace constraints
}  // namespace optgap
