#pragma once
// Local search over nested orders: changes that keep an order nested, each rated by the few neighbours that it
// separates.

#include <cstdint>

#include "kernels/tasks/pairs/pairs_order.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::pairs {

class plan : public order {
public:
    using order::order;

    /// Step `number`: a change that keeps the order nested. It is kept if it costs at most as many moves as `heat`, in
    /// 256ths, allows at random.
    OPTGAP_HD void step(draw source, std::int64_t number, std::int64_t heat) {
        draw_stream stream(source, std::uint32_t(number));
        std::uint32_t const word = stream.next();
        std::int64_t const allowed = heat == 0 ? 0 : (heat * surprise(stream.next())) >> 16;
        std::int32_t const cell = to_range(stream.next(), 0, size_ - 1);
        std::uint32_t const kind = word & 15u;
        if (kind < 7) {
            relocate(stream, cell, allowed);
        } else if (kind < 10) {
            move_run(stream, cell, allowed);
        } else if (kind < 13) {
            turn_chain(stream, cell, allowed);
        } else if (kind < 15) {
            turn_run(stream, cell, allowed);
        } else {
            exchange(cell, allowed);
        }
    }

private:
    static constexpr std::int32_t max_gaps = 16;

    /// -log2(word / 2^32) in 256ths, interpolated linearly between powers of two.
    OPTGAP_HD static std::int64_t surprise(std::uint32_t word) {
        std::int32_t zeros = 0;
        for (; zeros < 31 && (word & 0x80000000u) == 0; ++zeros) {
            word <<= 1;
        }
        return 256 * std::int64_t(zeros + 1) - (word >> 23 & 255u);
    }

    /// Swaps the two cells of a pair.
    OPTGAP_HD void exchange(std::int32_t cell, std::int64_t allowed) {
        std::int32_t const p = place_[cell] < place_[twin_[cell]] ? place_[cell] : place_[twin_[cell]];
        std::int32_t const q = other(p);
        std::int32_t const a = order_[p];
        std::int32_t const b = order_[q];
        std::int64_t more = far(at(p - 1), b) + far(a, at(q + 1)) - far(at(p - 1), a) - far(b, at(q + 1));
        if (q > p + 1) {
            more += far(b, at(p + 1)) + far(at(q - 1), a) - far(a, at(p + 1)) - far(at(q - 1), b);
        }
        if (more <= allowed) {
            put(p, b);
            put(q, a);
            moves_ += more;
        }
    }
    /// Chooses consecutive pairs, or all pairs within one, from `first` to `last`.
    OPTGAP_HD void choose_run(draw_stream& stream, std::int32_t cell, std::int32_t& first, std::int32_t& last) const {
        std::uint32_t word = stream.next();
        first = place_[cell] < place_[twin_[cell]] ? place_[cell] : place_[twin_[cell]];
        last = other(first);
        if ((word & 3u) == 0 && last > first + 1) {
            ++first;
            --last;
            return;
        }
        for (word >>= 2; (word & 1u) != 0 && opens(last + 1); word >>= 1) {
            last = other(last + 1);
        }
    }
    /// Reverses a run.
    OPTGAP_HD void turn_run(draw_stream& stream, std::int32_t cell, std::int64_t allowed) {
        std::int32_t first = 0;
        std::int32_t last = 0;
        choose_run(stream, cell, first, last);
        std::int64_t const more = far(at(first - 1), at(last)) + far(at(first), at(last + 1)) -
                                  far(at(first - 1), at(first)) - far(at(last), at(last + 1));
        if (more <= allowed) {
            reverse(first, last);
            moves_ += more;
        }
    }
    /// Moves a run next to a cell that is near one of its ends, in either direction.
    OPTGAP_HD void move_run(draw_stream& stream, std::int32_t cell, std::int64_t allowed) {
        std::int32_t first = 0;
        std::int32_t last = 0;
        choose_run(stream, cell, first, last);
        std::uint32_t const word = stream.next();
        std::int32_t const a = order_[first];
        std::int32_t const b = order_[last];
        std::int32_t const gap = place_[near(stream, (word & 1u) != 0 ? a : b)] - ((word & 2u) != 0 ? 1 : 0);
        if (gap >= first - 1 && gap <= last) {
            return;
        }
        std::int32_t const left = at(gap);
        std::int32_t const right = at(gap + 1);
        std::int64_t const straight = far(left, a) + far(b, right);
        std::int64_t const turned = far(left, b) + far(a, right);
        std::int64_t const more = (turned < straight ? turned : straight) - far(left, right) +
                                  far(at(first - 1), at(last + 1)) - far(at(first - 1), a) - far(b, at(last + 1));
        if (more > allowed) {
            return;
        }
        std::int32_t const low = gap < first ? gap + 1 : first;
        std::int32_t const high = gap < first ? last : gap;
        std::int32_t const length = last - first + 1;
        std::int32_t const to = gap < first ? 0 : gap - last;  // position of the run within the changed part
        for (std::int32_t i = 0; i < length; ++i) {
            spare_[to + i] = turned < straight ? order_[last - i] : order_[first + i];
        }
        std::int32_t const from = gap < first ? low : last + 1;
        std::int32_t const rest = gap < first ? length : 0;
        for (std::int32_t i = 0; i < high - low + 1 - length; ++i) {
            spare_[rest + i] = order_[from + i];
        }
        put_back(low, high);
        moves_ += more;
    }
    /// For a pair and one within it: reverses the order of everything that is opened between the two, and closed
    /// between them.
    OPTGAP_HD void turn_chain(draw_stream& stream, std::int32_t cell, std::int64_t allowed) {
        std::int32_t const beside = near(stream, cell);
        std::int32_t outer = place_[cell] < place_[twin_[cell]] ? place_[cell] : place_[twin_[cell]];
        std::int32_t inner = place_[beside] < place_[twin_[beside]] ? place_[beside] : place_[twin_[beside]];
        if (outer > inner) {
            std::int32_t const swapped = outer;
            outer = inner;
            inner = swapped;
        }
        std::int32_t const end = other(outer);
        std::int32_t const inner_end = other(inner);
        if (outer == inner || inner > end) {
            return;
        }
        std::int32_t const a = order_[outer], b = order_[inner], c = order_[inner_end], d = order_[end];
        std::int64_t more = far(at(outer - 1), b) + far(c, at(end + 1)) - far(at(outer - 1), a) - far(d, at(end + 1));
        if (inner_end == inner + 1) {
            more += far(a, d) - far(b, c);
        } else {
            more +=
                far(a, at(inner + 1)) + far(at(inner_end - 1), d) - far(b, at(inner + 1)) - far(at(inner_end - 1), c);
        }
        if (more <= allowed) {
            reverse(outer, inner);
            reverse(inner_end, end);
            moves_ += more;
        }
    }

    /// The order without a pair, at places p < q.
    struct without {
        std::int32_t p, q;
        [[nodiscard]] OPTGAP_HD std::int32_t after(std::int32_t place) const {
            do {
                ++place;
            } while (place == p || place == q);
            return place;
        }
        [[nodiscard]] OPTGAP_HD std::int32_t before(std::int32_t place) const {
            do {
                --place;
            } while (place == p || place == q);
            return place;
        }
    };
    /// The cost of inserting `cell` in the gap after a place.
    [[nodiscard]] OPTGAP_HD std::int64_t in_gap(without const& rest, std::int32_t gap, std::int32_t cell) const {
        std::int32_t const left = at(gap);
        std::int32_t const right = at(rest.after(gap));
        return far(left, cell) + far(cell, right) - far(left, right);
    }
    /// Moves one cell of a pair next to a cell near it, and its twin to the best gap with which the order stays nested,
    /// among up to 16 on either side.
    OPTGAP_HD void relocate(draw_stream& stream, std::int32_t cell, std::int64_t allowed) {
        std::int32_t const twin = twin_[cell];
        std::int32_t const beside = near(stream, cell);
        if (beside == cell || beside == twin) {
            return;
        }
        std::int32_t const p = place_[cell] < place_[twin] ? place_[cell] : place_[twin];
        without const rest{p, other(p)};
        std::int32_t const gap = (stream.next() & 1u) != 0 ? place_[beside] : rest.before(place_[beside]);
        std::int32_t const left = at(gap);
        std::int32_t const right = at(rest.after(gap));
        std::int64_t const own = in_gap(rest, gap, cell);
        // Starts with the two cells side by side.
        bool twin_first = false;
        std::int32_t twin_gap = gap;
        std::int64_t least = far(left, cell) + far(cell, twin) + far(twin, right) - far(left, right);
        if (std::int64_t const swapped = far(left, twin) + far(twin, cell) + far(cell, right) - far(left, right);
            swapped < least) {
            least = swapped;
            twin_first = true;
        }
        std::int32_t here = gap;
        for (std::int32_t tries = 0; tries < max_gaps; ++tries) {
            std::int32_t const next = rest.after(here);
            if (!opens(next)) {
                break;
            }
            here = other(next);
            if (std::int64_t const cost = own + in_gap(rest, here, twin); cost < least) {
                least = cost;
                twin_gap = here;
                twin_first = false;
            }
        }
        here = gap;
        for (std::int32_t tries = 0; tries < max_gaps && closes(here); ++tries) {
            here = rest.before(other(here));
            if (std::int64_t const cost = own + in_gap(rest, here, twin); cost < least) {
                least = cost;
                twin_gap = here;
                twin_first = true;
            }
        }
        std::int64_t const more = least - now_costs(rest);
        if (more <= allowed) {
            twin_first ? insert(rest, twin_gap, twin, gap, cell) : insert(rest, gap, cell, twin_gap, twin);
            moves_ += more;
        }
    }
    [[nodiscard]] OPTGAP_HD std::int64_t now_costs(without const& rest) const {
        std::int32_t const a = order_[rest.p], b = order_[rest.q];
        std::int32_t const before = at(rest.p - 1), behind = at(rest.q + 1);
        if (rest.q == rest.p + 1) {
            return far(before, a) + far(a, b) + far(b, behind) - far(before, behind);
        }
        std::int32_t const second = at(rest.p + 1), last = at(rest.q - 1);
        return far(before, a) + far(a, second) - far(before, second) + far(last, b) + far(b, behind) -
               far(last, behind);
    }
    /// Inserts the pair of `rest` in the gaps after two places, the first no later than the second.
    OPTGAP_HD void insert(without const& rest, std::int32_t first_gap, std::int32_t first, std::int32_t second_gap,
                          std::int32_t second) {
        std::int32_t const low = rest.p < first_gap + 1 ? rest.p : first_gap + 1;
        std::int32_t const high = rest.q > second_gap ? rest.q : second_gap;
        std::int32_t count = 0;
        for (std::int32_t place = low - 1; place <= high; ++place) {
            if (place >= low && place != rest.p && place != rest.q) {
                spare_[count++] = order_[place];
            }
            if (place == first_gap) {
                spare_[count++] = first;
            }
            if (place == second_gap) {
                spare_[count++] = second;
            }
        }
        put_back(low, high);
    }
};

}  // namespace tasks::pairs
OPTGAP_KERNELS_END
