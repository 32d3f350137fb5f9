#pragma once
// Routes from a depot, place 0, that serve every customer once. No route exceeds a vehicle's capacity, and the total
// length is minimised.
//
//   places (0, 0) (0, 3) (4, 3) (4, 0), demands 0 1 1 1, capacity 2:   [[1, 2], [3]] has length 12 + 8

#include <cstdint>

#include "kernels/families/routes/routes.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/vehicle_routing/vehicle_routing_exact.hpp"
#include "kernels/tasks/vehicle_routing/vehicle_routing_moves.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::vehicle_routing {

// Purposes of random words.
inline constexpr std::uint32_t draw_points = 0;
inline constexpr std::uint32_t draw_demands = 1;

inline constexpr std::int32_t max_distance = 10'000'000;  ///< so that the sums of routes_table fit words

inline constexpr field routes_layout[] = {
    families::places_field,
    {"capacity", field_kind::number, "the capacity is 1 to 1000000", 1, families::max_amount},
    families::points_field,
    {"demands", field_kind::list, "each place has a demand, 1 to the capacity, and place 0 has demand 0", 0, of(1),
     of(0)},
    {.name = "distances",
     .kind = field_kind::table,
     .rule = "in place of points, each place has a distance to each place, 0 to 10000000, the same in both directions "
             "and 0 to itself",
     .low = 0,
     .high = max_distance,
     .rows = of(0),
     .columns = of(0),
     .optional = true,
     .replaces = 2},
};

struct task : families::searching<task, families::declarative_task> {
    using neighbourhood = route_moves;
    static constexpr sense objective_sense = sense::minimise;
    static constexpr char const* codes[] = {"missing_customer", "over_capacity", nullptr};
    static constexpr char const* bound_kinds[] = {"proven", "tree or half edges", nullptr};
    static constexpr std::span<field const> layout = routes_layout;
    static constexpr std::int32_t code_missing = first_task_code;
    static constexpr std::int32_t code_over = first_task_code + 1;

    static char const* check(words_view instance) {
        if (char const* const broken = check_layout(layout, instance)) {
            return broken;
        }
        families::routes_view const on = families::view_routes(instance);
        for (std::int32_t v = 0; v < on.at.n; ++v) {
            if ((v == 0) != (on.amount[v] == 0)) {
                return routes_layout[3].rule;
            }
            for (std::int32_t u = 0; on.at.given != nullptr && u <= v; ++u) {
                if (on.at.distance(u, v) != on.at.distance(v, u) || (u == v && on.at.distance(u, v) != 0)) {
                    return routes_layout[4].rule;
                }
            }
        }
        return nullptr;
    }
    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return 4 * std::int64_t(instance[0]); }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 2 * std::int64_t(instance[0]); }

    OPTGAP_HD static std::int32_t size_of(difficulty level) {
        std::int32_t const n = 6 + step_of(level) / 2;
        return n < families::max_places ? n : families::max_places;
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return families::routes_words(size_of(level));
    }
    /// The capacity suffices for two vehicles, and one more for each ten steps, with almost nothing to spare.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        std::int32_t const n = size_of(level);
        families::draw_places(team, source, draw_points, n, words);
        std::int32_t* const demand = words + 2 + 2 * n;
        std::int64_t sum = 0;
        std::int64_t most = 0;
        team.each(n, [&](std::int64_t i) {
            demand[i] = i == 0 ? 0 : uniform(source, draw_demands, std::uint32_t(i), 1, 9);
            sum += demand[i];
            most = demand[i] > most ? demand[i] : most;
        });
        sum = team.sum(sum);
        most = team.max_by(most, 0).key;
        if (team.rank() == 0) {
            std::int32_t const step = 2 * (n - 6);
            std::int64_t const vehicles = 2 + step / 10;
            std::int64_t const capacity = (sum + vehicles - 1) / vehicles + 1;
            words[1] = std::int32_t(capacity > most ? capacity : most);
        }
        team.sync();
    }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        families::routes_view const on = families::view_routes(instance);
        std::int64_t const customers = on.at.n - 1;
        if (answer.is_word() || !answer.is_rows() || answer.row_count() == 0) {
            return worst(answer.is_word()   ? code_unparsable
                         : answer.is_rows() ? code_empty
                                            : code_bad_depth,
                         customers);
        }
        std::int64_t outside = INT64_MAX;
        bool depot = false;
        team.each(answer.count, [&](std::int64_t i) {
            bool const bad = answer.values[i] < 0 || answer.values[i] > customers;
            outside = bad && i < outside ? i : outside;
            depot = depot || answer.values[i] == 0;
        });
        std::uint32_t* const seen = reinterpret_cast<std::uint32_t*>(scratch);
        named_depot named;
        if (team.any(depot)) {
            if (team.rank() == 0) {
                named = find_depot(answer, seen, customers);
                outside = named.outside < outside ? named.outside : outside;
            }
            named.ends = team.broadcast(named.ends);
            named.repeated = team.broadcast(named.repeated);
        }
        outside = team.min_by(outside, 0).key;
        if (outside != INT64_MAX) {
            return worst(code_out_of_range, customers, std::int32_t(outside));
        }
        std::int32_t const bad =
            named.ends > 0 ? named.repeated : first_repeat(team, answer.values, answer.count, seen, on.at.n);
        if (bad >= 0) {
            return worst(code_repeated, customers, bad);
        }
        if (answer.count - named.ends < customers) {
            return {code_missing, -1, 0, customers - (answer.count - named.ends), customers};
        }
        // From here on the answer is short. One lane computes the sums.
        tally found;
        if (team.rank() == 0) {
            found = add_up(on, answer);
        }
        found.length = team.broadcast(found.length);
        found.excess = team.broadcast(found.excess);
        found.where = team.broadcast(found.where);
        if (found.excess > 0) {
            std::int64_t demand = 0;
            team.each(on.at.n, [&](std::int64_t v) { demand += on.amount[v]; });
            return {code_over, found.where, 0, found.excess, team.sum(demand) - on.limit};
        }
        return {code_ok, -1, found.length, 0, customers};
    }

    /// One route for each customer.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        std::int32_t const customers = instance[0] - 1;
        team.each(1 + 2 * std::int64_t(customers), [&](std::int64_t i) {
            answer[i] = i == 0 ? customers : i <= customers ? 1 : std::int32_t(i - customers);
        });
        team.sync();
        return 1 + 2 * std::int64_t(customers);
    }

    /// Starts from one route for each customer and joins the two ends of routes that save most, as long as there is a
    /// saving and the load allows it (Clarke & Wright 1964); ties by number.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        return join_all(team, instance, answer, scratch, [&](joining const& made) {
            ranked own{0, -1};
            team.each(made.on.at.n, [&](std::int64_t i) {
                made.each_partner(std::int32_t(i), [&](std::int32_t pair, std::int64_t saving) {
                    own = own.index < 0 ? ranked{saving, pair} : larger(own, {saving, pair});
                });
            });
            own.index = own.index < 0 ? INT32_MAX : own.index;
            ranked const best = team.max_by(own.key, own.index);
            return best.key > 0 ? best.index : -1;
        });
    }
    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        draw_stream stream(source, 0);
        return join_all(team, instance, answer, scratch, [&](joining const& made) {
            search::noisy_pick pick(stream);
            for (std::int32_t i = 0; i < made.on.at.n; ++i) {
                made.each_partner(i, [&](std::int32_t pair, std::int64_t saving) { pick.offer(pair, -saving); });
            }
            return pick.chosen();
        });
    }

    static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const n = instance[0];
        return scratch_words(instance) + (n - 1 <= routes_table::max_customers ? routes_table::scratch_words(n - 1)
                                                                               : route_walk::scratch_words(n));
    }
    /// Uses the table if there is room for it and the budget suffices for all of it, and a walk to better routes if
    /// there is no room.
    static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
        solo team;
        families::routes_view const on = families::view_routes(instance);
        std::int32_t* const room = scratch + scratch_words(instance);
        solve_result result;
        result.answer_words = greedy(team, instance, answer, scratch);
        result.objective = add_up(on, view_answer({answer, result.answer_words})).length;
        settle(result, min_length(on, scratch), 1);
        std::int32_t const customers = on.at.n - 1;
        if (result.status == baseline_status::optimal) {
            return result;
        }
        if (customers > routes_table::max_customers) {
            result.answer_words = route_walk(on, answer, room).run(budget, result.steps, answer);
            result.objective = add_up(on, view_answer({answer, result.answer_words})).length;
            settle(result, result.bound, 1);
        } else if (routes_table::steps(customers) <= budget) {
            result.steps = routes_table::steps(customers);
            result.answer_words = routes_table(on, room).run(answer);
            result.objective = add_up(on, view_answer({answer, result.answer_words})).length;
            settle(result, result.objective, 0);
        }
        return result;
    }

private:
    struct tally {
        std::int64_t length = 0;
        std::int64_t excess = 0;  ///< sum over all routes
        std::int32_t where = -1;  ///< the first value that exceeds the load of its route
    };
    /// Place 0 at both ends of a route changes nothing: it has no demand and no distance from itself.
    OPTGAP_HD static tally add_up(families::routes_view on, answer_view answer) {
        tally found;
        std::int32_t next = 0;
        for (std::int32_t r = 0; r < answer.row_count(); ++r) {
            std::int64_t load = 0;
            std::int32_t last = 0;
            for (std::int32_t k = 0; k < answer.row_lengths[r]; ++k, ++next) {
                std::int32_t const v = answer.values[next];
                load += on.amount[v];
                found.where = load > on.limit && found.where < 0 ? next : found.where;
                found.length += on.at.distance(last, v);
                last = v;
            }
            found.length += last != 0 ? on.at.distance(last, 0) : 0;
            found.excess += load > on.limit ? load - on.limit : 0;
        }
        return found;
    }

    /// Routes that name place 0 at both ends are the same as those without it.
    struct named_depot {
        std::int64_t outside = INT64_MAX;  ///< the first place 0 elsewhere
        std::int32_t ends = 0;             ///< how often place 0 is at the end of such a route
        std::int32_t repeated = -1;        ///< the first customer that occurs twice
    };
    /// Called by one lane. A customer that does not exist is skipped.
    OPTGAP_HD static named_depot find_depot(answer_view answer, std::uint32_t* seen, std::int64_t customers) {
        named_depot found;
        for (std::int64_t w = 0; w < bitset_words(std::int32_t(customers + 1)); ++w) {
            seen[w] = 0;
        }
        std::int64_t begin = 0;
        for (std::int32_t r = 0; r < answer.row_count(); ++r) {
            std::int64_t const end = begin + answer.row_lengths[r];
            bool const closed = end - begin > 1 && answer.values[begin] == 0 && answer.values[end - 1] == 0;
            found.ends += closed ? 2 : 0;
            for (std::int64_t i = begin; i < end; ++i) {
                std::int32_t const v = answer.values[i];
                if (v == 0) {
                    bool const at_end = closed && (i == begin || i + 1 == end);
                    found.outside = !at_end && i < found.outside ? i : found.outside;
                } else if (v > 0 && v <= customers) {
                    std::uint32_t const bit = 1u << (v & 31);
                    found.repeated = (seen[v >> 5] & bit) != 0 && found.repeated < 0 ? std::int32_t(i) : found.repeated;
                    seen[v >> 5] |= bit;
                }
            }
            begin = end;
        }
        return found;
    }

    /// Routes that are being joined; the ends of each are next to place 0.
    struct joining {
        families::routes_view on;
        std::int32_t* route;   ///< by customer
        std::int32_t* load;    ///< by route
        std::int32_t* beside;  ///< two for each customer; the second is 0 if one of them is

        /// Calls offer(i * n + j, saving) for each end j > i to which the route of i can be joined with a saving.
        template <class Offer>
        OPTGAP_HD void each_partner(std::int32_t i, Offer const& offer) const {
            if (i == 0 || beside[2 * i + 1] != 0) {
                return;
            }
            for (std::int32_t j = i + 1; j < on.at.n; ++j) {
                if (beside[2 * j + 1] != 0 || route[i] == route[j] ||
                    std::int64_t(load[route[i]]) + load[route[j]] > on.limit) {
                    continue;
                }
                std::int64_t const saving =
                    std::int64_t(on.at.distance(i, 0)) + on.at.distance(0, j) - on.at.distance(i, j);
                if (saving > 0) {
                    offer(i * on.at.n + j, saving);
                }
            }
        }
        OPTGAP_HD void put_beside(std::int32_t i, std::int32_t j) const {
            beside[2 * i + (beside[2 * i] != 0 ? 1 : 0)] = j;
        }
    };

    /// Joins the routes returned by pick(joining), until it returns -1.
    template <class Team, class Pick>
    OPTGAP_HD static std::int64_t join_all(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch,
                                           Pick const& pick) {
        std::int32_t const n = instance[0];
        joining const made{families::view_routes(instance), scratch, scratch + n, scratch + 2 * n};
        team.each(n, [&](std::int64_t v) {
            made.route[v] = std::int32_t(v);
            made.load[v] = made.on.amount[v];
            made.beside[2 * v] = made.beside[2 * v + 1] = 0;
        });
        team.sync();
        for (std::int32_t pair = pick(made); pair >= 0; pair = pick(made)) {
            std::int32_t const i = pair / n;
            std::int32_t const j = pair % n;
            std::int32_t const kept = made.route[i];
            std::int32_t const gone = made.route[j];
            team.sync();
            if (team.rank() == 0) {
                made.load[kept] += made.load[gone];
                made.put_beside(i, j);
                made.put_beside(j, i);
            }
            team.each(n, [&](std::int64_t v) { made.route[v] = made.route[v] == gone ? kept : made.route[v]; });
            team.sync();
        }
        std::int64_t size = 0;
        if (team.rank() == 0) {
            size = list_routes(made, answer);
        }
        size = team.broadcast(size);
        team.sync();
        return size;
    }
    /// Called by one lane. Lists each route from its end with the lower number.
    OPTGAP_HD static std::int64_t list_routes(joining const& made, std::int32_t* answer) {
        std::int32_t const n = made.on.at.n;
        std::int32_t routes = 0;
        for (std::int32_t v = 1; v < n; ++v) {
            made.load[v] = 0;  // for a route: whether it has been listed
        }
        for (std::int32_t v = 1; v < n; ++v) {
            routes += made.route[v] == v ? 1 : 0;
        }
        answer[0] = routes;
        std::int32_t row = 0;
        std::int32_t* next = answer + 1 + routes;
        for (std::int32_t v = 1; v < n; ++v) {
            if (made.beside[2 * v + 1] != 0 || made.load[made.route[v]] != 0) {
                continue;
            }
            made.load[made.route[v]] = 1;
            std::int32_t* const begin = next;
            std::int32_t before = 0;
            for (std::int32_t at = v; at != 0;) {
                *next++ = at;
                std::int32_t const* const near = made.beside + 2 * at;
                std::int32_t const after = near[0] == before ? near[1] : near[0];
                before = at;
                at = after;
            }
            answer[++row] = std::int32_t(next - begin);
        }
        return next - answer;
    }
};

}  // namespace tasks::vehicle_routing
OPTGAP_KERNELS_END
