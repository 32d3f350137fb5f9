#include "host/reward/posed_instances.hpp"

namespace optgap {

std::int32_t posed_instances::row(std::uint64_t id, std::int32_t task, std::span<std::int32_t const> words,
                                  baseline const& truth) {
    auto const [first, last] = rows_.equal_range(id);
    for (auto known = first; known != last; ++known) {
        if (baselines_[std::size_t(known->second)] == truth) {
            return known->second;
        }
    }
    auto const fresh = std::int32_t(baselines_.size());
    rows_.emplace(id, fresh);
    instances_.append(task, words);
    baselines_.push_back(truth);
    return fresh;
}

}  // namespace optgap
