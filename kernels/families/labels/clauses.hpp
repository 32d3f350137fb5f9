#pragma once
// Labels of variables as truth values that make as many clauses as possible true, or clauses of the largest weight.
// Generated clauses all have the same length; others may have any number of literals, including none. A task defines
//
//   clauses(instance)   search::clause_set
//
// in addition to its layout, which begins with the fields of clauses_layout, and the generator.

#include <cstdint>

#include "kernels/families/labels/labels.hpp"
#include "kernels/search/least_loss.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

inline constexpr std::int64_t clause_head_words = 3;
inline constexpr field clauses_layout[] = {
    {"n", field_kind::number, "n, the number of variables, is 1 to 5000", 1, 5000},
    {"m", field_kind::size, "there are 1 to 100000 clauses", 1, 100'000},
    {"k", field_kind::size, "the longest clause has 1 to 250 literals", 1, 250},
    {"clauses", field_kind::lists, "a literal is v or -v of a variable v, 1 to n", minus(0), of(0), of(1), of(2)},
};

/// One of three different variables of n >= 3, from words `at` to `at` + 2 of a purpose, without rejections.
struct three_variables {
    std::int32_t variable[3];

    OPTGAP_HD three_variables(draw source, std::uint32_t purpose, std::uint32_t at, std::int32_t n) {
        std::int32_t const a = uniform(source, purpose, at, 0, n - 1);
        std::int32_t b = uniform(source, purpose, at + 1, 0, n - 2);
        std::int32_t c = uniform(source, purpose, at + 2, 0, n - 3);
        b += b >= a ? 1 : 0;
        c += c >= (a < b ? a : b) ? 1 : 0;
        c += c >= (a < b ? b : a) ? 1 : 0;
        variable[0] = a;
        variable[1] = b;
        variable[2] = c;
    }
};

template <class Task>
struct clauses_task : labels_task<Task> {
    static constexpr std::int32_t floor_label = 1;

    OPTGAP_HD static std::int32_t items(words_view instance) { return instance[0]; }

    /// The index and, for each clause, whether it is still false.
    OPTGAP_HD static std::int64_t prepared_words(words_view instance) {
        optgap::search::clause_set const set = Task::clauses(instance);
        return optgap::search::clause_index::words(set) + set.m;
    }
    template <class Team>
    OPTGAP_HD static void prepare(Team& team, words_view instance, std::int32_t* memory) {
        optgap::search::clause_set const set = Task::clauses(instance);
        std::int32_t* const open = memory + optgap::search::clause_index::words(set);
        team.each(set.m, [&](std::int64_t c) { open[c] = 1; });
        if (team.rank() == 0) {
            optgap::search::clause_index(set, memory).build(set);
        }
        team.sync();
    }
    /// Variables are labelled in the order of their numbers.
    OPTGAP_HD static std::int64_t key(words_view, std::int32_t const*, std::int32_t v) { return -std::int64_t(v); }
    template <class Team>
    OPTGAP_HD static std::int64_t pull(Team& team, words_view instance, std::int32_t const* memory, std::int32_t const*,
                                       std::int32_t v) {
        optgap::search::clause_set const set = Task::clauses(instance);
        std::int32_t const* const open = memory + optgap::search::clause_index::words(set);
        std::int32_t const* const start = memory;
        std::int32_t const* const entries = memory + set.n + 1;
        std::int64_t own = 0;
        team.each(start[v + 1] - start[v], [&](std::int64_t i) {
            std::int32_t const entry = entries[start[v] + i];
            std::int32_t const c = (entry > 0 ? entry : -entry) - 1;
            std::int64_t const weight = set.weight(c, hard_pull);
            own += open[c] == 0 ? 0 : entry > 0 ? weight : -weight;
        });
        return team.sum(own);
    }
    template <class Team>
    OPTGAP_HD static void settle(Team& team, words_view instance, std::int32_t* memory, std::int32_t v,
                                 std::int32_t label) {
        optgap::search::clause_set const set = Task::clauses(instance);
        optgap::search::clause_index const index(set, memory);
        std::int32_t* const open = memory + optgap::search::clause_index::words(set);
        team.each(index.start[v + 1] - index.start[v], [&](std::int64_t i) {
            std::int32_t const entry = index.entries[index.start[v] + i];
            if ((entry > 0 ? 1 : 0) == label) {
                open[(entry > 0 ? entry : -entry) - 1] = 0;
            }
        });
        team.sync();
    }
    template <class Team>
    OPTGAP_HD static std::int64_t worth(Team& team, words_view instance, std::int32_t const* labels) {
        optgap::search::clause_set const set = Task::clauses(instance);
        std::int64_t own = 0;
        team.each(set.m, [&](std::int64_t c) { own += set.holds(c, labels) ? set.weight(c) : 0; });
        return team.sum(own);
    }

    struct search : optgap::search::least_loss {
        using numbers = optgap::search::loss_numbers;
        static std::int64_t words(words_view on) { return least_loss::words(Task::clauses(on)); }
        search(words_view on, std::int32_t* memory, numbers& at) : least_loss(Task::clauses(on), memory, at) {}
    };
    /// A node scans all literals, and compares each literal of a long clause with the earlier ones.
    static std::int64_t node_steps(words_view instance) {
        optgap::search::clause_set const set = Task::clauses(instance);
        return 1 + set.size() * (1 + (set.k - 1) / 16) / 2'000;
    }

private:
    static constexpr std::int64_t hard_pull = std::int64_t(1) << 40;  ///< more than all weights together
};

}  // namespace families
OPTGAP_KERNELS_END
