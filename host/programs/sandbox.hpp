#pragma once
// Runs untrusted programs: compiles and starts them outside of this process, under limits, and gives one verdict per
// run. An isolation level contains them (docs/sandbox.md); where none is usable, nothing runs.
//
//   std::unique_ptr<sandbox> const here = open_sandbox({.isolation level = "auto"});      // throws
//   error{sandbox_unavailable} compile_result const built = here->compile({program_language::cpp, source}); run_result
//   const ran = here->run({.program = built.program, .input = "3\n1 2 3\n"});
//
// All functions may be called from several threads, which share the slots.

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace optgap::programs {

/// wasm: a module, binary or text. No completion is written in it, but it can be run.
enum class program_language : std::int32_t { python = 0, cpp, wasm };
inline constexpr std::size_t language_count = 3;
[[nodiscard]] std::string_view name_of(program_language language);  ///< "python", "cpp", "wasm"
/// The language of completions with this name; throws error{invalid_argument} that lists them.
[[nodiscard]] program_language language_named(std::string_view name);

/// How a program gets its instance and gives its answer. With solve, for Python only, it defines a function `solve`.
/// The function is called with the fields of the JSON form on stdin by name, and returns a list of strings that are
/// printed as lines.
enum class program_interface : std::int32_t { stdio = 0, solve };
[[nodiscard]] std::string_view name_of(program_interface interface);  ///< "stdio", "solve"
/// Throw error{invalid_argument} for an unknown name, and for an interface that the language does not have.
[[nodiscard]] program_interface interface_named(std::string_view name, program_language language);
void require_interface(program_language language, program_interface interface);

/// How a compilation or a run ended. The names are those of the shared vocabulary of verdict codes.
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
    infrastructure,  ///< the machine's fault, after three tries: never charged to the program
};
[[nodiscard]] std::string_view name_of(run_code code);

/// The limits of a run, checked by check_limits.
struct run_limits {
    std::int64_t cpu_ms = 500;
    std::int64_t steps = 0;  ///< of a deterministic isolation level; 0: cpu_ms * 5,000,000
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

/// A program that is ready to run, as immutable bytes. Copies share it. It outlives the sandbox that made it, but runs
/// only at an isolation level of the same kind. Each kind of sandbox derives its own.
struct ready_program {
    explicit ready_program(program_language written_in) : language(written_in) {}
    virtual ~ready_program() = default;
    program_language language;
};
using program_handle = std::shared_ptr<ready_program const>;

/// The client of a call, where several share the slots. A free slot goes to the client that has the fewest among those
/// that want one.
struct program_share {
    std::uint64_t client = 0;
    std::int32_t most = 0;  ///< maximum slots of the client at once; 0: all
};

struct compile_request {
    program_language language = program_language::python;
    std::string_view source;
    compile_limits limits;
    std::stop_token stop = {};  ///< as in a run
    program_interface interface = program_interface::stdio;
    program_share share = {};  ///< as in a run
};

struct compile_result {
    run_code code = run_code::infrastructure;  ///< ok, compile_error, compile_limit or infrastructure
    std::string first_line;                    ///< the first complaint, "line 3: ..."; empty when ok
    std::string log;                           ///< the compiler's output, at most 64 KiB
    program_handle program;                    ///< set when ok
    double cpu_ms = 0;
    bool cached = false;
};

struct run_request {
    program_handle program;
    std::string_view input;  ///< on stdin; must live until the call returns
    run_limits limits;
    /// When it requests a stop, waiting runs are dropped and current ones are killed. Both end at once as
    /// infrastructure with trouble "stopped". All runs of one call have the same token.
    std::stop_token stop = {};
    program_share share = {};  ///< the same for all runs of one call
};

struct run_result {
    run_code code = run_code::infrastructure;
    std::int32_t where = -1;  ///< signal of run_crash, status of run_exit
    std::string output;       ///< stdout, complete when code is ok; else a part, for people
    std::string error_head;   ///< stderr, at most 16 KiB
    double cpu_ms = 0;        ///< of the process, including its start
    double wall_ms = 0;
    double wait_ms = 0;        ///< part of the wall time: ready to run while another process had the processor
    std::int64_t peak_kb = 0;  ///< resident memory
    std::int64_t steps = 0;    ///< of a deterministic isolation level
    std::int32_t slot = -1;
    std::int32_t tries = 1;
    bool suspected = false;  ///< run_crash charged because three tries failed beside healthy slots
    std::string trouble;     ///< what failed, for infrastructure
};

/// The interface of sandboxes, which tests may implement, too.
class sandbox {
public:
    virtual ~sandbox() = default;

    /// Results come in the requests' order. Equal sources are compiled once, also across calls (a cache of this
    /// object).
    [[nodiscard]] virtual std::vector<compile_result> compile_all(std::span<compile_request const> requests) = 0;
    /// Results come in the requests' order; blocks until all runs have ended. Runs start interleaved over programs
    /// (each program's first request, then each one's second, …), so that load at one moment affects all programs
    /// alike. All slots are used. A deterministic isolation level runs program by program, which saves processes and
    /// changes no result.
    [[nodiscard]] virtual std::vector<run_result> run_all(std::span<run_request const> requests) = 0;
    /// The isolation level for a language: "namespaces", "jail", "command" or "wasm".
    [[nodiscard]] virtual std::string isolation(program_language language) const = 0;
    /// Whether the same program and input give the same bytes and verdict on any machine.
    [[nodiscard]] virtual bool deterministic(program_language language) const = 0;
    [[nodiscard]] virtual std::int32_t slots() const = 0;
    /// The slots in use at this moment, by all calls.
    [[nodiscard]] virtual std::int32_t slots_busy() const = 0;

    [[nodiscard]] compile_result compile(compile_request const& request) {
        return std::move(compile_all({&request, 1}).front());
    }
    [[nodiscard]] run_result run(run_request const& request) { return std::move(run_all({&request, 1}).front()); }
};

struct sandbox_options {
    std::string isolation = "auto";  ///< "auto": the strongest isolation level that works; else that one or an error
    std::int32_t slots = 0;          ///< runs at once; 0: usable processors less a reserve of a quarter, at least 1
    std::string broker = {};  ///< path of optgap-broker; empty: OPTGAP_BROKER, else beside the program or library
    std::string command =
        {};  ///< level "command": a JSON array of words (docs/sandbox.md); empty: OPTGAP_SANDBOX_COMMAND
    std::vector<program_language> languages{program_language::python, program_language::cpp};  ///< all required
    bool steps = false;  ///< the limits name steps, which only a deterministic isolation level counts
};

/// Throws error{sandbox_unavailable} that lists every isolation level, the failed probe and the fix.
[[nodiscard]] std::unique_ptr<sandbox> open_sandbox(sandbox_options const& options);

}  // namespace optgap::programs
