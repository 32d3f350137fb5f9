#pragma once
// Derives instances from others by what answers must and must not contain, for the tasks that reduce to themselves in
// this way. A best answer of the child, lifted back, is a best one among the parent's answers that obey the constraint.

#include <cstdint>
#include <vector>

#include "kernels/text/task_text.hpp"

namespace optgap {

/// How an answer of the child is turned into an answer of the parent.
struct lifting {
    std::vector<std::int32_t> names;  ///< the parent's name of the child's i-th item; for colours see below
    std::vector<std::int32_t> taken;  ///< items of the parent that every answer also contains
};

/// Changes an instance in its task's JSON form. `require` and `forbid` are lists; at least one is not empty. Throws
/// field_error.
using constrain_rule = void (*)(json& instance, json const& require, json const& forbid, lifting& out);

namespace constraints {

/// Vertices: the neighbours of the required ones remain; for an independent set, the non-neighbours.
void clique(json& instance, json const& require, json const& forbid, lifting& out);
void independent(json& instance, json const& require, json const& forbid, lifting& out);
/// Sets: the elements of the required ones count as covered.
void cover(json& instance, json const& require, json const& forbid, lifting& out);
/// Items: the required ones are subtracted from the capacity or the target.
void knapsack(json& instance, json const& require, json const& forbid, lifting& out);
void sum(json& instance, json const& require, json const& forbid, lifting& out);
/// Pairs of equal colour become one vertex, pairs of different colours an edge. `names` maps each vertex of the parent
/// to the child's vertex that has its colour.
void colours(json& instance, json const& require, json const& forbid, lifting& out);
/// Vertices that the cycle may not visit, and edges that it may not use.
void cycle(json& instance, json const& require, json const& forbid, lifting& out);
/// Windows reduced to one time, [person, start, end], and rooms that are removed.
void meetings(json& instance, json const& require, json const& forbid, lifting& out);

}  // namespace constraints
}  // namespace optgap
