#pragma once
// Lower bounds for bisections in which some vertices are placed: the half bound of Gilmore (1962) and Lawler (1963).
//
// Part s has places[s] places left. An open vertex that is put into part 0 adds its weight into part 1's vertices, and
// at least its smallest weights to as many open vertices as part 1 has places left; likewise for part 1. The second
// kind counts a cut edge at both ends, so part 0 is charged `share` quarters of it and part 1 the rest. It remains to
// choose places[0] open vertices for part 0: a Lagrangian with one multiplier. Costs are in quarters:
//
//   sum of the r smallest weights of v = sum over levels t of step[t] * max(0, r - count[t][v])
//
// where count[t][v] is the number of open vertices whose weight to v is below level t. Placing a vertex changes each
// count by one comparison, so everything consists of loops over vertices that compilers vectorise.

#include <cstdint>
#include <cstring>

#include "kernels/tasks/bisection/bisection_stack.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::bisection {

template <class Cost, class Sum>
class half_bound : public bisection_stack<Cost, Sum> {
    using base = bisection_stack<Cost, Sum>;
    using node = typename base::node;

public:
    struct vertex_list {
        Cost const* vertices;
        std::int32_t size;
    };

    using base::base;
    using base::into;

    /// How much more part 0 costs than part 1 for v, at the multiplier, after `bound`.
    [[nodiscard]] OPTGAP_HD Sum leaning(std::int32_t depth, std::int32_t v) const {
        return saving_[v] - nodes_[depth].multiplier;
    }

    /// A lower bound in quarters; stops at the first one that reaches `enough`. Both parts must have places left.
    OPTGAP_HD std::int64_t bound(std::int32_t depth, std::int64_t enough) {
        node& here = nodes_[depth];
        sum_smallest(depth);
        std::int64_t const first = bound_at(depth, here.share, enough);
        if (first >= enough || levels_ == 0) {
            return first;
        }
        std::int32_t const share = here.share;
        Sum const multiplier = here.multiplier;
        here.lean = share + here.lean < 0 || share + here.lean > quarters ? -here.lean : here.lean;
        here.share += here.lean;
        exchange_savings();
        std::int64_t const second = bound_at(depth, here.share, enough);
        if (second > first) {
            return second;
        }
        exchange_savings();
        here.lean = -here.lean;
        here.share = share;
        here.multiplier = multiplier;
        return first;
    }

    /// Lists the open vertices that lean by `needed` or more, after `bound`. The list lasts until the next call.
    OPTGAP_HD vertex_list leaning_by(std::int32_t depth, std::int64_t needed) {
        Cost const* __restrict const open = column(depth, open_column());
        Cost const* __restrict const saving = saving_;
        Cost* __restrict const marks = spare_;
        std::int64_t const never = 2 * std::int64_t(limit_) + 2;
        auto const least = Cost(needed < never ? needed : never);
        auto const m = Cost(nodes_[depth].multiplier);
        std::int32_t const active = run();
        Cost any = 0;
        for (std::int32_t v = 0; v < active; ++v) {
            Cost const apart = Cost(saving[v] > m ? saving[v] - m : m - saving[v]);
            marks[v] = Cost(Cost(apart >= least) * open[v]);
            any = Cost(any | marks[v]);
        }
        return {spare_, any == 0 ? 0 : list_marked(spare_)};
    }

    /// The open vertex with the widest spread and, among about equal ones, the largest leaning; ties to the smallest
    /// index.
    [[nodiscard]] OPTGAP_HD std::int32_t branching(std::int32_t depth) const {
        Cost const* __restrict const open = column(depth, open_column());
        Cost const* __restrict const spread = column(depth, spread_column());
        Cost const* __restrict const saving = saving_;
        Cost* __restrict const key = spare_;
        auto const m = Cost(nodes_[depth].multiplier);
        std::int32_t const active = run();
        Cost most = 0;
        for (std::int32_t v = 0; v < active; ++v) {
            Cost const apart = Cost(saving[v] > m ? saving[v] - m : m - saving[v]);
            key[v] = Cost(Cost(spread[v] + apart / 32 + 1) * open[v]);
            most = key[v] > most ? key[v] : most;
        }
        std::int32_t v = 0;
        while (key[v] != most) {
            ++v;
        }
        return v;
    }

private:
    using base::active_;
    using base::column;
    using base::inner_;
    using base::levels_;
    using base::limit_;
    using base::nodes_;
    using base::open_column;
    using base::run;
    using base::saving_;
    using base::spare_;
    using base::spread_column;
    using base::step_;

    struct price {
        Sum value;             ///< of the Lagrangian's variable part
        std::int32_t below;    ///< number of open vertices that go to part 0 at this multiplier
        std::int32_t at_most;  ///< these, plus those for which both parts cost the same
    };

    /// Replaces marks by the indices of the marked vertices. Skips eight bytes without a mark at once.
    OPTGAP_HD std::int32_t list_marked(Cost* marks) const {
        constexpr std::int32_t together = 8 / sizeof(Cost);
        std::int32_t size = 0;
        for (std::int32_t v = 0; v < active_; v += together) {
            std::uint64_t word = 0;
            std::memcpy(&word, marks + v, sizeof word);
            for (std::int32_t i = v; word != 0 && i < v + together; ++i) {
                bool const marked = marks[i] != 0;
                marks[size] = Cost(i);
                size += marked;
            }
        }
        return size;
    }

    OPTGAP_HD void exchange_savings() {
        Cost* const kept = saving_;
        saving_ = spare_;
        spare_ = kept;
    }

    OPTGAP_HD void sum_smallest(std::int32_t depth) {
        auto const r0 = Cost(nodes_[depth].places[0]);
        auto const r1 = Cost(nodes_[depth].places[1]);
        std::int32_t const active = run();
        Cost* __restrict const inner0 = inner_[0];
        Cost* __restrict const inner1 = inner_[1];
        Cost const* __restrict count = column(depth, 0);
        for (std::int32_t v = 0; v < active; ++v) {
            inner0[v] = 0;
            inner1[v] = 0;
        }
        for (std::int32_t t = 0; t < levels_; ++t, count += active) {
            Cost const step = step_[t];
            for (std::int32_t v = 0; v < active; ++v) {
                inner0[v] = Cost(inner0[v] + step * Cost(r1 > count[v] ? r1 - count[v] : 0));
                inner1[v] = Cost(inner1[v] + step * Cost(r0 > count[v] ? r0 - count[v] : 0));
            }
        }
    }

    /// The bound for one share, at the best multiplier or the first that reaches `enough`.
    OPTGAP_HD std::int64_t bound_at(std::int32_t depth, std::int32_t share, std::int64_t enough) {
        Cost const* __restrict const into0 = column(depth, levels_);
        Cost const* __restrict const into1 = column(depth, levels_ + 1);
        Cost const* __restrict const open = column(depth, open_column());
        Cost const* __restrict const inner0 = inner_[0];
        Cost const* __restrict const inner1 = inner_[1];
        Cost* __restrict const saving = saving_;
        auto const share0 = Cost(share);
        auto const closed = Cost(limit_ + 1);  // never below a multiplier
        auto const share1 = Cost(quarters - share);
        std::int32_t const active = run();
        Sum fixed = 0;
        for (std::int32_t v = 0; v < active; ++v) {
            Cost const cost0 = Cost(quarters * into1[v] + share0 * inner0[v]);
            Cost const cost1 = Cost(quarters * into0[v] + share1 * inner1[v]);
            saving[v] = open[v] != 0 ? Cost(cost0 - cost1) : closed;
            fixed += cost1 * open[v];
        }
        return quarters * nodes_[depth].cut + fixed +
               best_price(nodes_[depth], open, enough - quarters * nodes_[depth].cut - fixed);
    }

    [[nodiscard]] OPTGAP_HD price price_at(Cost const* __restrict open, std::int32_t places, Sum multiplier) const {
        Cost const* __restrict const saving = saving_;
        std::int32_t const active = run();
        auto const m = Cost(multiplier);
        Sum sum = 0;
        Cost below = 0;
        Cost at_most = 0;
        for (std::int32_t v = 0; v < active; ++v) {
            Cost const less = Cost(saving[v] - m);
            sum += Cost(less < 0 ? less : 0) * open[v];
            below = Cost(below + (less < 0));
            at_most = Cost(at_most + (less <= 0));
        }
        return {sum + places * multiplier, std::int32_t(below), std::int32_t(at_most)};
    }

    /// Maximises the concave price over the multiplier: strides from where the last search ended until the slope
    /// changes its sign, then halving.
    OPTGAP_HD Sum best_price(node& here, Cost const* open, std::int64_t enough) const {
        std::int32_t const places = here.places[0];
        Sum m = here.multiplier;
        price now = price_at(open, places, m);
        Sum best = now.value;
        Sum low = -limit_ - 1;  // too few go to part 0
        Sum high = limit_ + 1;  // too many
        Sum stride = 8;
        bool bracketed = false;
        while (best < enough && (now.below > places || now.at_most < places)) {
            bool const up = now.at_most < places;
            (up ? low : high) = m;
            Sum next = up ? m + stride : m - stride;
            bracketed = bracketed || next <= low || next >= high;
            if (bracketed) {
                next = low + (high - low) / 2;
            } else {
                stride *= 2;
            }
            if (next == low || high - low <= 1) {
                break;
            }
            m = next;
            now = price_at(open, places, m);
            if (now.value > best) {
                best = now.value;
                here.multiplier = m;
            }
        }
        return best;
    }
};

}  // namespace tasks::bisection

OPTGAP_KERNELS_END
