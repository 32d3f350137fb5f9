#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
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

struct tally {
    std::int64_t equal_pairs = 0;
    std::int64_t resolution = 0;
};

/// The count of each value in a group, and the measures that follow from it. Made once and used for all groups: most
/// have few rows, and few ways to be alike.
class value_counter {
public:
    /// Two or more values, not all equal; reorders them.
    tally count(std::span<float> values) {
        rows_ = values.size();
        if (rows_ > small_group) {
            sort(values);
            return tally_of_shape();
        }
        compare_all(values);
        if (rows_ > lanes) {
            read_shape();
            return tally_of_shape();
        }
        std::uint64_t const key = same_key();
        kept& place = kept_[key * 0x9E3779B97F4A7C15u >> (64 - std::countr_zero(std::size(kept_)))];
        if (place.rows != rows_ || place.key != key) {
            read_shape();
            place = {rows_, key, tally_of_shape()};
        }
        return place.found;
    }

private:
    static constexpr std::size_t lanes = 16;
    using floats4 = float __attribute__((vector_size(16)));
    using ints4 = std::int32_t __attribute__((vector_size(16)));

    struct entry {
        std::size_t count;   ///< of equal rows
        std::size_t values;  ///< that stand there so often
    };
    struct kept {
        std::size_t rows = 0;
        std::uint64_t key = 0;
        tally found;
    };

    static floats4 load(float const* at) {
        floats4 value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }

    /// same_[i]: how many values the i-th equals. Sixteen at a time, whose counts stay in registers.
    void compare_all(std::span<float const> values) {
        float padded[small_group];
        float const* all = values.data();
        padded_ = (rows_ + lanes - 1) / lanes * lanes;
        if (rows_ < padded_) {  // by what equals nothing
            std::fill_n(std::copy(values.begin(), values.end(), padded), padded_ - rows_,
                        std::numeric_limits<float>::quiet_NaN());
            all = padded;
        }
        for (std::size_t i = 0; i < padded_; i += lanes) {
            floats4 const own[4] = {load(all + i), load(all + i + 4), load(all + i + 8), load(all + i + 12)};
            ints4 equal[4] = {};
            for (std::size_t k = 0; k < rows_; ++k) {
                floats4 const other = {all[k], all[k], all[k], all[k]};
                for (int part = 0; part < 4; ++part) {
                    equal[part] -= own[part] == other;
                }
            }
            std::memcpy(same_ + i, equal, sizeof equal);
        }
    }

    /// A key of up to sixteen rows that are not all equal: four bits for each count say how many rows have it. Sixteen
    /// carry into the next bits as 1, which nothing else does: of a count above 1 there are two rows or more.
    [[nodiscard]] std::uint64_t same_key() const {
        std::uint64_t key = 0;
        for (std::size_t i = 0; i < rows_; ++i) {
            key += std::uint64_t(1) << (4 * (same_[i] - 1));
        }
        return key;
    }

    void read_shape() {
        shape_.clear();
        for (std::int32_t count = 1, rows = 0; rows < std::int32_t(rows_); ++count) {
            std::int32_t with = 0;
            for (std::size_t i = 0; i < padded_; ++i) {
                with += same_[i] == count ? 1 : 0;
            }
            if (with > 0) {
                shape_.push_back({std::size_t(count), std::size_t(with / count)});
            }
            rows += with;
        }
    }

    void sort(std::span<float> values) {
        shape_.clear();
        std::sort(values.begin(), values.end());
        for (std::size_t begin = 0, end = 0; begin < values.size(); begin = end) {
            while (end < values.size() && values[end] == values[begin]) {
                ++end;
            }
            shape_.push_back({end - begin, 1});
        }
    }

    [[nodiscard]] tally tally_of_shape() const {
        tally out;
        for (auto const& [count, values] : shape_) {
            out.equal_pairs += std::int64_t(values) * std::int64_t(count) * std::int64_t(count - 1);
        }
        out.resolution = std::llrint(resolution() * fixed_point);
        return out;
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

    std::size_t rows_ = 0, padded_ = 0;
    alignas(16) std::int32_t same_[small_group] = {};
    std::vector<entry> shape_;
    kept kept_[256];  ///< groups of sixteen have 230 shapes
};

/// Whether rewards are equal but for the parts that their rollouts' lengths took.
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
    std::int32_t others = 0;  // all are looked at: where the first other stands is chance
    for (float const value : values) {
        others += value == values[0] ? 0 : 1;
    }
    if (others == 0 || equal_before_length(values, penalties)) {
        out.collapsed = 1;
        out.equal_pairs = out.pairs;
        return out;
    }
    tally const found = counter.count(values);
    out.kept = 1;
    out.equal_pairs = found.equal_pairs;
    out.resolution = found.resolution;
    return out;
}

template <class Row>
void gather(std::span<float const> column, std::size_t begin, std::size_t rows, Row const& row_at,
            std::vector<float>& out) {
    out.resize(rows);
    for (std::size_t k = 0; k < rows; ++k) {
        out[k] = column[row_at(begin + k)];
    }
}

/// Moves rows that have a reward to the front and says how many they are.
std::size_t drop_unrewarded(std::span<float> values, std::span<float> penalties) {
    std::int32_t without = 0;
    for (float const value : values) {
        without += std::isnan(value) ? 1 : 0;
    }
    std::size_t kept = without == 0 ? values.size() : 0;
    for (std::size_t k = 0; without > 0 && k < values.size(); ++k) {
        values[kept] = values[k];
        if (!penalties.empty()) {
            penalties[kept] = penalties[k];
        }
        kept += std::isnan(values[k]) ? 0 : 1;
    }
    return kept;
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
    std::span<std::uint8_t> const keep(out.keep);
    auto const each = [&](auto const& row_at) {
        for (std::size_t g = 0; g + 1 < index.begin.size(); ++g) {
            auto const begin = std::size_t(index.begin[g]), rows = std::size_t(index.begin[g + 1]) - begin;
            gather(rewards, begin, rows, row_at, values);
            gather(length_penalty, begin, length_penalty.empty() ? 0 : rows, row_at, penalties);
            std::size_t const rewarded = drop_unrewarded(values, penalties);
            group_counts const found = counts_of(std::span(values).first(rewarded),
                                                 std::span(penalties).first(penalties.empty() ? 0 : rewarded), counter);
            out.total += found;
            if (!cell.empty()) {
                out.cells[std::size_t(cell[row_at(begin)])] += found;
            }
            for (std::size_t at = begin, end = found.kept > 0 ? begin + rows : begin; at < end; ++at) {
                keep[row_at(at)] = rewarded == rows || !std::isnan(rewards[row_at(at)]) ? 1 : 0;
            }
        }
    };
    if (index.order.empty()) {
        each([](std::size_t at) { return at; });
    } else {
        each([order = index.order.data()](std::size_t at) { return std::size_t(order[at]); });
    }
    return out;
}

}  // namespace optgap
