#pragma once
// Moves on truth values: a variable is flipped. The change of the loss is kept for each variable: the weight of the
// clauses that only its literal makes true, minus that of the false clauses that the flipped literal would make true
// (make and break counts, Selman, Kautz & Cohen 1994). A move recomputes the changes of variables in those clauses for
// which one literal more or less matters.
//
// The loss is the weight of false clauses. A false hard clause costs one more than all soft clauses together, so that
// hard clauses are satisfied first and a state of least loss breaks no hard clause that can hold.

#include <cstdint>

#include "kernels/search/clauses.hpp"
#include "kernels/search/local_search.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

/// Task::clauses(instance) is the clause_set; an answer is a list of labels, 0 or 1.
template <class Task>
class clause_flips {
public:
    OPTGAP_HD static std::int64_t image_words(words_view instance) {
        clause_set const set = Task::clauses(instance);
        return even(3 * std::int64_t(set.n) + set.m);
    }
    OPTGAP_HD static std::int64_t table_words(words_view instance) {
        clause_set const set = Task::clauses(instance);
        return clause_index::words(set) + 2 * std::int64_t(set.n);
    }
    OPTGAP_HD static std::int32_t things(words_view instance) { return Task::clauses(instance).n; }
    OPTGAP_HD static constexpr std::int64_t ideal() { return 0; }

    OPTGAP_HD clause_flips(words_view instance, std::int32_t* image, std::int32_t* tables)
        : set_(Task::clauses(instance)),
          index_(set_, tables),
          change_(reinterpret_cast<std::int64_t*>(image)),
          label_(image + 2 * std::int64_t(set_.n)),
          true_(label_ + set_.n),
          touched_(tables + clause_index::words(set_)),
          is_touched_(touched_ + set_.n) {}

    template <class Team>
    OPTGAP_HD void prepare(Team& team) {
        std::int64_t own = 0;
        team.each(set_.m, [&](std::int64_t c) { own += set_.weight(c); });
        team.each(set_.n, [&](std::int64_t v) { is_touched_[v] = 0; });
        if (team.rank() == 0) {
            index_.build(set_);
        }
        all_ = team.sum(own);
        team.sync();
    }
    template <class Team>
    OPTGAP_HD void look(Team&) const {}
    template <class Team>
    OPTGAP_HD std::int64_t begin(Team& team, answer_view answer) const {
        team.each(set_.n, [&](std::int64_t v) { label_[v] = answer.values[v]; });
        team.sync();
        std::int64_t lost = 0;
        team.each(set_.m, [&](std::int64_t c) {
            std::int32_t count = 0;
            for (std::int32_t i = 0; i < set_.k && set_.clause(c)[i] != 0; ++i) {
                count += set_.first(c, i) && is_true(set_.clause(c)[i]) ? 1 : 0;
            }
            true_[c] = count;
            lost += count == 0 ? loss(c) : 0;
        });
        lost = team.sum(lost);
        team.each(set_.n, [&](std::int64_t v) { change_[v] = change_of(std::int32_t(v)); });
        team.sync();
        return lost;
    }
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t lost) const {
        return lost > all_ ? no_objective : all_ - lost;
    }
    template <class Team>
    OPTGAP_HD std::int64_t write(Team& team, std::int32_t* answer) const {
        team.each(set_.n, [&](std::int64_t v) { answer[1 + v] = label_[v]; });
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        return 1 + std::int64_t(set_.n);
    }

    [[nodiscard]] OPTGAP_HD std::int32_t rows() const { return set_.n; }
    [[nodiscard]] OPTGAP_HD static constexpr std::int32_t width() { return 1; }
    template <class Offer>
    OPTGAP_HD void each_move(std::int32_t v, Offer const& offer) const {
        offer(0, change_[v]);
    }
    [[nodiscard]] OPTGAP_HD static constexpr moved_things moved(std::int32_t v) { return {v}; }
    template <class Team>
    OPTGAP_HD void apply(Team& team, std::int32_t v) const {
        std::int32_t count = 0;
        if (team.rank() == 0) {
            count = flip(v);
        }
        count = team.broadcast(count);
        team.each(count, [&](std::int64_t i) {
            std::int32_t const u = touched_[i];
            change_[u] = change_of(u);
            is_touched_[u] = 0;
        });
        team.sync();
    }

private:
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t even(std::int64_t words) { return (words + 1) / 2 * 2; }
    [[nodiscard]] OPTGAP_HD std::int64_t loss(std::int64_t c) const { return set_.weight(c, all_ + 1); }
    [[nodiscard]] OPTGAP_HD bool is_true(std::int32_t literal) const {
        return label_[(literal > 0 ? literal : -literal) - 1] == (literal > 0 ? 1 : 0);
    }
    [[nodiscard]] OPTGAP_HD static std::int32_t clause_of(std::int32_t entry) {
        return (entry > 0 ? entry : -entry) - 1;
    }
    /// A clause with both literals of a variable has two adjacent entries, and no label matters to it.
    [[nodiscard]] OPTGAP_HD bool is_pair(std::int32_t e, std::int32_t v) const {
        std::int32_t const c = clause_of(index_.entries[e]);
        return (e > index_.start[v] && clause_of(index_.entries[e - 1]) == c) ||
               (e + 1 < index_.start[v + 1] && clause_of(index_.entries[e + 1]) == c);
    }

    [[nodiscard]] OPTGAP_HD std::int64_t change_of(std::int32_t v) const {
        std::int64_t change = 0;
        for (std::int32_t e = index_.start[v]; e < index_.start[v + 1]; ++e) {
            std::int32_t const entry = index_.entries[e];
            std::int32_t const c = clause_of(entry);
            bool const is = (entry > 0 ? 1 : 0) == label_[v];
            if (true_[c] == (is ? 1 : 0) && !is_pair(e, v)) {
                change += is ? loss(c) : -loss(c);
            }
        }
        return change;
    }
    /// Lists the variables whose changes must be recomputed, including v, and returns how many there are.
    OPTGAP_HD std::int32_t flip(std::int32_t v) const {
        std::int32_t count = 0;
        auto const touch = [&](std::int32_t u) {
            if (is_touched_[u] == 0) {
                is_touched_[u] = 1;
                touched_[count++] = u;
            }
        };
        touch(v);
        label_[v] = 1 - label_[v];
        for (std::int32_t e = index_.start[v]; e < index_.start[v + 1]; ++e) {
            if (is_pair(e, v)) {
                continue;
            }
            std::int32_t const entry = index_.entries[e];
            std::int32_t const c = clause_of(entry);
            bool const is = (entry > 0 ? 1 : 0) == label_[v];
            true_[c] += is ? 1 : -1;
            if (true_[c] <= (is ? 2 : 1)) {
                for (std::int32_t i = 0; i < set_.k && set_.clause(c)[i] != 0; ++i) {
                    std::int32_t const literal = set_.clause(c)[i];
                    touch((literal > 0 ? literal : -literal) - 1);
                }
            }
        }
        return count;
    }

    clause_set set_;
    clause_index index_;
    std::int64_t all_ = 0;  ///< weight of all soft clauses
    std::int64_t* change_;  ///< of the loss, for each variable
    std::int32_t* label_;
    std::int32_t* true_;     ///< number of true literals in each clause
    std::int32_t* touched_;  ///< a list of variables
    std::int32_t* is_touched_;
};

}  // namespace search
OPTGAP_KERNELS_END
