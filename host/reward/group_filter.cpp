#include <algorithm>
#include <cmath>
#include <limits>

#include "host/reward/advantage_groups.hpp"
#include "optgap/statistics.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

constexpr double fixed_point = 4294967296.0;  // 2^32
constexpr std::size_t small_group = 64;       ///< up to here comparing all pairs beats sorting

double ratio(std::int64_t part, std::int64_t whole) {
    return whole == 0 ? std::numeric_limits<double>::quiet_NaN() : double(part) / double(whole);
}

double power(double base, std::size_t exponent) {
    double out = 1.0;
    for (; exponent > 0; exponent >>= 1, base *= base) {
        out *= (exponent & 1) != 0 ? base : 1.0;
    }
    return out;
}

/// How often each value stands in a group. Made once and used for all groups.
class value_counter {
public:
    /// Two or more values, not all equal; reorders them.
    void count(std::span<float> values) {
        rows_ = values.size();
        shape_.clear();
        rows_ <= small_group ? compare_all(values) : sort(values);
    }

    [[nodiscard]] std::int64_t equal_pairs() const {
        std::int64_t sum = 0;
        for (auto const& [count, values] : shape_) {
            sum += std::int64_t(values) * std::int64_t(count) * std::int64_t(count - 1);
        }
        return sum;
    }

    /// -ln(sum_z p_z^G) / (G - 1). The most frequent value is taken out of the sum: p^G underflows in large groups.
    [[nodiscard]] double resolution() const {
        std::size_t most = 0;
        for (auto const& [count, values] : shape_) {
            most = std::max(most, count);
        }
        double sum = 0;
        for (auto const& [count, values] : shape_) {
            sum += double(values) * power(double(count) / double(most), rows_);
        }
        double const log_sum = double(rows_) * std::log(double(most) / double(rows_)) + std::log(sum);
        return -log_sum / double(rows_ - 1);
    }

private:
    struct entry {
        std::size_t count;   ///< of equal rows
        std::size_t values;  ///< that stand there so often
    };

    void compare_all(std::span<float const> values) {
        std::int32_t same[small_group] = {};
        for (float const value : values) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                same[i] += value == values[i] ? 1 : 0;
            }
        }
        std::size_t rows_with[small_group + 1] = {};
        std::size_t most = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            ++rows_with[same[i]];
            most = std::max(most, std::size_t(same[i]));
        }
        for (std::size_t count = 1; count <= most; ++count) {
            if (rows_with[count] > 0) {
                shape_.push_back({count, rows_with[count] / count});
            }
        }
    }

    void sort(std::span<float> values) {
        std::sort(values.begin(), values.end());
        for (std::size_t begin = 0, end = 0; begin < values.size(); begin = end) {
            while (end < values.size() && values[end] == values[begin]) {
                ++end;
            }
            shape_.push_back({end - begin, 1});
        }
    }

    std::size_t rows_ = 0;
    std::vector<entry> shape_;
};

/// Are rewards equal but for what their rollouts' lengths took?
bool equal_before_length(std::span<float const> values, std::span<float const> penalties) {
    if (std::all_of(penalties.begin(), penalties.end(), [](float lost) { return lost == 0; })) {
        return false;
    }
    double low = double(values[0]) - double(penalties[0]);
    double high = low;
    for (std::size_t i = 1; i < values.size(); ++i) {
        double const before = double(values[i]) - double(penalties[i]);
        low = std::min(low, before);
        high = std::max(high, before);
    }
    return high - low <= same_before_length;
}

group_counts counts_of(std::span<float> values, std::span<float const> penalties, value_counter& counter) {
    group_counts out;
    out.groups = 1;
    auto const n = std::int64_t(values.size());
    if (n < 2) {
        return out;
    }
    out.pairs = n * (n - 1);
    bool const equal = std::all_of(values.begin(), values.end(), [&](float value) { return value == values[0]; });
    if (equal || equal_before_length(values, penalties)) {
        out.collapsed = 1;
        out.equal_pairs = out.pairs;
        return out;
    }
    counter.count(values);
    out.kept = 1;
    out.equal_pairs = counter.equal_pairs();
    out.resolution = std::llrint(counter.resolution() * fixed_point);
    return out;
}

void check(std::span<float const> rewards, std::span<std::int32_t const> group, std::span<std::int32_t const> cell,
           std::int32_t cells, std::span<float const> length_penalty) {
    auto const fits = [&](std::size_t size) { return size == 0 || size == rewards.size(); };
    if (group.size() != rewards.size() || !fits(cell.size()) || !fits(length_penalty.size())) {
        throw error(status::invalid_argument,
                    "filter_groups: rewards, groups, cells and length penalties differ in length");
    }
    if (std::any_of(cell.begin(), cell.end(), [&](std::int32_t c) { return c < 0 || c >= cells; })) {
        throw error(status::invalid_argument, "filter_groups: a cell is not from 0 to cells - 1");
    }
}

}  // namespace

group_counts& group_counts::operator+=(group_counts const& other) {
    groups += other.groups;
    kept += other.kept;
    collapsed += other.collapsed;
    pairs += other.pairs;
    equal_pairs += other.equal_pairs;
    resolution += other.resolution;
    return *this;
}

double group_counts::effective_prompt_ratio() const { return ratio(kept, groups); }
double group_counts::collapsed_share() const { return ratio(collapsed, groups); }
double group_counts::pair_collision() const { return ratio(equal_pairs, pairs); }
double group_counts::feedback_resolution() const { return ratio(resolution, kept + collapsed) / fixed_point; }

group_filter filter_groups(std::span<float const> rewards, std::span<std::int32_t const> group,
                           std::span<std::int32_t const> cell, std::int32_t cells,
                           std::span<float const> length_penalty) {
    check(rewards, group, cell, cells, length_penalty);
    group_filter out;
    out.keep.assign(rewards.size(), 0);
    out.cells.resize(cell.empty() ? 0 : std::size_t(cells));
    group_index const index = index_groups(group);
    std::vector<float> values, penalties;
    value_counter counter;
    for (std::size_t g = 0; g + 1 < index.begin.size(); ++g) {
        auto const begin = std::size_t(index.begin[g]), end = std::size_t(index.begin[g + 1]);
        auto const row_at = [&](std::size_t at) { return index.order.empty() ? at : std::size_t(index.order[at]); };
        values.resize(end - begin);
        penalties.resize(length_penalty.empty() ? 0 : end - begin);
        std::size_t rewarded = 0;
        for (std::size_t at = begin; at < end; ++at) {
            float const reward = rewards[row_at(at)];
            values[rewarded] = reward;
            if (!length_penalty.empty()) {
                penalties[rewarded] = length_penalty[row_at(at)];
            }
            rewarded += std::isnan(reward) ? 0 : 1;
        }
        group_counts const found = counts_of(std::span(values).first(rewarded),
                                             std::span(penalties).first(penalties.empty() ? 0 : rewarded), counter);
        out.total += found;
        if (!cell.empty()) {
            out.cells[std::size_t(cell[row_at(begin)])] += found;
        }
        for (std::size_t at = begin; found.kept > 0 && at < end; ++at) {
            out.keep[row_at(at)] = std::isnan(rewards[row_at(at)]) ? 0 : 1;
        }
    }
    return out;
}

}  // namespace optgap
