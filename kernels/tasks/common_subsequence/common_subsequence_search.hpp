#pragma once
// Best-first search over positions in all words (after Hakata and Imai 1992; Wang, Korkin and Shang 2011). A node is a
// common subsequence, represented by the positions behind its letters, each the first possible one. Among nodes with
// the same positions only the longest is kept. The next node is the one with the largest sum of its length and the
// bound of the rest, the youngest first, so that this sum is the bound of the whole search. Runs on one lane of the
// CPU; nodes are in the state, tables in the scratch.

#include <cstdint>
#include <cstring>

#include "kernels/core/search_slice.hpp"
#include "kernels/tasks/common_subsequence/common_subsequence_words.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::common_subsequence {

class place_search {
public:
    static std::int64_t scratch_words(word_list const& words) {
        return next_places::table_words(words) + pair_bound::table_words(words) + 2 * words.k + words.longest;
    }
    static std::int64_t state_words(word_list const& words) {
        return kept_words<numbers>(words.longest + 1 + slots + max_nodes * node_words(words));
    }

    place_search(word_list const& words, std::int32_t* state, std::int32_t* scratch)
        : words_(words),
          state_(state),
          heads_(state + kept_words<numbers>(0)),
          table_(heads_ + words.longest + 1),
          nodes_(table_ + slots),
          next_(words, scratch),
          rest_(words, scratch + next_places::table_words(words)),
          places_(scratch + next_places::table_words(words) + pair_bound::table_words(words)),
          child_(places_ + words.k),
          path_(child_ + words.k) {}

    /// The bound for the whole words.
    [[nodiscard]] std::int32_t bound() {
        for (std::int32_t i = 0; i < words_.k; ++i) {
            places_[i] = 0;
        }
        return rest_(places_);
    }
    void begin() {
        at_ = {0, bound(), 0};
        std::memset(heads_, 0, std::size_t(words_.longest + 1 + slots) * sizeof *heads_);
        insert(places_, 0, 0, 0, at_.top);
    }
    void take_up() { std::memcpy(&at_, state_, sizeof at_); }
    void keep() const { std::memcpy(state_, &at_, sizeof at_); }

    [[nodiscard]] std::int64_t steps() const { return at_.steps; }
    /// No common subsequence is longer than this, if one of length `best` is known.
    [[nodiscard]] std::int32_t bound(std::int32_t best) const { return at_.top > best ? at_.top : best; }

    /// Runs up to this number of steps. Calls found(letters, length) for each subsequence longer than `best`, the
    /// length known so far. Also stops if there is no room for more nodes.
    template <class Found>
    void run(std::int64_t end, std::int32_t best, Found const& found) {
        for (;;) {
            while (at_.top > best && heads_[at_.top] == 0) {
                --at_.top;
            }
            if (at_.top <= best || at_.steps == end || at_.nodes + words_.letters > max_nodes) {
                return;
            }
            std::int32_t const own = heads_[at_.top];
            heads_[at_.top] = node(own)[following];
            if (node(own)[length] < 0) {
                continue;  // was found again with more letters
            }
            ++at_.steps;
            if (std::int32_t const reached = complete(own); reached > best) {
                best = reached;
                found(path_, best);
            }
            expand(own, best);
        }
    }

private:
    struct numbers {
        std::int32_t nodes;
        std::int32_t top;  ///< the largest sum of an open node
        std::int64_t steps;
    };
    /// The words of a node, followed by its positions.
    enum member : std::int32_t { length, letter, parent, following, head_words };
    static constexpr std::int32_t max_nodes = 1 << 15;
    static constexpr std::int32_t slots = 2 * max_nodes;

    static std::int64_t node_words(word_list const& words) { return head_words + words.k; }
    /// Nodes are numbered from 1; 0 is none.
    [[nodiscard]] std::int32_t* node(std::int32_t own) const { return nodes_ + (own - 1) * node_words(words_); }

    [[nodiscard]] bool same(std::int32_t const* a, std::int32_t const* b) const {
        return std::memcmp(a, b, std::size_t(words_.k) * sizeof *a) == 0;
    }
    /// The slot of these positions, or the empty slot where they belong.
    [[nodiscard]] std::int32_t* slot(std::int32_t const* places) const {
        std::uint32_t hash = 2166136261u;
        for (std::int32_t i = 0; i < words_.k; ++i) {
            hash = (hash ^ std::uint32_t(places[i])) * 16777619u;
        }
        std::uint32_t at = (hash ^ hash >> 15) % slots;
        while (table_[at] != 0 && !same(node(table_[at]) + head_words, places)) {
            at = (at + 1) % slots;
        }
        return table_ + at;
    }
    void insert(std::int32_t const* places, std::int32_t own_length, std::int32_t own_letter, std::int32_t from,
                std::int32_t sum) {
        std::int32_t* const held = slot(places);
        if (*held != 0) {
            if (node(*held)[length] >= own_length || node(*held)[length] < 0) {
                return;
            }
            node(*held)[length] = -1;
        }
        *held = ++at_.nodes;
        std::int32_t* const own = node(*held);
        own[length] = own_length;
        own[letter] = own_letter;
        own[parent] = from;
        own[following] = heads_[sum];
        heads_[sum] = *held;
        std::memcpy(own + head_words, places, std::size_t(words_.k) * sizeof *places);
    }

    /// The positions behind the letter c if it comes next; false if a word does not contain it.
    bool step(std::int32_t const* from, std::int32_t c, std::int32_t* to, std::int64_t& moved) const {
        moved = 0;
        for (std::int32_t i = 0; i < words_.k; ++i) {
            std::int32_t const at = next_(i, from[i], c);
            if (at == 0) {
                return false;
            }
            moved += at - from[i];
            to[i] = at;
        }
        return true;
    }
    /// Whether another letter could come before it in every word.
    [[nodiscard]] bool is_late(std::int32_t const* from, std::int32_t c) const {
        for (std::int32_t other = 1; other <= words_.letters; ++other) {
            bool before = other != c;
            for (std::int32_t i = 0; before && i < words_.k; ++i) {
                std::int32_t const at = next_(i, from[i], other);
                before = at != 0 && at < next_(i, from[i], c);
            }
            if (before) {
                return true;
            }
        }
        return false;
    }

    void expand(std::int32_t own, std::int32_t best) {
        std::int32_t const* const from = node(own) + head_words;
        std::int32_t const own_length = node(own)[length] + 1;
        for (std::int32_t c = 1; c <= words_.letters; ++c) {
            std::int64_t moved = 0;
            if (!step(from, c, child_, moved) || is_late(from, c)) {
                continue;
            }
            std::int32_t const sum = own_length + rest_(child_);
            if (sum > best) {
                insert(child_, own_length, c, own, sum < at_.top ? sum : at_.top);
            }
        }
    }

    /// Writes the node's letters, followed by those reached by always taking the nearest next letter; returns their
    /// number.
    std::int32_t complete(std::int32_t own) {
        std::int32_t count = node(own)[length];
        for (std::int32_t at = own, i = count; i > 0; at = node(at)[parent]) {
            path_[--i] = node(at)[letter];
        }
        std::memcpy(places_, node(own) + head_words, std::size_t(words_.k) * sizeof *places_);
        for (;;) {
            std::int64_t nearest = INT64_MAX;
            std::int32_t chosen = 0;
            for (std::int32_t c = 1; c <= words_.letters; ++c) {
                std::int64_t moved = 0;
                if (step(places_, c, child_, moved) && moved < nearest) {
                    nearest = moved;
                    chosen = c;
                }
            }
            if (chosen == 0) {
                return count;
            }
            step(places_, chosen, places_, nearest);
            path_[count++] = chosen;
        }
    }

    word_list words_;
    numbers at_{};
    std::int32_t* state_;
    std::int32_t* heads_;  ///< for each sum: the list of open nodes
    std::int32_t* table_;  ///< open addressing: maps positions to nodes
    std::int32_t* nodes_;
    next_places next_;
    pair_bound rest_;
    std::int32_t* places_;
    std::int32_t* child_;
    std::int32_t* path_;
};

}  // namespace tasks::common_subsequence
OPTGAP_KERNELS_END
