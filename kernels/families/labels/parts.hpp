#pragma once
// Items with sizes, distributed among parts. An answer is lists of items, each item in exactly one list. An instance is
// [number, n, sizes …]. A task defines the meaning of the number by
//
//   wanted_rows(instance)              rows that an answer must have; 0: any number, none of them empty
//   max_parts(instance)               largest number of parts in an answer
//   room(instance)                     in a part; the violation is what does not fit; INT64_MAX: no limit
//   candidates(instance, used)         number of parts that greedy considers for the next item, when `used` have items
//   key(load, part)                    greedy takes the part with the smallest key that has room
//   objective(team, instance, answer)  of a feasible answer; minimised
//
// and for the proof, which asks whether an objective of z can be reached, first at the bound, then halfway to the
// answer:
//
//   root_bound(instance, sorted)       sorted: the sizes, the largest first, or nullptr if there are too many
//   parts_at, room_at(instance, z)
//   found(instance, filling)           the objective of the solution found

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/check_layout.hpp"
#include "kernels/families/declarative_task.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/search/part_filling.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

enum parts_code : std::int32_t { code_missing_item = first_task_code, code_over_capacity };

inline constexpr std::int32_t max_part_items = 5'000;
inline constexpr std::int32_t max_part_size = 1'000'000'000;

template <class Task>
struct parts_task : declarative_task {
    static constexpr sense objective_sense = sense::minimise;
    static constexpr char const* bound_kinds[] = {"proven", "search bound", "sizes", nullptr};
    /// Instances with more items are not searched.
    static constexpr std::int32_t max_searched = 256;

    OPTGAP_HD static std::int32_t items(words_view on) { return on[1]; }
    OPTGAP_HD static std::int32_t const* sizes(words_view on) { return on.data + 2; }

    static char const* check(words_view instance) {
        char const* const broken = check_layout(Task::layout, instance);
        return broken != nullptr ? broken : Task::check_more(instance);
    }
    static char const* check_more(words_view) { return nullptr; }

    OPTGAP_HD static std::int64_t scratch_words(words_view on) {
        return 2 * std::int64_t(Task::max_parts(on)) + items(on);
    }
    OPTGAP_HD static std::int64_t answer_words(words_view on) {
        return 1 + std::int64_t(Task::max_parts(on)) + items(on);
    }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view on, answer_view answer, std::int32_t* scratch) {
        std::int32_t const n = items(on);
        bool const limited = Task::room(on) != INT64_MAX;
        std::int64_t const all = limited ? placed_size(team, on, nullptr) : n;
        if (answer.is_word() || answer.row_count() == 0) {
            return worst(answer.is_word() ? code_unparsable : answer.count == 0 ? code_empty : code_bad_depth, all);
        }
        if (Task::wanted_rows(on) > 0 ? answer.rows != Task::wanted_rows(on) : has_empty_row(team, answer)) {
            return worst(code_wrong_length, all);
        }
        if (std::int32_t const at = first_out_of_range(team, answer.values, answer.count, n); at >= 0) {
            return worst(code_out_of_range, all, at);
        }
        auto* const seen = reinterpret_cast<std::uint32_t*>(scratch);
        if (std::int32_t const at = first_repeat(team, answer.values, answer.count, seen, n); at >= 0) {
            return worst(code_repeated, all, at);
        }
        std::int64_t missing = n - answer.count;
        std::int32_t where = -1;
        if (limited) {
            missing = all - placed_size(team, on, seen);
            overflow const over = too_much(team, on, answer);
            if (over.size > 0) {
                where = answer.count == n ? over.where : -1;
                missing += over.size;
            }
        }
        if (missing > 0) {
            return {answer.count < n ? code_missing_item : code_over_capacity, where, 0, missing, all};
        }
        return {code_ok, -1, Task::objective(team, on, answer), 0, all};
    }

    /// Items by falling size, ties by index; each goes into the part with the smallest key, ties by index.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view on, std::int32_t* answer, std::int32_t* memory) {
        std::int32_t const n = items(on);
        std::int32_t const* const part = memory + 2 * std::int64_t(Task::max_parts(on));
        return place_all(
            team, on, answer, memory,
            [&] {
                ranked own{INT64_MIN, n};
                team.each(n, [&](std::int64_t i) {
                    if (part[i] < 0) {
                        own = larger(own, {sizes(on)[i], std::int32_t(i)});
                    }
                });
                return team.max_by(own.key, own.index).index;
            },
            [&](std::int64_t const* load, std::int32_t count, std::int32_t size) {
                ranked own{INT64_MAX, INT32_MAX};
                team.each(count, [&](std::int64_t p) {
                    if (size <= Task::room(on) - load[p]) {
                        own = smaller(own, {Task::key(load[p], std::int32_t(p)), std::int32_t(p)});
                    }
                });
                return team.min_by(own.key, own.index).index;
            });
    }

    /// Makes mistakes in the choice of item and of part. A mistake takes any part with room, and counts each empty
    /// part, so that bins are opened too early; if an empty part is drawn, the first one is used.
    OPTGAP_HD static std::int64_t noisy_greedy(words_view on, draw source, std::int32_t* answer, std::int32_t* memory) {
        solo team;
        draw_stream stream(source, 0);
        std::int32_t const* const part = memory + 2 * std::int64_t(Task::max_parts(on));
        return place_all(
            team, on, answer, memory,
            [&] {
                search::noisy_pick pick(stream);
                for (std::int32_t i = 0; i < items(on); ++i) {
                    if (part[i] < 0) {
                        pick.offer(i, -std::int64_t(sizes(on)[i]));
                    }
                }
                return pick.chosen();
            },
            [&](std::int64_t const* load, std::int32_t count, std::int32_t size) {
                search::noisy_pick pick(stream);
                for (std::int32_t p = 0; p < Task::max_parts(on); ++p) {
                    if (size <= Task::room(on) - load[p]) {
                        pick.offer(p, Task::key(load[p], p));
                    }
                }
                return pick.chosen() < count ? pick.chosen() : count - 1;
            });
    }

    static std::int64_t exact_scratch_words(words_view on) {
        std::int64_t const words = searched_words(on);
        return words > scratch_words(on) ? words : scratch_words(on);
    }
    static std::int64_t exact_state_words(words_view on) { return kept_words<numbers>(searched_words(on)); }

    /// A node of the filling costs one step.
    template <class Proof>
    static solve_result exact(words_view on, solve_result result, search_slice slice, std::int32_t* answer,
                              std::int32_t* scratch, Proof&) {
        solo team;
        numbers at{};
        bool const searched = items(on) <= max_searched;
        search::part_filling filling(items(on), scratch, at.filling);
        auto const ask = [&] {
            at.ended = result.objective == at.bound ? 1 : 0;
            if (at.ended == 0) {
                filling.begin(Task::parts_at(on, at.target), Task::room_at(on, at.target));
            }
        };
        if (slice.fresh()) {
            if (result.answer_words == 0) {
                result.answer_words = greedy(team, on, answer, scratch);
                result.objective = Task::objective(team, on, view_answer({answer, result.answer_words}));
            }
            if (searched) {
                filling.sort(sizes(on));
            }
            at.bound = at.target = Task::root_bound(on, searched ? filling.sorted() : nullptr);
            at.kind = 2;
            at.ended = 1;
            if (searched) {
                ask();
            }
        } else {
            take_up(team, slice, at, scratch, searched_words(on));
        }
        while (at.ended == 0 && at.nodes < slice.end) {
            ++at.nodes;
            auto const outcome = filling.node();
            if (outcome == search::part_filling::outcome::going) {
                continue;
            }
            if (outcome == search::part_filling::outcome::found) {
                result.objective = Task::found(on, filling);
                std::int32_t const rows = Task::wanted_rows(on) > 0 ? Task::wanted_rows(on) : filling.parts();
                filling.write(rows, answer);
                result.answer_words = 1 + std::int64_t(rows) + items(on);
            } else {
                at.bound = at.target + 1;
                at.kind = 1;
            }
            at.target = (at.bound + result.objective) / 2;
            ask();
        }
        result.steps = at.ended != 0 ? at.nodes : slice.end;
        settle(result, at.bound, std::int32_t(at.kind));
        keep(team, slice, at, scratch, searched_words(on));
        return result;
    }

protected:
    /// Writes the items' part numbers as rows. Called by one lane.
    OPTGAP_HD static void write_rows(std::int32_t const* part, std::int32_t n, std::int32_t rows,
                                     std::int32_t* answer) {
        answer[0] = rows;
        std::int32_t* const length = answer + 1;
        std::int32_t* const values = length + rows;
        for (std::int32_t p = 0; p < rows; ++p) {
            length[p] = 0;
        }
        for (std::int32_t i = 0; i < n; ++i) {
            ++length[part[i]];
        }
        std::int32_t begin = 0;  // lengths become positions, then lengths again
        for (std::int32_t p = 0; p < rows; ++p) {
            std::int32_t const count = length[p];
            length[p] = begin;
            begin += count;
        }
        for (std::int32_t i = 0; i < n; ++i) {
            values[length[part[i]]++] = i;
        }
        for (std::int32_t p = rows - 1; p > 0; --p) {
            length[p] -= length[p - 1];
        }
    }

private:
    struct numbers {
        search::filling_numbers filling;
        std::int64_t bound;
        std::int64_t target;
        std::int64_t nodes;
        std::int32_t kind;  ///< of the bound
        std::int32_t ended;
    };
    struct overflow {
        std::int64_t size;
        std::int32_t where;  ///< the first value that does not fit into its row
    };

    static std::int64_t searched_words(words_view on) {
        return items(on) <= max_searched ? search::part_filling::words(items(on)) : 0;
    }

    /// The total size of all items, or of those in a set.
    template <class Team>
    OPTGAP_HD static std::int64_t placed_size(Team& team, words_view on, std::uint32_t const* set) {
        std::int64_t own = 0;
        team.each(items(on),
                  [&](std::int64_t i) { own += set == nullptr || contains(set, std::int32_t(i)) ? sizes(on)[i] : 0; });
        return team.sum(own);
    }
    template <class Team>
    OPTGAP_HD static bool has_empty_row(Team& team, answer_view answer) {
        bool own = false;
        team.each(answer.rows, [&](std::int64_t r) { own = own || answer.row_lengths[r] == 0; });
        return team.any(own);
    }
    template <class Team>
    OPTGAP_HD static overflow too_much(Team& team, words_view on, answer_view answer) {
        std::int64_t own = 0;
        std::int64_t first = INT64_MAX;
        std::int64_t const room = Task::room(on);
        for (std::int64_t r = 0, begin = 0; r < answer.rows; begin += answer.row_lengths[r++]) {
            if (r % team.size() != team.rank()) {
                continue;
            }
            std::int64_t load = 0;
            for (std::int64_t i = begin; i < begin + answer.row_lengths[r]; ++i) {
                load += sizes(on)[answer.values[i]];
                first = load > room && i < first ? i : first;
            }
            own += load > room ? load - room : 0;
        }
        std::int64_t const where = team.min_by(first, 0).key;
        return {team.sum(own), where == INT64_MAX ? -1 : std::int32_t(where)};
    }

    /// Places the items returned by pick(), one after the other, in the part returned by choose(load, count, size).
    template <class Team, class Pick, class Choose>
    OPTGAP_HD static std::int64_t place_all(Team& team, words_view on, std::int32_t* answer, std::int32_t* memory,
                                            Pick const& pick, Choose const& choose) {
        std::int32_t const n = items(on);
        std::int32_t const most = Task::max_parts(on);
        auto* const load = reinterpret_cast<std::int64_t*>(memory);
        std::int32_t* const part = memory + 2 * std::int64_t(most);
        team.each(most, [&](std::int64_t p) { load[p] = 0; });
        team.each(n, [&](std::int64_t i) { part[i] = -1; });
        team.sync();
        std::int32_t used = 0;
        for (std::int32_t k = 0; k < n; ++k) {
            std::int32_t const item = pick();
            std::int32_t const to = choose(load, Task::candidates(on, used), sizes(on)[item]);
            used = to < used ? used : to + 1;
            team.sync();
            if (team.rank() == 0) {
                part[item] = to;
                load[to] += sizes(on)[item];
            }
            team.sync();
        }
        std::int32_t const rows = Task::wanted_rows(on) > 0 ? Task::wanted_rows(on) : used;
        if (team.rank() == 0) {
            write_rows(part, n, rows, answer);
        }
        team.sync();
        return 1 + std::int64_t(rows) + n;
    }
};

}  // namespace families
OPTGAP_KERNELS_END
