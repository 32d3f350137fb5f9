#pragma once
// Baselines that rows bring, compared with each other: all answers of one group to one instance must have one baseline.

#include <cstdint>
#include <string>
#include <unordered_map>

#include "optgap/baseline.hpp"
#include "optgap/key.hpp"

namespace optgap {

/// For one run and one thread. Compares objective, bound and status alone, since anchors that a row leaves out are
/// computed.
class given_baselines {
public:
    /// Why a row may not bring `given` for this instance in this group: an earlier row brought another. Empty: it may.
    [[nodiscard]] std::string conflict(std::int64_t group, std::int32_t task, instance_hash instance,
                                       baseline const& given);

private:
    struct place {
        std::int64_t group = 0;
        std::int32_t task = 0;
        instance_hash instance;
        friend bool operator==(place const&, place const&) = default;
    };
    struct place_hash {
        std::size_t operator()(place const& of) const {
            return std::size_t(of.instance.low ^ (std::uint64_t(of.group) * 0x9e3779b97f4a7c15) ^
                               (std::uint64_t(of.task) << 48));
        }
    };
    struct first_given {
        std::int64_t objective = no_objective, bound = no_objective;
        bool proven = false;
        friend bool operator==(first_given const&, first_given const&) = default;
    };

    std::unordered_map<place, first_given, place_hash> first_;
};

}  // namespace optgap
