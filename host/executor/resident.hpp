#pragma once
// The interface of a device_store to its GPU. Callers have checked the arguments; sets are this GPU's.

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/reward/estimator.hpp"
#include "optgap/device/store.hpp"

namespace optgap {

class resident;

/// Instances in device memory, and their sizes on the host. The destructor frees the memory.
struct resident_set {
    virtual ~resident_set() = default;

    resident const* owner = nullptr;
    std::int64_t instances = 0;
    std::int32_t const* task = nullptr;  ///< per instance, in device memory as the next three
    std::int32_t const* words = nullptr;
    std::int64_t const* offsets = nullptr;
    sense const* direction = nullptr;
    std::int64_t words_size = 0;
    mutable std::atomic<bool> lent{false};    ///< others read it, and no call of this GPU shows when they end
    std::vector<std::int64_t> scratch_words;  ///< per task, the most that `verify` needs; -1: no instance is of it
    std::vector<std::int64_t> search_words;   ///< the same for `improve`
    std::vector<std::int64_t> row_words;  ///< per task, of its largest row: instance, answer and scratch of `verify`
    std::int64_t state_words = 0;         ///< the most that a search keeps from launch to launch
    std::int64_t answer_words = 0;        ///< of the largest answer that a policy or a search may write
};

struct resident_baselines {
    virtual ~resident_baselines() = default;

    resident const* owner = nullptr;
    std::int64_t count = 0;
    baseline const* rows = nullptr;
};

struct search_wish {
    std::int64_t steps;
    std::int64_t steps_a_launch;
    std::uint64_t seed;
    std::vector<bool> const& improves;  ///< per task: it has a search
};

class resident {
public:
    virtual ~resident() = default;

    /// Returns nullptr when there is no room.
    virtual std::shared_ptr<resident_set const> put(instance_view instances) = 0;
    /// Generates the instances in device memory.
    virtual std::shared_ptr<resident_set const> put(std::span<instance_spec const> specs) = 0;
    virtual std::shared_ptr<resident_baselines const> put(std::span<baseline const> baselines) = 0;

    virtual std::uint64_t verify(resident_set const& instances, device_answers const& answers, verdict* out,
                                 void* stream) = 0;
    virtual std::uint64_t reward(resident_set const& instances, resident_baselines const& baselines,
                                 device_rollouts const& rollouts, reward_rules const& rules, reward_row* out,
                                 float* rewards, void* stream) = 0;
    virtual std::uint64_t improve(resident_set const& instances, device_answers const& starts, search_wish const& wish,
                                  device_searches const& out, void* stream) = 0;
    virtual std::uint64_t advantages(device_rewards const& in, group_rule const& rule, float* out, void* stream) = 0;

    virtual std::uint64_t ended() = 0;
    virtual void wait() = 0;
    /// A sentence on a row that a call found wrong, once; empty when there is none.
    virtual std::string fault() = 0;

    [[nodiscard]] virtual int ordinal() const = 0;
    [[nodiscard]] virtual std::int64_t room() const = 0;  ///< bytes for sets, taken or not
    [[nodiscard]] virtual std::int64_t used() const = 0;
    [[nodiscard]] virtual std::uint64_t calls() const = 0;
};

}  // namespace optgap
