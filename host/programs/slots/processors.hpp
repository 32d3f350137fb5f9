#pragma once
// Which processor each slot of a sandbox has for itself, so that what a run gets done does not depend on where it was
// put.

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
    std::vector<processor> usable;  ///< of the affinity mask, by number
    std::int32_t capacity = 1;      ///< as many as there are, or as the cgroup's quota pays for; at least 1

    /// What slots leave to whoever called: a quarter, at least 1.
    [[nodiscard]] std::int32_t reserve() const;
};
[[nodiscard]] processor_set own_processors();

/// Processors for so many slots, best first: one a core, from the highest number down, then the cores' other ones; the
/// reserve is left out where the slots fit without it. Empty where there are fewer processors than slots, or a quota
/// pays for fewer.
[[nodiscard]] std::vector<std::int32_t> processors_for(processor_set const& all, std::int32_t slots);

/// Processors that no other process of this user has for its slots, each held by a lock on a file in a folder until the
/// last of its sandboxes is gone. Sandboxes of one process have the same ones: their runs come in turns.
class processor_claims {
public:
    processor_claims() = default;
    /// One a slot, or none at all, with `why` not.
    processor_claims(std::string const& folder, processor_set const& all, std::int32_t slots);

    [[nodiscard]] std::vector<std::int32_t> const& processors() const { return processors_; }
    [[nodiscard]] std::string const& why_none() const { return why_none_; }
    /// Of a slot; -1: it is not pinned.
    [[nodiscard]] std::int32_t of(std::int32_t slot) const {
        return std::size_t(slot) < processors_.size() ? processors_[std::size_t(slot)] : -1;
    }

private:
    std::vector<std::int32_t> processors_;
    std::vector<std::shared_ptr<void>> locks_;
    std::string why_none_ = "not asked for";
};

}  // namespace optgap::programs
