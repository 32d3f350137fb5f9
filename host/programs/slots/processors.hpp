#pragma once
// Assigns each slot of a sandbox a processor of its own, so that a run's speed does not depend on its placement.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace optgap::programs {

/// A logical processor that this process may use.
struct processor {
    std::int32_t number = 0;
    std::int64_t core = 0;  ///< equal for those that share a physical core
};

struct processor_set {
    std::vector<processor> usable;  ///< in the affinity mask, by number
    std::int32_t capacity = 1;      ///< their number, or what the cgroup's quota allows; at least 1

    /// The processors that slots leave to the caller: a quarter, at least 1.
    [[nodiscard]] std::int32_t reserve() const;
};
[[nodiscard]] processor_set own_processors();

/// Processors for `slots` slots, best first: one per core, from the highest number down, then the cores' other ones.
/// The reserve is left out where the slots fit without it. Empty where there are fewer processors than slots, or a
/// quota allows fewer.
[[nodiscard]] std::vector<std::int32_t> processors_for(processor_set const& all, std::int32_t slots);

/// Processors that no other process of this user has for its slots. Each is held by a lock on a file in a folder until
/// its last sandbox is destroyed. Sandboxes of one process share theirs and take turns.
class processor_claims {
public:
    processor_claims() = default;
    /// Claims one per slot, or none at all with the reason.
    processor_claims(std::string const& folder, processor_set const& all, std::int32_t slots);

    [[nodiscard]] std::vector<std::int32_t> const& processors() const { return processors_; }
    [[nodiscard]] std::string const& why_none() const { return why_none_; }
    /// The processor of a slot; -1: it is not pinned.
    [[nodiscard]] std::int32_t of(std::int32_t slot) const {
        return std::size_t(slot) < processors_.size() ? processors_[std::size_t(slot)] : -1;
    }

private:
    std::vector<std::int32_t> processors_;
    std::vector<std::shared_ptr<void>> locks_;
    std::string why_none_ = "not asked for";
};

}  // namespace optgap::programs
