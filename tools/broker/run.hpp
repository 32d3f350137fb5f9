#pragma once
// One child of the broker and its state.

#include <cstdint>
#include <string>

#include <sys/types.h>

#include "host/programs/wire/broker_wire.hpp"
#include "tools/broker/child.hpp"
#include "tools/broker/supervisor.hpp"

namespace optgap::broker {

struct supervisor::run {
    run() = default;
    ~run();
    run(run const&) = delete;
    run& operator=(run const&) = delete;

    /// Records that a step before the program failed. The first failure counts.
    void fail(setup_step step, int error_number);
    /// Makes a fresh folder in `scratch` that belongs to the slot's user. Returns false with errno.
    [[nodiscard]] bool make_folder(std::string const& scratch);
    void remove_folder();
    /// Writes the program to a file in the folder, for a wrapper to find. Returns false with errno.
    [[nodiscard]] bool place_program(int source) const;
    /// The compiler's output, sealed; -1 with errno.
    [[nodiscard]] int built_program() const;
    /// Whether the child has ended, reported or not.
    [[nodiscard]] bool has_ended() const;
    /// Kills the child and all of its session.
    void kill_all() const;
    /// Takes status and costs of the ended child, and ends all of its session.
    void end_child();
    /// Takes the end that the first process in the namespaces reported. Without a report, setup failed there.
    void take_end();

    std::size_t index = 0;
    std::uint32_t serial = 0;  ///< distinguishes it from earlier runs at its index
    programs::wire::request asked;
    programs::wire::response result;
    std::int32_t user = -1;
    pid_t child = -1;   ///< the broker's direct child
    pid_t program = 0;  ///< the child, or the program inside namespaces once it has reported
    int child_handle = -1;
    int program_handle = -1;
    int setup = -1;
    int output_pipe = -1;
    int error_pipe = -1;
    std::string output;
    std::string errors;
    std::int64_t output_seen = 0;
    std::int64_t errors_seen = 0;
    std::int64_t begun = 0;
    std::int64_t next_check = 0;
    std::int64_t stopped_at = 0;  ///< 0: not stopped
    std::int64_t cpu = 0;
    std::int64_t waited = 0;      ///< in run queues, by the kernel's count
    std::int64_t checked_at = 0;  ///< time of the last `check`
    std::int64_t unseen = 0;      ///< part of the wall time in which the child, or this process, waited for a processor
    setup_report told;            ///< `what` is `ended` once it has ended
    std::string folder;
};

}  // namespace optgap::broker
