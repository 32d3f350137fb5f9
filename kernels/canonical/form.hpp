#pragma once
// An instance's canonical words: equal for two instances of a task when one is the other under new labels, as the
// task's symmetry says (kernels/text/symmetry.hpp), and, unless coarse, only then.
//
// The structure follows from the task's layout and its symmetry. A task that knows more, or whose JSON is not its
// layout's, has a NAME_canonical.cpp that defines `optgap::canonical_rules const optgap_canonical_NAME`; CMake finds it
// by its name.

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/canonical/constrain.hpp"
#include "kernels/canonical/labelling.hpp"
#include "kernels/canonical/structure.hpp"
#include "kernels/core/words.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap {

struct canonical_rules {
    /// Takes away, in place, what makes no other problem of it: a divisor that all have in common.
    void (*reduce)(std::vector<std::int32_t>& words) = nullptr;
    /// Lists the structure, instead of layout and symmetry.
    void (*list)(words_view instance, canonical::structure& out) = nullptr;
    /// Makes another instance by what answers must and must not have; none: the task does not reduce to itself so.
    constrain_rule constrain = nullptr;
    /// Of a task whose answers choose some of so many things, one that has all or at most one of them is trivial.
    std::int64_t (*choices)(words_view instance) = nullptr;
};

namespace canonical {

/// `rules` may be nullptr. The words of a task without a symmetry are the instance's own.
labelled canonical_words(task_text const& task, canonical_rules const* rules, words_view instance,
                         std::int64_t budget = most_nodes);

/// Shows each structure of an instance: one, or one for each way in which its axes may change ends, and none of a task
/// without a symmetry. The least words of all are the canonical ones. `show` keeps no reference to what it is shown.
void for_each_listing(task_text const& task, canonical_rules const* rules, words_view instance,
                      std::function<void(structure const&)> const& show);

/// Lists an instance as its layout and its symmetry say. Axes that can only change ends stand as `mirrored` says, a bit
/// for each axis in turn and one more for axes that change roles; `ways` are how many of these there are to try.
class fields {
public:
    fields(symmetry const& of, std::span<field const> layout) : of_(of), layout_(layout) {}
    [[nodiscard]] std::vector<std::uint32_t> ways(words_view instance) const;
    void list(words_view instance, std::uint32_t mirrored, structure& out) const;

private:
    symmetry const& of_;
    std::span<field const> layout_;
};

}  // namespace canonical

/// Divides the numbers by what all of them have in common; zeros have everything.
void divide_by_common(std::vector<std::span<std::int32_t>> const& numbers);

}  // namespace optgap
