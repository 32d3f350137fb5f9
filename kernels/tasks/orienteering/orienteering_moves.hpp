#pragma once
// Moves of orienteering: a place joins the trip, leaves it or replaces another one, wherever it fits best; a stretch is
// reversed or a place is moved if that makes the trip shorter (the moves of Chao, Golden & Wasil 1996). No trip is
// longer than the budget.

#include <cstdint>

#include "kernels/families/routes/routes.hpp"
#include "kernels/search/local_search.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::orienteering {

/// The loss is the negative prize and, among trips with the same prize, the length.
class trip_moves {
public:
    OPTGAP_HD static std::int64_t image_words(words_view on) { return (2 * std::int64_t(on[0]) + 4) / 2 * 2; }
    OPTGAP_HD static std::int64_t table_words(words_view on) { return std::int64_t(on[0]) * on[0]; }
    OPTGAP_HD static std::int32_t things(words_view on) { return on[0]; }

    OPTGAP_HD trip_moves(words_view on, std::int32_t* image, std::int32_t* tables)
        : on_(families::view_points(on)),
          count_(image),
          length_(image + 1),
          line_(image + 2),
          place_(line_ + on[0] + 1),
          distance_(tables) {}

    template <class Team>
    OPTGAP_HD void prepare(Team& team) const {
        std::int32_t const n = on_.at.n;
        team.each(std::int64_t(n) * n,
                  [&](std::int64_t k) { distance_[k] = on_.at.distance(std::int32_t(k / n), std::int32_t(k % n)); });
        team.sync();
    }
    template <class Team>
    OPTGAP_HD void look(Team&) const {}
    /// A trip that names place 0 begins there.
    template <class Team>
    OPTGAP_HD std::int64_t begin(Team& team, answer_view answer) const {
        if (team.rank() == 0) {
            auto const all = std::int32_t(answer.count);
            std::int32_t home = 0;
            for (std::int32_t i = all - 1; i > 0; --i) {
                home = answer.values[i] == 0 ? i : home;
            }
            home = all > 0 && answer.values[0] == 0 ? 0 : home;
            line_[0] = 0;
            *count_ = 0;
            for (std::int32_t i = 0; i < all; ++i) {
                std::int32_t const v = answer.values[(home + i) % all];
                if (v != 0) {
                    line_[++*count_] = v;
                }
            }
            note();
        }
        team.sync();
        std::int64_t prize = 0;
        team.each(*count_, [&](std::int64_t p) { prize += on_.amount[line_[1 + p]]; });
        return *length_ - team.sum(prize) * prize_unit;
    }
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t loss) const {
        return (prize_unit - 1 - loss) / prize_unit;
    }
    template <class Team>
    OPTGAP_HD std::int64_t write(Team& team, std::int32_t* answer) const {
        team.each(*count_, [&](std::int64_t p) { answer[1 + p] = line_[1 + p]; });
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        return 1 + std::int64_t(*count_);
    }

    /// One row for each place but 0.
    [[nodiscard]] OPTGAP_HD std::int32_t rows() const { return on_.at.n - 1; }
    [[nodiscard]] OPTGAP_HD std::int32_t width() const { return (on_.at.n + 1) * on_.at.n; }
    /// For a place that is not on the trip: n times the position that leaves (0 for none), plus the position behind
    /// which it is inserted. For one on the trip: 0 if it leaves, 1 plus the position behind which it moves, or n plus
    /// the last position of the stretch that is reversed.
    template <class Offer>
    OPTGAP_HD void each_move(std::int32_t row, Offer const& offer) const {
        std::int32_t const v = row + 1;
        if (place_[v] == 0) {
            for (std::int32_t out = 0; out <= *count_; ++out) {
                offer_entry(v, out, offer);
            }
            return;
        }
        std::int32_t const p = place_[v];
        std::int32_t const without = -detour(v, line_[p - 1], next(p));
        offer_if_fits(0, without, -on_.amount[v], offer);
        for (std::int32_t q = 0; q <= *count_; ++q) {
            if (q != p && q != p - 1) {
                offer_if_shorter(1 + q, without + detour(v, line_[q], next(q)), offer);
            }
        }
        for (std::int32_t q = p + 1; q <= *count_; ++q) {
            offer_if_shorter(
                on_.at.n + q,
                way(line_[p - 1], line_[q]) + way(v, next(q)) - way(line_[p - 1], v) - way(line_[q], next(q)), offer);
        }
    }
    [[nodiscard]] OPTGAP_HD search::moved_things moved(std::int32_t move) const {
        std::int32_t const v = 1 + move / width();
        std::int32_t const out = move % width() / on_.at.n;
        return place_[v] == 0 && out > 0 ? search::moved_things{v, line_[out]} : search::moved_things{v};
    }
    template <class Team>
    OPTGAP_HD void apply(Team& team, std::int32_t move) const {
        if (team.rank() == 0) {
            std::int32_t const n = on_.at.n;
            std::int32_t const v = 1 + move / width();
            std::int32_t const code = move % width();
            std::int32_t const p = place_[v];
            if (p == 0) {
                enter(v, code / n, code % n);
            } else if (code == 0) {
                leave(p);
            } else if (code < n) {
                std::int32_t const behind = code - 1;
                leave(p);
                insert(v, behind < p ? behind : behind - 1);
            } else {
                for (std::int32_t a = p, b = code - n; a < b; ++a, --b) {
                    std::int32_t const kept = line_[a];
                    line_[a] = line_[b];
                    line_[b] = kept;
                }
            }
            note();
        }
        team.sync();
    }

private:
    /// Larger than any length: no two places are farther apart than 14,143.
    static constexpr std::int64_t prize_unit = std::int64_t(1) << 23;

    [[nodiscard]] OPTGAP_HD std::int32_t way(std::int32_t a, std::int32_t b) const {
        return distance_[std::int64_t(a) * on_.at.n + b];
    }
    [[nodiscard]] OPTGAP_HD std::int32_t next(std::int32_t p) const { return p < *count_ ? line_[p + 1] : 0; }
    /// The length that v adds between a and b.
    [[nodiscard]] OPTGAP_HD std::int32_t detour(std::int32_t v, std::int32_t a, std::int32_t b) const {
        return way(a, v) + way(v, b) - way(a, b);
    }

    template <class Offer>
    OPTGAP_HD void offer_if_fits(std::int32_t code, std::int32_t longer, std::int32_t prize, Offer const& offer) const {
        if (*length_ + longer <= on_.limit) {
            offer(code, longer - prize * prize_unit);
        }
    }
    template <class Offer>
    OPTGAP_HD void offer_if_shorter(std::int32_t code, std::int32_t longer, Offer const& offer) const {
        if (longer < 0) {
            offer(code, longer);
        }
    }
    /// The least expensive way to have v on the trip, without the place at `out` if that is not 0; ties by place.
    template <class Offer>
    OPTGAP_HD void offer_entry(std::int32_t v, std::int32_t out, Offer const& offer) const {
        std::int32_t least = INT32_MAX;
        std::int32_t behind = 0;
        for (std::int32_t q = 0; q <= *count_; ++q) {
            if (q == out && out > 0) {
                continue;
            }
            std::int32_t const after = q + 1 == out ? next(out) : next(q);
            std::int32_t const more = detour(v, line_[q], after);
            behind = more < least ? q : behind;
            least = more < least ? more : least;
        }
        std::int32_t const less = out > 0 ? detour(line_[out], line_[out - 1], next(out)) : 0;
        std::int32_t const lost = out > 0 ? on_.amount[line_[out]] : 0;
        offer_if_fits(out * on_.at.n + behind, least - less, on_.amount[v] - lost, offer);
    }

    OPTGAP_HD void enter(std::int32_t v, std::int32_t out, std::int32_t behind) const {
        if (out > 0) {
            leave(out);
            behind -= behind > out ? 1 : 0;
        }
        insert(v, behind);
    }
    OPTGAP_HD void leave(std::int32_t p) const {
        for (; p < *count_; ++p) {
            line_[p] = line_[p + 1];
        }
        --*count_;
    }
    OPTGAP_HD void insert(std::int32_t v, std::int32_t behind) const {
        for (std::int32_t p = ++*count_; p > behind + 1; --p) {
            line_[p] = line_[p - 1];
        }
        line_[behind + 1] = v;
    }
    /// Called by one lane. Records the positions of all places and the length of the trip.
    OPTGAP_HD void note() const {
        for (std::int32_t v = 0; v < on_.at.n; ++v) {
            place_[v] = 0;
        }
        std::int32_t length = 0;
        for (std::int32_t p = 0; p <= *count_; ++p) {
            place_[line_[p]] = p;
            length += way(line_[p], next(p));
        }
        *length_ = length;
    }

    families::routes_view on_;
    std::int32_t* count_;  ///< number of places on the trip, without place 0
    std::int32_t* length_;
    std::int32_t* line_;   ///< the trip from place 0 on, which is line_[0]
    std::int32_t* place_;  ///< position of each place in the line; 0 for those not on the trip
    std::int32_t* distance_;
};

}  // namespace tasks::orienteering
OPTGAP_KERNELS_END
