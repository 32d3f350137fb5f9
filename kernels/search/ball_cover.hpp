#pragma once
// Decides whether k of n sets cover 0 … n-1. The sets are rows of a symmetric bit matrix: the vertices that a centre
// serves. The search is depth first: the element with the fewest remaining sets is covered by each of them in turn, and
// sets already tried are barred. A node is pruned if there are more elements that pairwise share no set than sets that
// may still be taken. Runs on one lane of the CPU.

#include <cstdint>

#include "kernels/core/bitset.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

enum class cover_end : std::int32_t { found, none, cut };

class ball_cover {
public:
    static constexpr std::int64_t scratch_words(std::int64_t n, std::int64_t k) {
        return (3 * (k + 1) + 2) * bitset_words(n) + k + 1;
    }

    /// `rows` are n rows of bitset_words(n) words with the diagonal set.
    ball_cover(std::uint32_t const* rows, std::int32_t n, std::int32_t k, std::int32_t* scratch)
        : rows_(rows),
          n_(n),
          k_(k),
          words_(std::int32_t(bitset_words(n))),
          open_(reinterpret_cast<std::uint32_t*>(scratch)),
          allowed_(open_ + std::int64_t(k + 1) * words_),
          next_(allowed_ + std::int64_t(k + 1) * words_),
          loose_(next_ + std::int64_t(k + 1) * words_),
          spread_(loose_ + words_),
          chosen_(reinterpret_cast<std::int32_t*>(spread_ + words_)) {}

    /// A node costs `cost` steps, which are added to `steps`; never more than `budget`. On success `chosen()` holds
    /// `size()` sets.
    cover_end run(std::int64_t cost, std::int64_t budget, std::int64_t& steps) {
        for (std::int32_t v = 0; v < words_ * 32; ++v) {
            put(open_, v, v < n_);
            put(allowed_, v, v < n_);
        }
        depth_ = 0;
        for (bool fresh = true;;) {
            if (fresh) {
                if (steps + cost > budget) {
                    return cover_end::cut;
                }
                steps += cost;
                if (none_open()) {
                    return cover_end::found;
                }
                fresh = false;
                if (enter()) {
                    continue;
                }
            } else if (take_next()) {
                fresh = true;
                continue;
            }
            if (depth_ == 0) {
                return cover_end::none;
            }
            --depth_;
        }
    }

    [[nodiscard]] std::int32_t size() const { return depth_; }
    [[nodiscard]] std::int32_t const* chosen() const { return chosen_; }

private:
    static void put(std::uint32_t* set, std::int32_t v, bool in) {
        std::uint32_t const own = 1u << (v & 31);
        set[v >> 5] = in ? set[v >> 5] | own : set[v >> 5] & ~own;
    }
    [[nodiscard]] std::uint32_t* at(std::uint32_t* sets) const { return sets + std::int64_t(depth_) * words_; }
    [[nodiscard]] std::uint32_t const* row(std::int32_t v) const { return rows_ + std::int64_t(v) * words_; }

    [[nodiscard]] bool none_open() const {
        std::uint32_t any = 0;
        for (std::int32_t w = 0; w < words_; ++w) {
            any |= at(open_)[w];
        }
        return any == 0;
    }
    /// The element of `set` with the fewest remaining sets, ties by number, -1 for none. `fewest` receives their
    /// number.
    std::int32_t hardest(std::uint32_t const* set, std::int32_t& fewest) const {
        std::int32_t found = -1;
        for (std::int32_t w = 0; w < words_; ++w) {
            for (std::uint32_t bits = set[w]; bits != 0; bits &= bits - 1) {
                std::int32_t const v = 32 * w + lowest(bits);
                std::int32_t count = 0;
                for (std::int32_t i = 0; i < words_; ++i) {
                    count += popcount(row(v)[i] & at(allowed_)[i]);
                }
                if (found < 0 || count < fewest) {
                    found = v;
                    fewest = count;
                }
            }
        }
        return found;
    }

    /// Computes which sets the level may take; false if no choice of them covers all.
    bool enter() {
        std::int32_t count = 0;
        std::int32_t const hard = hardest(at(open_), count);
        if (depth_ == k_ || count == 0 || !few_apart()) {
            return false;
        }
        for (std::int32_t w = 0; w < words_; ++w) {
            at(next_)[w] = row(hard)[w] & at(allowed_)[w];
        }
        chosen_[depth_] = -1;
        return true;
    }
    /// Whether open elements that pairwise share no set are at most as many as the sets that may be taken. One packing,
    /// made greedily.
    [[nodiscard]] bool few_apart() const {
        for (std::int32_t w = 0; w < words_; ++w) {
            loose_[w] = at(open_)[w];
        }
        for (std::int32_t apart = 0;; ++apart) {
            std::int32_t count = 0;
            std::int32_t const v = hardest(loose_, count);
            if (v < 0) {
                return true;
            }
            if (apart == k_ - depth_) {
                return false;
            }
            for (std::int32_t w = 0; w < words_; ++w) {
                spread_[w] = row(v)[w] & at(allowed_)[w];
            }
            for (std::int32_t w = 0; w < words_; ++w) {
                for (std::uint32_t bits = spread_[w]; bits != 0; bits &= bits - 1) {
                    std::uint32_t const* const near = row(32 * w + lowest(bits));
                    for (std::int32_t i = 0; i < words_; ++i) {
                        loose_[i] &= ~near[i];
                    }
                }
            }
        }
    }

    /// Takes the level's next set, the one with the most open elements, and descends one level; false when all have
    /// been tried.
    bool take_next() {
        if (chosen_[depth_] >= 0) {
            put(at(allowed_), chosen_[depth_], false);
        }
        std::int32_t best = -1;
        std::int32_t most = -1;
        for (std::int32_t w = 0; w < words_; ++w) {
            for (std::uint32_t bits = at(next_)[w]; bits != 0; bits &= bits - 1) {
                std::int32_t const v = 32 * w + lowest(bits);
                std::int32_t count = 0;
                for (std::int32_t i = 0; i < words_; ++i) {
                    count += popcount(row(v)[i] & at(open_)[i]);
                }
                best = count > most ? v : best;
                most = count > most ? count : most;
            }
        }
        if (best < 0) {
            return false;
        }
        put(at(next_), best, false);
        chosen_[depth_] = best;
        for (std::int32_t w = 0; w < words_; ++w) {
            at(open_)[words_ + w] = at(open_)[w] & ~row(best)[w];
            at(allowed_)[words_ + w] = at(allowed_)[w];
        }
        put(at(allowed_) + words_, best, false);
        ++depth_;
        return true;
    }

    std::uint32_t const* rows_;
    std::int32_t n_;
    std::int32_t k_;
    std::int32_t words_;
    std::uint32_t* open_;     ///< by level: elements not covered yet
    std::uint32_t* allowed_;  ///< by level: sets that may be taken
    std::uint32_t* next_;     ///< by level: sets to be tried
    std::uint32_t* loose_;
    std::uint32_t* spread_;
    std::int32_t* chosen_;  ///< by level
    std::int32_t depth_ = 0;
};

}  // namespace search
OPTGAP_KERNELS_END
