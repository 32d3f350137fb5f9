#pragma once
// Labels of variables that minimise the weight of false clauses. The search is depth first, with a limit on the loss
// that grows from one; a search that fails proves that each answer loses at least its limit. With limit 1 it is the
// search of Davis, Logemann & Loveland 1962 with unit propagation. Beyond, the bound is the cost that unit clauses of
// both signs impose on their variable (Wallace & Freuder 1996). A false hard clause costs one more than all soft
// clauses together, so an answer is feasible if it loses no more than these. Runs on one lane of the CPU.

#include <cstdint>

#include "kernels/search/clauses.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

/// The state of a search; its arrays are words.
struct loss_numbers {
    std::int64_t nodes;
    std::int64_t bound;
    std::int64_t total;  ///< weight of all soft clauses
    std::int64_t known;  ///< loss of the best known answer; total + 1 for none
    std::int64_t limit;  ///< the least loss that is too large
    std::int64_t lost;   ///< weight of the clauses that are false at present
    std::int32_t kind;
    std::int32_t ended;
    std::int32_t labelled;
    std::int32_t choices;
};

class least_loss {
public:
    static std::int64_t words(clause_set const& set) {
        return 8 * std::int64_t(set.n) + clause_index::words(set) + 2 * std::int64_t(set.m) + 4 * std::int64_t(set.n);
    }

    least_loss(clause_set const& set, std::int32_t* memory, loss_numbers& at)
        : set_(set), index_(set, memory + 8 * std::int64_t(set.n)), at_(at) {
        std::int64_t const n = set.n;
        unit_ = reinterpret_cast<std::int64_t*>(memory);
        score_ = unit_ + 2 * n;
        true_ = memory + 8 * n + clause_index::words(set);
        free_ = true_ + set.m;
        value_ = free_ + set.m;
        trail_ = value_ + n;
        choice_ = trail_ + n;
        answer_ = choice_ + n;
    }

    /// Starts a search. A negative objective means that no answer is known.
    void begin(std::int64_t objective) {
        at_.total = 0;
        for (std::int64_t c = 0; c < set_.m; ++c) {
            at_.total += set_.weight(c);
        }
        at_.known = objective < 0 ? at_.total + 1 : at_.total - objective;
        at_.bound = at_.total;
        at_.kind = 2;
        at_.ended = at_.known == 0 ? 1 : 0;
        if (at_.ended != 0) {
            return;
        }
        index_.build(set_);
        at_.lost = 0;
        for (std::int32_t c = 0; c < set_.m; ++c) {
            true_[c] = free_[c] = 0;
            for (std::int32_t i = 0; i < set_.k && set_.clause(c)[i] != 0; ++i) {
                free_[c] += set_.first(c, i) ? 1 : 0;
            }
            at_.lost += free_[c] == 0 ? loss(c) : 0;  // clauses without literals
        }
        for (std::int32_t v = 0; v < set_.n; ++v) {
            value_[v] = -1;
        }
        at_.limit = 1;
        at_.labelled = at_.choices = 0;
    }

    /// Scans the clauses once, then labels the forced variables or one chosen variable, or backtracks. Returns true if
    /// it knows an answer better than `objective`, which it then raises.
    bool node(std::int64_t& objective) {
        bool open = false;
        std::int64_t const least = weigh(open);
        if (least >= at_.limit) {
            go_back();
            return false;
        }
        if (!open) {
            at_.known = at_.limit = at_.lost;
            objective = at_.total - at_.lost;
            for (std::int32_t v = 0; v < set_.n; ++v) {
                answer_[v] = value_[v] > 0 ? 1 : 0;
            }
            at_.ended = at_.lost == 0 ? 1 : 0;
            if (at_.ended == 0) {
                go_back();
            }
            return true;
        }
        if (!label_forced(least)) {
            std::int32_t const literal = costliest();
            choice_[at_.choices++] = at_.labelled;
            label(literal);
        }
        return false;
    }

    void write(std::int32_t* labels) const {
        for (std::int32_t v = 0; v < set_.n; ++v) {
            labels[v] = answer_[v];
        }
    }

private:
    static constexpr std::int64_t hard_score = std::int64_t(1) << 21;

    [[nodiscard]] std::int64_t loss(std::int64_t c) const { return set_.weight(c, at_.total + 1); }

    // A literal's code is 2 v + 1 if variable v is to be 1, and 2 v if it is to be 0.
    [[nodiscard]] static std::int32_t code(std::int32_t literal) {
        return literal > 0 ? 2 * literal - 1 : -2 * literal - 2;
    }

    /// Lower bound on the loss of all clauses. Fills unit_ (weight of unit clauses) and score_ (weight of the open
    /// clauses, larger for shorter ones: Jeroslow & Wang 1990) of each literal.
    std::int64_t weigh(bool& open) {
        for (std::int32_t i = 0; i < 2 * set_.n; ++i) {
            unit_[i] = score_[i] = 0;
        }
        for (std::int32_t c = 0; c < set_.m; ++c) {
            std::int32_t const free = free_[c];
            if (true_[c] > 0 || free == 0) {
                continue;
            }
            open = true;
            std::int64_t const weight = loss(c);
            std::int64_t const share = set_.weight(c, hard_score) << (free < 8 ? 16 - 2 * free : 0);
            for (std::int32_t i = 0, left = free; left > 0; ++i) {
                std::int32_t const literal = code(set_.clause(c)[i]);
                if (value_[literal / 2] >= 0 || !set_.first(c, i)) {
                    continue;
                }
                unit_[literal] += free == 1 ? weight : 0;
                score_[literal] += share;
                --left;
            }
        }
        std::int64_t least = at_.lost;
        for (std::int32_t v = 0; v < set_.n; ++v) {
            least += lesser(unit_[2 * v], unit_[2 * v + 1]);
        }
        return least;
    }
    static std::int64_t lesser(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

    /// Labels each variable whose opposite label would lose too much, given that at least `least` is lost in any case.
    bool label_forced(std::int64_t least) {
        bool any = false;
        for (std::int32_t v = 0; v < set_.n; ++v) {
            std::int64_t const difference = unit_[2 * v + 1] - unit_[2 * v];
            if (value_[v] < 0 && (difference < 0 ? -difference : difference) + least >= at_.limit) {
                label(2 * v + (difference > 0 ? 1 : 0));
                any = true;
            }
        }
        return any;
    }

    /// For the free variable that matters most with either label, ties by index: its more important literal.
    [[nodiscard]] std::int32_t costliest() const {
        std::int32_t best = -1;
        std::int64_t most = -1;
        for (std::int32_t v = 0; v < set_.n; ++v) {
            std::int64_t const no = score_[2 * v];
            std::int64_t const yes = score_[2 * v + 1];
            std::int64_t const worth = no + yes + 4 * lesser(no, yes);
            if (value_[v] < 0 && worth > most) {
                most = worth;
                best = 2 * v + (yes > no ? 1 : 0);
            }
        }
        return best;
    }

    void label(std::int32_t literal) {
        std::int32_t const v = literal / 2;
        value_[v] = literal % 2;
        trail_[at_.labelled++] = literal;
        for (std::int32_t e = index_.start[v]; e < index_.start[v + 1]; ++e) {
            std::int32_t const entry = index_.entries[e];
            std::int32_t const c = (entry > 0 ? entry : -entry) - 1;
            --free_[c];
            if ((entry > 0 ? 1 : 0) == literal % 2) {
                ++true_[c];
            }
        }
        for (std::int32_t e = index_.start[v]; e < index_.start[v + 1]; ++e) {
            at_.lost += newly_lost(index_.entries[e], literal);
        }
    }
    void free_back_to(std::int32_t labelled) {
        while (at_.labelled > labelled) {
            std::int32_t const literal = trail_[--at_.labelled];
            std::int32_t const v = literal / 2;
            for (std::int32_t e = index_.start[v]; e < index_.start[v + 1]; ++e) {
                at_.lost -= newly_lost(index_.entries[e], literal);
            }
            for (std::int32_t e = index_.start[v]; e < index_.start[v + 1]; ++e) {
                std::int32_t const entry = index_.entries[e];
                std::int32_t const c = (entry > 0 ? entry : -entry) - 1;
                ++free_[c];
                if ((entry > 0 ? 1 : 0) == literal % 2) {
                    --true_[c];
                }
            }
            value_[v] = -1;
        }
    }
    /// The weight of the entry's clause if it became false with the literal's label.
    [[nodiscard]] std::int64_t newly_lost(std::int32_t entry, std::int32_t literal) const {
        std::int32_t const c = (entry > 0 ? entry : -entry) - 1;
        return (entry > 0 ? 1 : 0) != literal % 2 && free_[c] == 0 && true_[c] == 0 ? loss(c) : 0;
    }

    /// Backtracks to the last choice, which is reversed, or starts a search with a larger limit.
    void go_back() {
        if (at_.choices > 0) {
            std::int32_t const place = choice_[--at_.choices];
            std::int32_t const literal = trail_[place];
            free_back_to(place);
            label(literal ^ 1);
            return;
        }
        free_back_to(0);
        at_.bound = at_.total - at_.limit;
        at_.kind = 1;
        at_.ended = at_.limit == at_.known ? 1 : 0;
        at_.limit = lesser(at_.known, at_.limit + 1 + at_.limit / 4);
    }

    clause_set set_;
    clause_index index_;
    loss_numbers& at_;
    std::int64_t* unit_;
    std::int64_t* score_;
    std::int32_t* true_;  ///< true literals of each clause
    std::int32_t* free_;  ///< literals of each clause whose variable has no label
    std::int32_t* value_;
    std::int32_t* trail_;   ///< true literals, in the order in which they became true
    std::int32_t* choice_;  ///< the places in the trail that were chosen, not forced
    std::int32_t* answer_;
};

}  // namespace search
OPTGAP_KERNELS_END
