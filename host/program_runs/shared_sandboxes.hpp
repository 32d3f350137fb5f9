#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/programs/sandbox.hpp"
#include "optgap/engine.hpp"

namespace optgap::program_runs {

struct sandbox_place {
    std::string isolation = "auto";  ///< an isolation level, or "auto"
    std::int32_t slots = 0;          ///< programs at once; 0: the processors less a quarter
    std::string broker = {};         ///< path of optgap-broker; empty: OPTGAP_BROKER, else beside the program
    /// Socket of the node's daemon, whose slots are used where it holds the languages under `isolation`; empty: the
    /// one that OPTGAP_SERVER names, if any; "off": none.
    std::string server = {};
};

/// The sandboxes of everything that shares slots: one for programs whose limits name steps, and one for the others.
/// Each is opened when its first language is needed, and replaced by one over the same number of slots when a further
/// language is. Thread-safe.
class shared_sandboxes {
public:
    /// `by`, which must outlive it, names the build that a daemon must have.
    shared_sandboxes(engine const& by, sandbox_place place) : by_(&by), place_(std::move(place)) {}
    /// Without a daemon.
    explicit shared_sandboxes(sandbox_place place) : place_(std::move(place)) {}

    /// A sandbox for these languages and those requested before. Throws error{sandbox_unavailable}, also the next time.
    /// Calls under way keep their sandbox.
    std::shared_ptr<programs::sandbox> holding(std::vector<programs::program_language> const& languages,
                                               bool steps = false);
    /// The same for callers that keep a reference: it lives as long as this object.
    programs::sandbox& kept(programs::program_language language, bool steps = false);
    /// Uses a test's own sandbox instead of opening one.
    void hold_by(std::shared_ptr<programs::sandbox> held);

    /// The number of slots of the opened sandboxes; before, the requested one.
    [[nodiscard]] std::int32_t slots() const;
    /// The slots in use in all open sandboxes at this moment.
    [[nodiscard]] std::int32_t slots_busy() const;

private:
    /// The node's daemon as a sandbox, where one is named and supports the request; else null.
    [[nodiscard]] std::shared_ptr<programs::sandbox> served(programs::sandbox_options const& asked) const;

    struct entry {
        std::shared_ptr<programs::sandbox> open;
        std::vector<programs::program_language> held;
        std::map<programs::program_language, std::string> refused;
    };

    engine const* by_ = nullptr;
    sandbox_place const place_;
    mutable std::mutex lock_;
    std::mutex opening_;            ///< held while isolation levels are probed; never taken while lock_ is held
    std::array<entry, 2> entries_;  ///< without steps and with
    std::vector<std::shared_ptr<programs::sandbox>> kept_;
};

}  // namespace optgap::program_runs
