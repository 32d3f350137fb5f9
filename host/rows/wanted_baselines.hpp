#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "host/baselines/baseline_source.hpp"
#include "host/rows/read/instances.hpp"
#include "optgap/batch.hpp"

namespace optgap::rows {

/// The instances of one batch whose baselines are needed, each once.
class wanted_baselines {
public:
    /// Returns the instance's index among the wanted ones. `spec` is as in engine::planted: task -1 for a user's own
    /// instance.
    std::int32_t add(std::int32_t task, std::span<std::int32_t const> words, instance_spec const& spec) {
        return add({task, hash_words(words)}, words, spec);
    }
    std::int32_t add(instance_id const& id, std::span<std::int32_t const> words, instance_spec const& spec) {
        auto const [place, is_new] = index_.try_emplace(id, std::int32_t(specs_.size()));
        if (is_new) {
            instances_.append(id.task, words);
            specs_.push_back(spec);
        }
        return place->second;
    }

    [[nodiscard]] baseline_query query(std::int64_t budget) const {
        return {.instances = instances_.view(), .specs = specs_, .budget = budget};
    }
    [[nodiscard]] bool empty() const { return specs_.empty(); }

private:
    instance_batch instances_;
    std::vector<instance_spec> specs_;
    std::unordered_map<instance_id, std::int32_t, instance_id_hash> index_;
};

}  // namespace optgap::rows
