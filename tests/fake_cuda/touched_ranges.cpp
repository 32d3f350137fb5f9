// The bytes that an operation touched, and whether two operations touched the same.

#include <algorithm>
#include <span>
#include <utility>

#include "tests/fake_cuda/fake_streams.hpp"

namespace optgap::fake {

namespace {

using ranges = std::span<touches::range const>;

/// Takes sorted ranges that are not adjacent.
bool share_a_byte(ranges a, ranges b) {
    for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
        if (a[i].begin < b[k].end && b[k].begin < a[i].end) {
            return true;
        }
        ++(a[i].end <= b[k].begin ? i : k);
    }
    return false;
}

bool meet(ranges a, ranges b) {
    auto const is_read = [](touches::range const& one) { return !one.written; };
    auto const reads_of = [&](ranges of) {
        return std::size_t(std::ranges::partition_point(of, is_read) - of.begin());
    };
    std::size_t const i = reads_of(a), k = reads_of(b);
    return share_a_byte(a.subspan(i), b.first(k)) || share_a_byte(a.subspan(i), b.subspan(k)) ||
           share_a_byte(a.first(i), b.subspan(k));
}

}  // namespace

std::size_t range_sets::number_of(std::vector<touches::range> const& joined) {
    auto const [place, is_new] = numbers_.try_emplace(joined, sets_.size());
    if (is_new) {
        sets_.push_back(&place->first);
    }
    return place->second;
}

bool range_sets::meet(std::size_t a, std::size_t b) {
    auto const [place, is_new] = known_.try_emplace(std::minmax(a, b), false);
    if (is_new) {
        place->second = fake::meet(*sets_[a], *sets_[b]);
    }
    return place->second;
}

void range_sets::forget_all() { *this = {}; }

void touches::add(void const* at, std::int64_t bytes, bool written) {
    if (bytes > 0) {
        auto const begin = reinterpret_cast<std::uintptr_t>(at);
        ranges_.push_back({begin, begin + std::uintptr_t(bytes), written});
    }
}

std::vector<touches::range> touches::joined() const {
    std::vector<range> sorted = ranges_;
    std::sort(sorted.begin(), sorted.end(), [](range const& a, range const& b) {
        return std::pair(a.written, a.begin) < std::pair(b.written, b.begin);
    });
    std::vector<range> out;
    for (range const& one : sorted) {
        if (!out.empty() && out.back().written == one.written && one.begin <= out.back().end) {
            out.back().end = std::max(out.back().end, one.end);
        } else {
            out.push_back(one);
        }
    }
    return out;
}

}  // namespace optgap::fake
