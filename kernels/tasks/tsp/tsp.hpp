#pragma once
// Travelling salesman: the shortest tour through all cities. The definition: README.md.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/task.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/tsp/tsp_distance.hpp"
#include "kernels/tasks/tsp/tsp_exact.hpp"
#include "kernels/tasks/tsp/tsp_improve.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

// Purposes of the generator's draws:
//   0   word 0: n at the paper's levels
//   1   the weights, in the instance's order
//   2   the hidden tour of the difficulty scale
//   3   block p: whether hidden edge p is planted, its weight, whether the shortcut past it is, its weight
//   4   whether a weight is raised, in the instance's order

/// Step d of the difficulty scale; README.md has the formula and the reasons.
struct scale_step {
    std::int32_t n;
    std::int32_t structured;  ///< permille of the weights that follow the hidden structure

    OPTGAP_HD explicit constexpr scale_step(std::int32_t d)
        : n(5 + 6 * (d / 4 < 332 ? d / 4 : 332)),
          structured(std::int32_t(std::int64_t(850) * d / (std::int64_t(d) + 30))) {}
};

struct task {
    static constexpr std::int32_t version = 1;
    static constexpr sense objective_sense = sense::minimise;
    static constexpr std::int64_t default_budget = exact_default_budget;
    static constexpr char const* codes[] = {nullptr};
    static constexpr auto const& bound_kinds = exact_bound_kinds;

    static constexpr std::int32_t low_weight = 10;
    static constexpr std::int32_t high_weight = 100;

    OPTGAP_HD static std::int32_t draw_size(draw source, difficulty level) {
        if (level.code >= 0) {
            return scale_step(level.code).n;
        }
        std::int32_t const low = level.code == -4 ? 10 : level.code == -3 ? 20 : level.code == -2 ? 35 : 45;
        return uniform(source, 0, 0, low, low + 10);
    }

    OPTGAP_HD static std::int64_t instance_words(draw source, difficulty level) {
        return 2 + triangle(draw_size(source, level));
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw, difficulty level) {
        return level.code >= 0 ? scale_step(level.code).n : 0;
    }

    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* scratch) {
        std::int32_t const n = draw_size(source, level);
        if (team.rank() == 0) {
            words[0] = matrix_form;
            words[1] = n;
        }
        fill_uniform(team, source, 1, low_weight, high_weight, words + 2, triangle(n));
        team.sync();
        if (level.code >= 0) {
            plant(team, source, scale_step(level.code), words + 2, scratch);
        }
    }

    static char const* check(words_view instance) {
        if (instance.count < 2) {
            return "the header must be form and n";
        }
        std::int64_t const n = instance[1];
        if (n < min_cities) {
            return "n must be at least 3";
        }
        if (n > max_cities) {
            return "n must be at most 1000000";
        }
        if (instance[0] == matrix_form) {
            return check_matrix(instance, n);
        }
        return instance[0] == points_form || instance[0] == doubles_form
                   ? check_points(instance, n)
                   : "the form must be 0 (matrix), 1 (points) or 2 (points, distances of doubles)";
    }

    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(city_count(instance)); }
    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return 2 * bitset_words(city_count(instance)); }
    static std::int64_t improve_scratch_words(words_view instance) { return improve_words(instance); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        std::int32_t const n = city_count(instance);
        verdict found;
        found.violation_max = 2 * std::int64_t(n);
        std::int64_t const count = answer.count;
        bool const closed = answer.is_flat() && count == std::int64_t(n) + 1 && answer.values[n] == answer.values[0];
        if (answer.is_flat() && (closed || count == n)) {
            found.objective = walk(team, instance, answer.values, reinterpret_cast<std::uint32_t*>(scratch));
            if (found.objective >= 0) {
                return found;
            }
            found.objective = 0;
        }
        find_fault(team, n, answer, closed ? count - 1 : count, reinterpret_cast<std::uint32_t*>(scratch), found);
        return found;
    }

    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        std::int32_t const n = city_count(instance);
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.each(n, [&](std::int64_t i) { answer[1 + i] = std::int32_t(i); });
        team.sync();
        return 1 + std::int64_t(n);
    }

    /// Always goes to the nearest unvisited city, from city 0 on, ties by index.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        std::int32_t const n = city_count(instance);
        distances const d(instance);
        std::uint32_t* const visited = reinterpret_cast<std::uint32_t*>(scratch);
        clear(team, visited, n);
        std::int32_t here = 0;
        for (std::int32_t step = 0; step < n; ++step) {
            if (team.rank() == 0) {
                answer[1 + step] = here;
                visited[here >> 5] |= 1u << (here & 31);
            }
            team.sync();
            std::int32_t nearest = INT32_MAX;
            std::int32_t city = 0;
            for (std::int32_t j = team.rank(); j < n; j += team.size()) {
                if (!contains(visited, j) && d(here, j) < nearest) {
                    nearest = d(here, j);
                    city = j;
                }
            }
            here = team.min_by(nearest, city).index;
        }
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        return 1 + std::int64_t(n);
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        std::int32_t const n = city_count(instance);
        distances const d(instance);
        std::uint32_t* const visited = reinterpret_cast<std::uint32_t*>(scratch);
        solo team;
        clear(team, visited, n);
        draw_stream stream(source, 0);
        answer[0] = answer_flat;
        std::int32_t here = 0;
        for (std::int32_t step = 0; step < n; ++step) {
            answer[1 + step] = here;
            visited[here >> 5] |= 1u << (here & 31);
            search::noisy_pick pick(stream);
            for (std::int32_t j = 0; j < n; ++j) {
                if (!contains(visited, j)) {
                    pick.offer(j, d(here, j));
                }
            }
            here = pick.chosen();
        }
        return 1 + std::int64_t(n);
    }

    OPTGAP_HD static std::int64_t improve_state_words(words_view instance) {
        return tsp::improve_state_words(city_count(instance));
    }

    /// 2-opt and Or-opt with kicks; a step is one shortening move or one kick. The block is only rewritten, as an open
    /// tour, if a shorter tour was found.
    template <class Team>
    OPTGAP_HD static improve_result improve(Team& team, words_view instance, std::int32_t* answer,
                                            improve_result result, search_slice slice, draw source,
                                            std::int32_t* scratch) {
        std::int32_t const n = city_count(instance);
        std::int32_t* const best = scratch;
        if (slice.fresh()) {
            verdict const start = verify(team, instance, view_answer({answer, result.answer_words}), scratch);
            if (start.code != code_ok) {
                return result;
            }
            if (n == min_cities || slice.end == 0) {
                result.start_objective = start.objective;
                result.objective = start.objective;
                return result;
            }
            team.sync();
            team.each(n, [&](std::int64_t i) { best[i] = answer[1 + i]; });
            team.sync();
        }
        std::int32_t* const rest = scratch + matrix_search::whole(n);
        if (n > matrix_cities) {
            neighbour_search search(instance, rest);
            search_tour(team, search, instance, best, result, slice, source);
        } else if (narrow_distances(team, instance)) {
            square_search<16, scratch_is_shared<Team>> search(instance, rest);
            search_tour(team, search, instance, best, result, slice, source);
        } else {
            square_search<32, scratch_is_shared<Team>> search(instance, rest);
            search_tour(team, search, instance, best, result, slice, source);
        }
        if (result.objective < result.start_objective) {
            team.each(n, [&](std::int64_t i) { answer[1 + i] = best[i]; });
            result.answer_words = 1 + std::int64_t(n);
        }
        team.sync();
        return result;
    }

    static std::int64_t exact_scratch_words(words_view instance) { return tsp::exact_scratch_words(instance); }
    static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
        return solve_exact(instance, budget, answer, scratch);
    }

private:
    static char const* check_matrix(words_view instance, std::int64_t n) {
        if (instance.count != 2 + triangle(n)) {
            return "a matrix of n cities must have n(n-1)/2 distances";
        }
        for (std::int64_t k = 2; k < instance.count; ++k) {
            if (instance[k] < 0 || instance[k] > max_weight) {
                return "a distance must be in 0 ... 16777216";
            }
        }
        return nullptr;
    }

    static char const* check_points(words_view instance, std::int64_t n) {
        if (instance.count != 3 + 2 * n) {
            return "points of n cities must have 2n coordinates after the scale";
        }
        std::int64_t const scale = instance[2];
        if (scale < 1 || scale > max_scale) {
            return "the scale must be in 1 ... 1000000";
        }
        if (scale == 1 && instance[0] == doubles_form) {
            return "points of integers have the same distances in form 1, which must be theirs";
        }
        std::int64_t power = 1;
        while (power < scale) {
            power *= 10;
        }
        bool whole = scale > 1;
        std::int64_t low[2] = {max_coordinate, max_coordinate};
        std::int64_t high[2] = {-max_coordinate, -max_coordinate};
        for (std::int64_t k = 3; k < instance.count; ++k) {
            std::int64_t const x = instance[k];
            if (x < -max_coordinate || x > max_coordinate) {
                return "a coordinate times the scale must be within 536870912";
            }
            whole = whole && x % 10 == 0;
            std::int64_t& least = low[(k - 3) & 1];
            std::int64_t& most = high[(k - 3) & 1];
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        if (power != scale || whole) {
            return "the scale must be the smallest power of ten that makes the coordinates integers";
        }
        // The diagonal of the points' box is no shorter than any distance.
        return rounded_distance(high[0] - low[0], high[1] - low[1], scale) + (instance[0] == doubles_form ? 1 : 0) >
                       max_weight
                   ? "the points' bounding box must have a diagonal of at most 16777216"
                   : nullptr;
    }

    /// Raises weights, then makes edges of a hidden tour inexpensive, and pairs with one city between them on it even
    /// less expensive: taking such a shortcut leaves out the city in between. Requires n >= 5, so that all these pairs
    /// differ.
    template <class Team>
    OPTGAP_HD static void plant(Team& team, draw source, scale_step step, std::int32_t* weights, std::int32_t* hidden) {
        std::int32_t const n = step.n;
        std::int64_t const count = triangle(n);
        team.each((count + 3) / 4, [&](std::int64_t b) {
            philox_block const block = random_block(source, 4, std::uint32_t(b));
            for (std::int64_t k = 4 * b; k < 4 * b + 4 && k < count; ++k) {
                if (to_range(block.word[k - 4 * b], 0, 999) < step.structured) {
                    weights[k] = 40 + (weights[k] - 10) * 2 / 3;
                }
            }
        });
        if (team.rank() == 0) {
            for (std::int32_t i = 0; i < n; ++i) {
                hidden[i] = i;
            }
            draw_stream stream(source, 2);
            shuffle(stream, hidden, n);
        }
        team.sync();
        team.each(n, [&](std::int64_t p) {
            philox_block const block = random_block(source, 3, std::uint32_t(p));
            std::int32_t const a = hidden[p];
            std::int32_t const b = hidden[(p + 1) % n];
            std::int32_t const c = hidden[(p + 2) % n];
            if (to_range(block.word[0], 0, 999) < step.structured) {
                weights[a > b ? triangle(a) + b : triangle(b) + a] = to_range(block.word[1], 20, 29);
            }
            if (to_range(block.word[2], 0, 999) < step.structured) {
                weights[a > c ? triangle(a) + c : triangle(c) + a] = to_range(block.word[3], 10, 19);
            }
        });
        team.sync();
    }

    /// Length of the n cities as a tour, -1 if they are not a tour. One pass for marks, range checks and the sum.
    template <class Team>
    OPTGAP_HD static std::int64_t walk(Team& team, words_view instance, std::int32_t const* cities,
                                       std::uint32_t* seen) {
        std::int32_t const n = city_count(instance);
        clear(team, seen, n);
        distances const d(instance);
        std::int64_t length = 0;
        bool good = true;
        for (std::int32_t i = team.rank(); i < n; i += team.size()) {
            std::int32_t const city = cities[i];
            std::int32_t const other = cities[i + 1 == n ? 0 : i + 1];
            if (std::uint32_t(city) >= std::uint32_t(n) || std::uint32_t(other) >= std::uint32_t(n)) {
                good = false;
                break;
            }
            std::uint32_t const mark = 1u << (city & 31);
            good = good && (team.fetch_or(&seen[city >> 5], mark) & mark) == 0;
            length += d(city, other);
        }
        bool const tour = team.all(good);
        length = team.sum(length);
        return tour ? length : -1;
    }

    /// The first rule broken by the first `count` values, and the violation.
    template <class Team>
    OPTGAP_HD static void find_fault(Team& team, std::int32_t n, answer_view answer, std::int64_t count,
                                     std::uint32_t* scratch, verdict& found) {
        found.violation = found.violation_max;
        if (!answer.is_flat() || answer.count == 0) {
            found.code = answer.is_word()                              ? code_unparsable
                         : answer.is_rows() && answer.row_count() == 0 ? code_empty
                                                                       : code_bad_depth;
            return;
        }
        found.where = first_out_of_range(team, answer.values, count, n);
        if (found.where >= 0) {
            found.code = code_out_of_range;
            return;
        }
        std::uint32_t* const seen = scratch;
        std::uint32_t* const again = scratch + bitset_words(n);
        found.where = first_repeat(team, answer.values, count, seen, n);
        found.code = found.where >= 0 ? code_repeated : code_wrong_length;
        team.sync();
        clear(team, seen, n);
        clear(team, again, n);
        team.each(count, [&](std::int64_t i) {
            std::int32_t const city = answer.values[i];
            std::uint32_t const mark = 1u << (city & 31);
            if ((team.fetch_or(&seen[city >> 5], mark) & mark) != 0) {
                team.fetch_or(&again[city >> 5], mark);
            }
        });
        team.sync();
        std::int64_t difference = 0;
        team.each(bitset_words(n), [&](std::int64_t w) { difference += popcount(again[w]) - popcount(seen[w]); });
        found.violation = n + team.sum(difference);
    }
};

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
