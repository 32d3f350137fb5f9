#pragma once
// The way from a fork of the broker to the first instruction of a program. Every right is dropped, in an order in which
// no step needs what an earlier one dropped. Failures are reported over the setup socket, which the program does not
// inherit.

#include <cstdint>

#include "host/programs/wire/broker_wire.hpp"
#include "tools/broker/filters.hpp"

namespace optgap::broker {

using programs::wire::setup_step;

/// One message over the setup socket.
struct setup_report {
    enum kind : std::int32_t {
        failed = 1,  ///< step and error_number
        hello,       ///< from inside namespaces: the sender's credentials give its process id outside
        ended,       ///< from inside namespaces: wait_status, cpu_ns and peak_kb of the program
    };
    std::int32_t what = failed;
    setup_step step = setup_step::none;
    std::int32_t error_number = 0;
    std::int32_t wait_status = 0;
    std::int64_t cpu_ns = 0;
    std::int64_t peak_kb = 0;
};

/// The descriptor numbers of a child.
enum place : int {
    place_input = 0,
    place_output,
    place_errors,
    place_program,
    place_setup,
    place_ruleset,
    place_filter
};

/// The environment of every program.
extern char* const program_environment[];

struct child_plan {
    programs::wire::request request;
    std::int32_t user = -1;        ///< the user to become; -1: no change
    std::int32_t file_kb = 0;      ///< the largest file that it may write
    std::int32_t processes = 0;    ///< maximum, where the user is its own; 0: limited by the filter only
    char const* path = nullptr;    ///< path of the executable; null: the program's descriptor
    char* const* words = nullptr;  ///< its command line
    char* const* environment = program_environment;
    bool keep_program = false;  ///< the program's descriptor stays open (an interpreter reads it)
    filter* calls = nullptr;    ///< null only in tests of isolation levels
    bool landlock = true;       ///< place_ruleset has a ruleset
};

/// Puts `wanted[k]` at descriptor k (-1: none), and closes all others. It must be a child's first action.
[[nodiscard]] bool place_descriptors(int const* wanted, int count);
/// Sends a report. An error is ignored, since the closed socket shows it.
void send_report(setup_report const& report);
/// Reports the failed step with errno, and exits.
[[noreturn]] void give_up(setup_step step);

/// Leaves limits and rights to the wrapper, and sets only descriptors, environment and processor. Exits with a report
/// on failure.
[[noreturn]] void become_wrapper(programs::wire::request const& asked, char* const* words);

/// Limits a resource for this process and its descendants. Returns false with errno.
[[nodiscard]] bool limit(int resource, std::uint64_t most);
/// Makes the kernel's out-of-memory killer prefer this process. Best effort: a failure is not reported.
void volunteer();
/// Resets every signal to its default and unblocks it.
void forget_signals();
/// Drops all capabilities of this process and of what it executes, as far as it is allowed to. Returns false with
/// errno.
[[nodiscard]] bool drop_capabilities();

/// Sets user and groups, and drops all capabilities of this process and of what it executes. Exits with a report on
/// failure.
void take_identity(std::int32_t user);
/// Takes all steps after place_descriptors, then starts the program.
[[noreturn]] void become_program(child_plan const& plan);

}  // namespace optgap::broker
