#pragma once
// Where programs of others run: compiled and started outside of this process, under limits, with one verdict a run.
// What holds them is a rung of a ladder (docs/sandbox.md); where none holds, nothing runs.
//
//   std::unique_ptr<sandbox> const here = open_sandbox({.rung = "auto"});      // throws error{sandbox_unavailable}
//   compile_result const built = here->compile({program_language::cpp, source});
//   run_result const ran = here->run({.program = built.program, .input = "3\n1 2 3\n"});
//
// All verbs may be called from several threads; the slots are shared among them.

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace optgap::programs {

/// wasm: a module, binary or text, that is no completion's language but may be run.
enum class program_language : std::int32_t { python = 0, cpp, wasm };
inline constexpr std::size_t language_count = 3;
[[nodiscard]] std::string_view name_of(program_language language);  ///< "python", "cpp", "wasm"
/// The language of completions that has a name; throws error{invalid_argument} that lists them.
[[nodiscard]] program_language language_named(std::string_view name);

/// How a program gets its instance and gives its answer. solve, of Python alone: it defines a function `solve`, which
/// is called with the fields of the JSON form on stdin by name, and whose list of strings is printed, a line each.
enum class program_interface : std::int32_t { stdio = 0, solve };
[[nodiscard]] std::string_view name_of(program_interface interface);  ///< "stdio", "solve"
/// Throw error{invalid_argument} for a name that is none, and for an interface that the language does not have.
[[nodiscard]] program_interface interface_named(std::string_view name, program_language language);
void require_interface(program_language language, program_interface interface);

/// How a compilation or a run ended; the names are those of the shared vocabulary of verdict codes.
enum class run_code : std::int32_t {
    ok = 0,          ///< compiled; or ended with status 0 within the limits and printed something
    compile_error,   ///< the compiler refuses the source
    compile_limit,   ///< the compiler needs more than the limits
    run_steps,       ///< more steps than allowed (wasm)
    run_time,        ///< more processor time than allowed, or asleep for longer than the wall limit
    run_memory,      ///< an allocation was refused
    run_output,      ///< printed more than allowed
    run_crash,       ///< ended by a signal: `where` is its number
    run_exit,        ///< ended with another status than 0: `where` is the status
    run_forbidden,   ///< made a system call that no program needs: `where` is -1
    run_no_output,   ///< ended well and printed nothing
    infrastructure,  ///< the machine's fault, after three tries: never to be charged to the program
};
[[nodiscard]] std::string_view name_of(run_code code);

/// What a run may use. Each is checked: see check_limits.
struct run_limits {
    std::int64_t cpu_ms = 500;
    std::int64_t steps = 0;  ///< of a deterministic rung; 0: cpu_ms * 5,000,000
    std::int64_t memory_mb = 512;
    std::int64_t output_kb = 1024;
    friend bool operator==(run_limits const&, run_limits const&) = default;
};

struct compile_limits {
    std::int64_t cpu_ms = 10000;
    std::int64_t memory_mb = 1024;
    friend bool operator==(compile_limits const&, compile_limits const&) = default;
};

/// Throw error{invalid_argument} that names the field and its range: cpu_ms 1 to 600,000, memory_mb 16 to 8,192,
/// output_kb 1 to 16,384, steps not negative.
void check_limits(run_limits const& limits);
void check_limits(compile_limits const& limits);

/// A program that is ready to run: bytes that nobody can change any more. Shared by copies; independent of the sandbox
/// that made it, but runs only at a rung of the same kind. Each sandbox has its own kind of it.
struct ready_program {
    explicit ready_program(program_language written_in) : language(written_in) {}
    virtual ~ready_program() = default;
    program_language language;
};
using program_handle = std::shared_ptr<ready_program const>;

/// Whose a call is, where several clients share the slots: a free slot goes to who has the fewest of those that want
/// one.
struct program_share {
    std::uint64_t client = 0;
    std::int32_t most = 0;  ///< slots of the client at once; 0: all
};

struct compile_request {
    program_language language = program_language::python;
    std::string_view source;
    compile_limits limits;
    std::stop_token stop = {};  ///< as of a run
    program_interface interface = program_interface::stdio;
    program_share share = {};  ///< as of a run
};

struct compile_result {
    run_code code = run_code::infrastructure;  ///< ok, compile_error, compile_limit or infrastructure
    std::string first_line;                    ///< the first complaint, "line 3: ..."; empty when ok
    std::string log;                           ///< what the compiler said, at most 64 KiB
    program_handle program;                    ///< set when ok
    double cpu_ms = 0;
    bool cached = false;
};

struct run_request {
    program_handle program;
    std::string_view input;  ///< on stdin; must live until the call returns
    run_limits limits;
    /// Asked to stop, what has not begun does not and what runs is killed; both end as infrastructure, trouble
    /// "stopped", and at once. Those of one call have the same one.
    std::stop_token stop = {};
    program_share share = {};  ///< those of one call have the same one
};

struct run_result {
    run_code code = run_code::infrastructure;
    std::int32_t where = -1;  ///< signal of run_crash, status of run_exit
    std::string output;       ///< stdout, whole when code is ok; else what there was, for people
    std::string error_head;   ///< stderr, at most 16 KiB
    double cpu_ms = 0;        ///< of the process, its start included
    double wall_ms = 0;
    double wait_ms = 0;        ///< of the wall: ready to run, but another process had the processor
    std::int64_t peak_kb = 0;  ///< resident memory
    std::int64_t steps = 0;    ///< of a deterministic rung
    std::int32_t slot = -1;
    std::int32_t tries = 1;
    bool suspected = false;  ///< run_crash charged because three tries ended badly beside healthy slots
    std::string trouble;     ///< infrastructure: what failed
};

/// The verbs; also what a test puts in place of one.
class sandbox {
public:
    virtual ~sandbox() = default;

    /// In the requests' order. Equal sources are compiled once, also across calls (a cache of this object).
    [[nodiscard]] virtual std::vector<compile_result> compile_all(std::span<compile_request const> requests) = 0;
    /// In the requests' order; blocks until all have ended. They start interleaved over programs (each program's first
    /// request, then each one's second, …), so that none gets the quiet minute, on as many slots as there are; those of
    /// a deterministic rung program by program, which changes nothing there and spares processes.
    [[nodiscard]] virtual std::vector<run_result> run_all(std::span<run_request const> requests) = 0;
    /// What holds the programs of a language: "namespaces", "jail", "command" or "wasm".
    [[nodiscard]] virtual std::string rung(program_language language) const = 0;
    /// The same program and input give the same bytes and verdict on any machine.
    [[nodiscard]] virtual bool deterministic(program_language language) const = 0;
    [[nodiscard]] virtual std::int32_t slots() const = 0;
    /// Of the slots, at this moment, by all calls.
    [[nodiscard]] virtual std::int32_t slots_busy() const = 0;

    [[nodiscard]] compile_result compile(compile_request const& request) {
        return std::move(compile_all({&request, 1}).front());
    }
    [[nodiscard]] run_result run(run_request const& request) { return std::move(run_all({&request, 1}).front()); }
};

struct sandbox_options {
    std::string rung =
        "auto";              ///< "auto": the first of the ladder that passes its self-test; else that one or an error
    std::int32_t slots = 0;  ///< runs at once; 0: usable processors less a reserve of a quarter, at least 1
    std::string broker;      ///< path of optgap-broker; empty: OPTGAP_BROKER, else beside the program or library
    std::string command;     ///< rung "command": a JSON array of words (docs/sandbox.md); empty: OPTGAP_SANDBOX_COMMAND
    std::vector<program_language> languages{program_language::python, program_language::cpp};  ///< that must be held
    bool steps = false;  ///< the limits name steps, which only a deterministic rung counts: no other will do
};

/// Throws error{sandbox_unavailable} that lists every rung, the probe that failed and the fix.
[[nodiscard]] std::unique_ptr<sandbox> open_sandbox(sandbox_options const& options);

}  // namespace optgap::programs
