#pragma once
// Moves of vehicle_routing: a customer is moved, two are exchanged, a stretch is reversed, or the ends of two routes
// are exchanged (2-opt*, Potvin & Rousseau 1995). Each move examines only the few ways that change and, by sums of
// demands from the beginning of all routes on, the loads of two routes.
//
// The state is one line of places, route behind route, with place 0 before, between and behind them, and an empty route
// at the end. A reversed stretch may contain place 0.

#include <cstdint>

#include "kernels/families/routes/routes.hpp"
#include "kernels/search/local_search.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::vehicle_routing {

class route_moves {
public:
    OPTGAP_HD static std::int64_t image_words(words_view on) { return (max_line(on) + 2) / 2 * 2; }
    OPTGAP_HD static std::int64_t table_words(words_view on) {
        std::int64_t const n = on[0];
        return n * n + 4 * max_line(on);
    }
    OPTGAP_HD static std::int32_t things(words_view on) { return on[0]; }

    OPTGAP_HD route_moves(words_view on, std::int32_t* image, std::int32_t* tables)
        : on_(families::view_routes(on)),
          length_(image),
          line_(image + 1),
          distance_(tables),
          sum_(distance_ + std::int64_t(on[0]) * on[0]),
          route_(sum_ + max_line(on)),
          head_(route_ + max_line(on)),
          other_(head_ + max_line(on)) {}

    template <class Team>
    OPTGAP_HD void prepare(Team& team) const {
        std::int32_t const n = on_.at.n;
        team.each(std::int64_t(n) * n,
                  [&](std::int64_t k) { distance_[k] = on_.at.distance(std::int32_t(k / n), std::int32_t(k % n)); });
        team.sync();
    }
    template <class Team>
    OPTGAP_HD void look(Team& team) const {
        if (team.rank() == 0) {
            add_up();
        }
        team.sync();
    }
    template <class Team>
    OPTGAP_HD std::int64_t begin(Team& team, answer_view answer) const {
        if (team.rank() == 0) {
            std::int32_t count = 0;
            std::int32_t next = 0;
            for (std::int32_t r = 0; r < answer.row_count(); ++r) {
                other_[count] = 0;
                count += count == 0 || other_[count - 1] != 0 ? 1 : 0;
                for (std::int32_t k = 0; k < answer.row_lengths[r]; ++k, ++next) {
                    other_[count] = answer.values[next];
                    count += answer.values[next] != 0 ? 1 : 0;
                }
            }
            close_up(count);
            add_up();
        }
        team.sync();
        std::int64_t own = 0;
        team.each(*length_ - 1, [&](std::int64_t p) { own += way(line_[p], line_[p + 1]); });
        return team.sum(own);
    }
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t loss) const { return loss; }
    /// Called by one lane.
    template <class Team>
    OPTGAP_HD std::int64_t write(Team& team, std::int32_t* answer) const {
        if (team.rank() == 0) {
            std::int32_t const routes = *length_ - on_.at.n - 1;  // without the empty one
            answer[0] = routes;
            std::int32_t* next = answer + 1 + routes;
            for (std::int32_t p = 1, row = 0, begin = 0; row < routes; ++p) {
                if (line_[p] == 0) {
                    answer[++row] = p - begin - 1;
                    begin = p;
                } else {
                    *next++ = line_[p];
                }
            }
        }
        team.sync();
        return *length_ - 1;
    }

    [[nodiscard]] OPTGAP_HD std::int32_t rows() const { return *length_ - 2; }
    [[nodiscard]] OPTGAP_HD std::int32_t width() const { return 4 * *length_; }
    /// Offers moves of the place behind `row` others, except for those that leave the routes unchanged: in a local
    /// optimum these would be the best moves.
    template <class Offer>
    OPTGAP_HD void each_move(std::int32_t row, Offer const& offer) const {
        std::int32_t const i = row + 1;
        std::int32_t const last = *length_ - 1;
        bool const alone = line_[i - 1] == 0 && line_[i + 1] == 0;
        for (std::int32_t j = 0; line_[i] != 0 && j < last; ++j) {
            if (j != i && j != i - 1 && !(alone && j + 1 == last) &&
                (route_[j] == route_[i] || load(j) + on_.amount[line_[i]] <= on_.limit)) {
                offer(insertion * *length_ + j, gap(i) + between(line_[j], line_[i], line_[j + 1]));
            }
        }
        for (std::int32_t j = i + 1; line_[i] != 0 && j < last; ++j) {
            if (line_[j] != 0 && !(alone && line_[j - 1] == 0 && line_[j + 1] == 0) && may_change_places(i, j)) {
                offer(exchange * *length_ + j, change_of_exchange(i, j));
            }
        }
        for (std::int32_t j = i + 1; j < last; ++j) {
            if (!is_whole(i, j) && may_turn(i, j)) {
                offer(turn * *length_ + j, way(line_[i - 1], line_[j]) + way(line_[i], line_[j + 1]) -
                                               way(line_[i - 1], line_[i]) - way(line_[j], line_[j + 1]));
            }
        }
        for (std::int32_t j = i + 1; j < last; ++j) {
            if (route_[j] != route_[i] && !are_same_ends(i, j) && may_change_ends(i, j)) {
                offer(ends * *length_ + j, way(line_[i], line_[j + 1]) + way(line_[j], line_[i + 1]) -
                                               way(line_[i], line_[i + 1]) - way(line_[j], line_[j + 1]));
            }
        }
    }
    /// Place 0 may always move: if it does, the customer next to it counts as moved.
    [[nodiscard]] OPTGAP_HD search::moved_things moved(std::int32_t move) const {
        std::int32_t const i = move / width() + 1;
        std::int32_t const j = move % *length_;
        std::int32_t const kind = move % width() / *length_;
        std::int32_t const a = line_[i];
        std::int32_t const b = kind == insertion ? 0 : line_[j];
        return a != 0 ? search::moved_things{a, b != 0 ? b : -1} : search::moved_things{b};
    }
    template <class Team>
    OPTGAP_HD void apply(Team& team, std::int32_t move) const {
        if (team.rank() == 0) {
            std::int32_t const i = move / width() + 1;
            std::int32_t const j = move % *length_;
            std::int32_t const kind = move % width() / *length_;
            if (kind == insertion) {
                shift(i, j < i ? j + 1 : j);
            } else if (kind == exchange) {
                swap(i, j);
            } else if (kind == turn) {
                for (std::int32_t a = i, b = j; a < b; ++a, --b) {
                    swap(a, b);
                }
            }
            std::int32_t count = 0;
            if (kind == ends) {
                count = splice(i, j);
            } else {
                for (; count < *length_; ++count) {
                    other_[count] = line_[count];
                }
            }
            close_up(count);
            add_up();
        }
        team.sync();
    }

private:
    enum move_kind : std::int32_t { insertion, exchange, turn, ends };

    /// One route for each customer, the empty one and the last place 0; one more before empty routes are removed.
    OPTGAP_HD static std::int64_t max_line(words_view on) { return 2 * std::int64_t(on[0]) + 3; }

    [[nodiscard]] OPTGAP_HD std::int64_t way(std::int32_t a, std::int32_t b) const {
        return distance_[std::int64_t(a) * on_.at.n + b];
    }
    /// The length that v adds between a and b.
    [[nodiscard]] OPTGAP_HD std::int64_t between(std::int32_t a, std::int32_t v, std::int32_t b) const {
        return way(a, v) + way(v, b) - way(a, b);
    }
    /// The change if the place at i is removed.
    [[nodiscard]] OPTGAP_HD std::int64_t gap(std::int32_t i) const {
        return -between(line_[i - 1], line_[i], line_[i + 1]);
    }

    // Demands: of the route of a place, and of that route up to the place.
    [[nodiscard]] OPTGAP_HD std::int32_t begin_of(std::int32_t p) const { return head_[route_[p]]; }
    [[nodiscard]] OPTGAP_HD std::int64_t load(std::int32_t p) const {
        return std::int64_t(sum_[head_[route_[p] + 1]]) - sum_[begin_of(p)];
    }
    [[nodiscard]] OPTGAP_HD std::int64_t up_to(std::int32_t p) const {
        return std::int64_t(sum_[p]) - sum_[begin_of(p)];
    }

    [[nodiscard]] OPTGAP_HD bool may_change_places(std::int32_t i, std::int32_t j) const {
        std::int64_t const more = std::int64_t(on_.amount[line_[j]]) - on_.amount[line_[i]];
        return route_[i] == route_[j] || (load(i) + more <= on_.limit && load(j) - more <= on_.limit);
    }
    [[nodiscard]] OPTGAP_HD std::int64_t change_of_exchange(std::int32_t i, std::int32_t j) const {
        std::int32_t const a = line_[i];
        std::int32_t const b = line_[j];
        if (j == i + 1) {
            return way(line_[i - 1], b) + way(a, line_[j + 1]) - way(line_[i - 1], a) - way(b, line_[j + 1]);
        }
        return gap(i) + gap(j) + between(line_[i - 1], b, line_[i + 1]) + between(line_[j - 1], a, line_[j + 1]);
    }
    /// The routes between the two are reversed as a whole; of the two themselves, the beginnings are joined, and the
    /// ends.
    [[nodiscard]] OPTGAP_HD bool may_turn(std::int32_t i, std::int32_t j) const {
        std::int32_t const before = i - 1;
        std::int64_t const begins = up_to(before) + up_to(j);
        return route_[before] == route_[j] || (begins <= on_.limit && load(before) + load(j) - begins <= on_.limit);
    }
    /// Reversing whole routes changes nothing.
    [[nodiscard]] OPTGAP_HD bool is_whole(std::int32_t i, std::int32_t j) const {
        return (line_[i - 1] == 0 && line_[j + 1] == 0) || (line_[i] == 0 && line_[j] == 0);
    }
    /// Routes that exchange everything, or nothing, are unchanged.
    [[nodiscard]] OPTGAP_HD bool are_same_ends(std::int32_t i, std::int32_t j) const {
        return (line_[i] == 0 && line_[j] == 0) || (line_[i + 1] == 0 && line_[j + 1] == 0);
    }
    [[nodiscard]] OPTGAP_HD bool may_change_ends(std::int32_t i, std::int32_t j) const {
        std::int64_t const first = up_to(i) + load(j) - up_to(j);
        return first <= on_.limit && load(i) + load(j) - first <= on_.limit;
    }

    OPTGAP_HD void swap(std::int32_t i, std::int32_t j) const {
        std::int32_t const kept = line_[i];
        line_[i] = line_[j];
        line_[j] = kept;
    }
    OPTGAP_HD void shift(std::int32_t from, std::int32_t to) const {
        for (; from < to; ++from) {
            swap(from, from + 1);
        }
        for (; from > to; --from) {
            swap(from, from - 1);
        }
    }
    /// Builds in other_: the place at i is followed by what follows the place at j, to the end of its route, and vice
    /// versa.
    OPTGAP_HD std::int32_t splice(std::int32_t i, std::int32_t j) const {
        std::int32_t const end_i = head_[route_[i] + 1];
        std::int32_t const end_j = head_[route_[j] + 1];
        std::int32_t count = 0;
        auto const copy = [&](std::int32_t from, std::int32_t to) {
            for (; from < to; ++from) {
                other_[count++] = line_[from];
            }
        };
        copy(0, i + 1);
        copy(j + 1, end_j);
        copy(end_i, j + 1);
        copy(i + 1, end_i);
        copy(end_j, *length_);
        return count;
    }
    /// Copies from other_ and removes empty routes, except for the last one.
    OPTGAP_HD void close_up(std::int32_t count) const {
        std::int32_t length = 1;
        line_[0] = 0;
        for (std::int32_t p = 0; p < count; ++p) {
            if (other_[p] != 0 || line_[length - 1] != 0) {
                line_[length++] = other_[p];
            }
        }
        if (line_[length - 1] != 0) {
            line_[length++] = 0;
        }
        line_[length++] = 0;
        *length_ = length;
    }
    /// Called by one lane. Place 0 belongs to the route that it begins.
    OPTGAP_HD void add_up() const {
        std::int32_t route = -1;
        std::int32_t sum = 0;
        for (std::int32_t p = 0; p < *length_; ++p) {
            if (line_[p] == 0) {
                head_[++route] = p;
            }
            sum += on_.amount[line_[p]];
            sum_[p] = sum;
            route_[p] = route;
        }
    }

    families::routes_view on_;
    std::int32_t* length_;  ///< length of the line
    std::int32_t* line_;
    std::int32_t* distance_;
    std::int32_t* sum_;    ///< sum of demands up to each place of the line
    std::int32_t* route_;  ///< route of each place of the line
    std::int32_t* head_;   ///< where each route begins, and where the last one ends
    std::int32_t* other_;  ///< a line under construction
};

}  // namespace tasks::vehicle_routing
OPTGAP_KERNELS_END
