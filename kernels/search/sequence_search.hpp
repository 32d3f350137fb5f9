#pragma once
// Depth-first branch and bound over sequences, choice by choice. All its state is in flat words: it may be cut before
// any node and resumed. A rule defines
//
//   node_steps()                  steps that opening a node costs
//   begin(state)                  writes the root's state; returns a bound of all sequences
//   choices(state, offer)         calls offer(choice) for each possible next choice
//   extend(state, choice, next)   writes the state after it. Returns a bound of all sequences that continue from there,
//                                 which is the loss itself at the end of a sequence, and a preference among equal
//                                 bounds
//
// Losses are minimised. A node's children are sorted by bound, then by preference, then in the order in which they were
// offered. Children that are not below the limit are dropped.

#include <cstdint>

#include "kernels/core/search_slice.hpp"
#include "kernels/core/team.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

struct sequence_shape {
    std::int64_t length;       ///< of a whole sequence, at least 1
    std::int64_t width;        ///< largest number of choices at a node
    std::int64_t state_words;  ///< 64-bit words of a node's state
};

struct sequence_value {
    std::int64_t bound;
    std::int64_t preference;
};

/// The state of a search.
struct sequence_numbers {
    std::int64_t limit;  ///< a loss is useful only if it is below this limit
    std::int64_t steps;
    std::int32_t level;
    std::int32_t opened;  ///< whether the children of the node at `level` have been computed
};

template <class Rule>
class sequence_search {
public:
    /// Words of the image that is kept between slices.
    [[nodiscard]] static constexpr std::int64_t image_words(sequence_shape const& of) {
        std::int64_t const nodes = of.length * of.width;
        return 2 * (of.length * (of.state_words + 1) + nodes) + nodes + 3 * of.length;
    }
    [[nodiscard]] static constexpr std::int64_t scratch_words(sequence_shape const& of) {
        return whole(image_words(of)) + 2 * (of.state_words + of.width);
    }

    /// `scratch` is 8-byte aligned.
    sequence_search(Rule& rule, sequence_shape const& shape, std::int32_t* scratch)
        : rule_(rule),
          shape_(shape),
          width_(shape.width),
          state_(reinterpret_cast<std::int64_t*>(scratch)),
          floor_(state_ + shape.length * shape.state_words),
          bound_(floor_ + shape.length),
          choice_(reinterpret_cast<std::int32_t*>(bound_ + shape.length * width_)),
          count_(choice_ + shape.length * width_),
          next_(count_ + shape.length),
          path_(next_ + shape.length),
          trial_(reinterpret_cast<std::int64_t*>(scratch + whole(image_words(shape)))),
          preference_(trial_ + shape.state_words),
          image_(scratch) {}

    void begin(std::int64_t limit) {
        now_ = {limit, 0, 0, 0};
        floor_[0] = rule_.begin(state_);
    }
    void take_up(search_slice const& slice) {
        solo lane;
        optgap::take_up(lane, slice, now_, image_, image_words(shape_));
    }
    void keep(search_slice const& slice) const {
        solo lane;
        optgap::keep(lane, slice, now_, image_, image_words(shape_));
    }

    [[nodiscard]] std::int64_t steps() const { return now_.steps; }

    /// Calls found(sequence, loss) for each sequence that is better than all before. Returns whether the search has
    /// ended.
    template <class Found>
    bool run(std::int64_t end, Found const& found) {
        while (floor_[0] < now_.limit) {
            std::int32_t const k = now_.level;
            if (now_.opened == 0) {
                if (now_.steps + rule_.node_steps() > end) {
                    return false;
                }
                now_.steps += rule_.node_steps();
                open(k);
                now_.opened = 1;
            }
            if (!waits(k)) {
                if (k == 0) {
                    break;
                }
                --now_.level;
                continue;
            }
            std::int64_t const at = k * width_ + next_[k]++;
            path_[k] = choice_[at];
            if (k + 1 == shape_.length) {
                now_.limit = bound_[at];
                found(path_, now_.limit);
                continue;
            }
            rule_.extend(state(k), choice_[at], state(k + 1));
            floor_[k + 1] = bound_[at];
            now_.level = k + 1;
            now_.opened = 0;
        }
        return true;
    }

    /// The bound of all sequences, as far as the search has come: it never falls.
    [[nodiscard]] std::int64_t bound() const {
        std::int64_t least = now_.limit;
        if (now_.opened == 0 && floor_[now_.level] < least) {
            least = floor_[now_.level];
        }
        for (std::int32_t k = 0; k < now_.level + now_.opened; ++k) {
            if (waits(k) && bound_[k * width_ + next_[k]] < least) {
                least = bound_[k * width_ + next_[k]];
            }
        }
        return least;
    }

private:
    static constexpr std::int64_t whole(std::int64_t words) { return (words + 1) / 2 * 2; }
    [[nodiscard]] std::int64_t* state(std::int32_t k) const { return state_ + k * shape_.state_words; }
    /// Whether the opened node of level k has a child left that is worth trying.
    [[nodiscard]] bool waits(std::int32_t k) const {
        return next_[k] < count_[k] && bound_[k * width_ + next_[k]] < now_.limit;
    }

    void open(std::int32_t k) {
        std::int64_t* const bound = bound_ + k * width_;
        std::int32_t* const choice = choice_ + k * width_;
        std::int32_t count = 0;
        rule_.choices(state(k), [&](std::int32_t offered) {
            sequence_value value = rule_.extend(state(k), offered, trial_);
            value.bound = value.bound > floor_[k] ? value.bound : floor_[k];
            if (value.bound >= now_.limit) {
                return;
            }
            std::int32_t at = count++;
            for (; at > 0 && (bound[at - 1] > value.bound ||
                              (bound[at - 1] == value.bound && preference_[at - 1] > value.preference));
                 --at) {
                bound[at] = bound[at - 1];
                preference_[at] = preference_[at - 1];
                choice[at] = choice[at - 1];
            }
            bound[at] = value.bound;
            preference_[at] = value.preference;
            choice[at] = offered;
        });
        count_[k] = count;
        next_[k] = 0;
    }

    Rule& rule_;
    sequence_shape shape_;
    std::int64_t width_;
    std::int64_t* state_;   ///< by level, as all arrays below
    std::int64_t* floor_;   ///< the node's own bound
    std::int64_t* bound_;   ///< of its children
    std::int32_t* choice_;  ///< choices that lead to the children
    std::int32_t* count_;   ///< number of children
    std::int32_t* next_;    ///< next child
    std::int32_t* path_;    ///< choices taken
    std::int64_t* trial_;   ///< a state of which only the bound is needed
    std::int64_t* preference_;
    std::int32_t* image_;
    sequence_numbers now_{};
};

}  // namespace search
OPTGAP_KERNELS_END
