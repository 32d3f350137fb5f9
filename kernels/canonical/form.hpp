#pragma once
// An instance's canonical words. Two instances of a task have equal words if one is the other under new labels, as
// defined by the task's symmetry (kernels/text/symmetry.hpp). Unless the words are coarse, other instances have
// different words.
//
// The structure follows from the task's layout and its symmetry. A task that knows more, or whose JSON does not follow
// its layout, has a NAME_canonical.cpp that defines `optgap::canonical_rules const optgap_canonical_NAME`; CMake finds
// it by its name.

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
    /// Removes, in place, what does not change the problem, such as a divisor common to all numbers.
    void (*reduce)(std::vector<std::int32_t>& words) = nullptr;
    /// Lists the structure, instead of layout and symmetry.
    void (*list)(words_view instance, canonical::structure& out) = nullptr;
    /// Makes another instance by items that answers must and must not have; nullptr: the task does not reduce to itself
    /// in this way.
    constrain_rule constrain = nullptr;
    /// For a task whose answers choose some of a number of items: that number. An answer that has all of them or at
    /// most one is trivial.
    std::int64_t (*choices)(words_view instance) = nullptr;
};

namespace canonical {

/// `rules` may be nullptr. If a task has no symmetry, the words are those of the instance.
labelled canonical_words(task_text const& task, canonical_rules const* rules, words_view instance,
                         std::int64_t budget = max_nodes);

/// Shows each structure of an instance: one, or one for each way in which its axes may be reversed, and none if the
/// task has no symmetry. The least words of all are the canonical ones. `show` must not keep a reference to the
/// structure.
void for_each_listing(task_text const& task, canonical_rules const* rules, words_view instance,
                      std::function<void(structure const&)> const& show);

/// Lists an instance by its layout and its symmetry. `mirrored` gives the state of the axes that can only be reversed,
/// one bit for each axis in turn, and one more for axes that exchange roles; `ways` is the number of these states.
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

/// Divides the numbers by their greatest common divisor; zeros are divisible by everything.
void divide_by_common(std::vector<std::span<std::int32_t>> const& numbers);

}  // namespace optgap
