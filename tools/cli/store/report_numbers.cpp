#include "tools/cli/store/report_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "kernels/reward/reward.hpp"
#include "tools/cli/store/row_pairs.hpp"

namespace optgap::cli {
namespace {

double quality_of(std::int64_t anchor, store::row const& of, sense direction) {
    return anchor == no_objective ? 0 : clip(ratio_to(anchor, of.objective, direction), 0, 1);
}

class counter {
public:
    counter(engine const& by, store::reader* old, store::reader& now) : by_(by), old_(old), now_(now) {}

    report_numbers count() {
        store::content_hash now_hash, old_hash;
        for_pairs(by_, old_, now_, [&](store::row const* one, store::row const* other) {
            if (one != nullptr) {
                old_hash.add(line_of(*one, *old_));
            }
            if (other != nullptr) {
                now_hash.add(line_of(*other, now_));
                add(*other);
            }
            if (old_ != nullptr) {
                compare(one, other);
            }
        });
        std::sort_heap(out_.worst.begin(), out_.worst.end(), is_worse);
        out_.hash = now_hash.text();
        out_.old_hash = old_ == nullptr ? std::string() : old_hash.text();
        return std::move(out_);
    }

private:
    static bool is_worse(report_row const& a, report_row const& b) {
        return a.gap != b.gap ? a.gap > b.gap : a.row.key < b.row.key;
    }

    [[nodiscard]] std::optional<store::own_instance> own_of(store::row const& one, store::reader const& from) const {
        return one.key.part == store::explicit_part ? from.instance(one.key) : std::nullopt;
    }

    std::string const& line_of(store::row const& one, store::reader const& from) {
        auto const own = own_of(one, from);
        line_.clear();
        store::append_line(line_, one, own ? &*own : nullptr, by_);
        return line_;
    }

    std::array<report_cell*, 3> cells_of(store::row_key const& key) {
        std::string const task = fmt::format("{}@{}", key.task, key.version);
        std::string const level = key.part == store::explicit_part ? "explicit" : level_name({key.level});
        return {&out_.total, &out_.tasks[task], &out_.cells[{task, level}]};
    }

    void add(store::row const& one) {
        sense const direction = store::direction_of(by_, one.key.task);
        bool const answered = one.objective != no_objective;
        double const gap = store::relative_gap(one);
        auto const steps = std::uint64_t(std::max<std::int64_t>(0, std::max(one.found.steps, one.bounded.steps)));
        for (report_cell* const at : cells_of(one.key)) {
            ++at->rows;
            at->proven += one.proven() ? 1 : 0;
            at->unanswered += answered ? 0 : 1;
            if (!std::isnan(gap)) {
                at->gaps.push_back(gap);
            }
            if (answered) {
                at->floor_quality += quality_of(one.floor, one, direction);
                at->greedy_quality += quality_of(one.greedy, one, direction);
            }
            at->proof_steps[std::size_t(std::bit_width(steps))] += one.proven() ? 1 : 0;
        }
        if (answered && !one.proven()) {
            keep_worst({one, {}, std::isnan(gap) ? std::numeric_limits<double>::infinity() : gap});
        }
        if (one.published != no_objective) {
            if (out_.published.size() < max_published) {
                out_.published.push_back({one, own_of(one, now_), gap});
            } else {
                ++out_.published_left_out;
            }
        }
    }

    /// A heap with the least bad one in front.
    void keep_worst(report_row one) {
        std::vector<report_row>& worst = out_.worst;
        if (worst.size() == max_worst && !is_worse(one, worst.front())) {
            return;
        }
        if (worst.size() == max_worst) {
            std::pop_heap(worst.begin(), worst.end(), is_worse);
            worst.pop_back();
        }
        one.own = own_of(one.row, now_);
        worst.push_back(std::move(one));
        std::push_heap(worst.begin(), worst.end(), is_worse);
    }

    void compare(store::row const* one, store::row const* other) {
        row_change const change = one != nullptr && other != nullptr ? change_of(*one, *other, by_) : row_change();
        for (report_cell* const at : cells_of(other != nullptr ? other->key : one->key)) {
            at->added += one == nullptr ? 1 : 0;
            at->gone += other == nullptr ? 1 : 0;
            at->better += change.better ? 1 : 0;
            at->worse += change.worse ? 1 : 0;
            at->newly_proven += change.newly_proven ? 1 : 0;
            at->no_longer_proven += change.no_longer_proven ? 1 : 0;
        }
        bool const is_regression = other == nullptr || change.worse || change.no_longer_proven;
        if (is_regression && out_.regressions.size() < max_regressions) {
            out_.regressions.push_back({*one, own_of(*one, *old_), 0});
        }
    }

    engine const& by_;
    store::reader* old_;
    store::reader& now_;
    report_numbers out_;
    std::string line_;
};

}  // namespace

report_numbers count_rows(engine const& by, store::reader* old, store::reader& now) {
    return counter(by, old, now).count();
}

double share_below(std::vector<double> values, double p) {
    if (values.empty()) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    auto const last = double(values.size()) - 1;
    auto const at = values.begin() + std::ptrdiff_t(std::clamp(std::ceil(p * double(values.size())) - 1, 0.0, last));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

}  // namespace optgap::cli
