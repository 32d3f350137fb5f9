#pragma once
// One child of the broker and what is known of it.

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

    /// A step before the program failed; the first that says so counts.
    void fail(setup_step step, int error_number);
    /// A fresh folder in `scratch` that is the slot's user's. False with errno.
    [[nodiscard]] bool make_folder(std::string const& scratch);
    void remove_folder();
    /// The program as a file in the folder, for a wrapper to find. False with errno.
    [[nodiscard]] bool place_program(int source) const;
    /// What the compiler wrote, sealed; -1 with errno.
    [[nodiscard]] int built_program() const;
    /// Of the child, whether it was heard of or not.
    [[nodiscard]] bool has_ended() const;
    /// The child and all of its session.
    void kill_all() const;
    /// The child has ended: ends all of its session, and takes its status and costs.
    void end_child();
    /// What the first process in the namespaces told counts as the end; without it, setup failed there.
    void take_end();

    std::size_t index = 0;
    std::uint32_t serial = 0;  ///< tells it from earlier ones at its index
    programs::wire::request asked;
    programs::wire::response result;
    std::int32_t user = -1;
    pid_t child = -1;   ///< ours
    pid_t program = 0;  ///< the same, or the one inside of namespaces once it has said so
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
    std::int64_t stopped_at = 0;  ///< 0: not
    std::int64_t cpu = 0;
    std::int64_t waited = 0;      ///< in run queues, by the kernel's count
    std::int64_t checked_at = 0;  ///< when `check` last looked
    std::int64_t unseen = 0;      ///< of the wall time: in which the child, or this process, waited for a processor
    setup_report told;            ///< `what` is `ended` once it is
    std::string folder;
};

}  // namespace optgap::broker
