#pragma once
// From a fork of the broker to the first instruction of a program: every right given up on the way, in an order in
// which no step needs what an earlier one took. What fails is said over the setup socket, which the program does not
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
        hello,       ///< from inside of namespaces: the sender's credentials tell its process id out here
        ended,       ///< from inside of namespaces: wait_status, cpu_ns and peak_kb of the program
    };
    std::int32_t what = failed;
    setup_step step = setup_step::none;
    std::int32_t error_number = 0;
    std::int32_t wait_status = 0;
    std::int64_t cpu_ns = 0;
    std::int64_t peak_kb = 0;
};

/// The places of a child's descriptors.
enum place : int {
    place_input = 0,
    place_output,
    place_errors,
    place_program,
    place_setup,
    place_ruleset,
    place_filter
};

/// What every program finds in its environment.
extern char* const program_environment[];

struct child_plan {
    programs::wire::request request;
    std::int32_t user = -1;        ///< to become; -1: stays who it is
    std::int32_t file_kb = 0;      ///< the largest file that it may write
    std::int32_t processes = 0;    ///< at most, where the user is its own; 0: said by the filter alone
    char const* path = nullptr;    ///< of what is executed; null: the program's descriptor
    char* const* words = nullptr;  ///< its command line
    char* const* environment = program_environment;
    bool keep_program = false;  ///< the program's descriptor stays open (an interpreter reads it)
    filter* calls = nullptr;    ///< null only in tests of the ladder
    bool landlock = true;       ///< place_ruleset holds one
};

/// Puts `wanted[k]` at descriptor k, -1 at none, and closes all others. Before anything else in a child.
[[nodiscard]] bool place_descriptors(int const* wanted, int count);
/// Sends one; errors are not told, the socket's end is.
void send_report(setup_report const& report);
/// Tells what failed with errno, and ends.
[[noreturn]] void give_up(setup_step step);

/// Whatever limits and rights this process has are the wrapper's own; only descriptors, environment and processor are
/// not. Ends with a report on failure.
[[noreturn]] void become_wrapper(programs::wire::request const& asked, char* const* words);

/// Limits what this process and all after it may have. False with errno.
[[nodiscard]] bool limit(int resource, std::uint64_t most);
/// The kernel's out-of-memory killer takes this process before others. Not told when it fails: a wish.
void volunteer();
/// Every signal as it is by default, none blocked.
void forget_signals();
/// No capability left to this process, nor to what it executes, as far as it may say so. False with errno.
[[nodiscard]] bool drop_capabilities();

/// User and groups, no capability left to it or to what it executes. Ends with a report on failure.
void take_identity(std::int32_t user);
/// All steps after place_descriptors, then the program.
[[noreturn]] void become_program(child_plan const& plan);

}  // namespace optgap::broker
