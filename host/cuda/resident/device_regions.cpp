#include "host/cuda/resident/device_regions.hpp"

#include <algorithm>
#include <iterator>

namespace optgap {

std::int64_t device_regions::take(std::int64_t bytes) {
    std::int64_t const size = (std::max<std::int64_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    auto const gap = std::find_if(free_.begin(), free_.end(), [&](auto const& part) { return part.second >= size; });
    if (gap == free_.end()) {
        return -1;
    }
    auto const [begin, room] = *gap;
    free_.erase(gap);
    if (room > size) {
        free_.emplace(begin + size, room - size);
    }
    taken_.emplace(begin, size);
    used_ += size;
    return begin;
}

void device_regions::give_back(std::int64_t begin) {
    auto const own = taken_.find(begin);
    std::int64_t size = own->second;
    taken_.erase(own);
    used_ -= size;
    auto next = free_.lower_bound(begin);
    if (next != free_.end() && begin + size == next->first) {
        size += next->second;
        next = free_.erase(next);
    }
    if (next != free_.begin()) {
        auto const before = std::prev(next);
        if (before->first + before->second == begin) {
            before->second += size;
            return;
        }
    }
    free_.emplace(begin, size);
}

}  // namespace optgap
