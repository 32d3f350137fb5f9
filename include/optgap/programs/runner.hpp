#pragma once  // Experimental.
// Runs programs that completions hold on the hidden instances of their problems, and rewards the completions by this
// process's engine. Programs run in a sandbox (docs/sandbox.md), beside this process and never in it.
//
//   optgap::program_runner runner(engine, {.isolation = "auto"});        // throws error{sandbox_unavailable}
//   auto const problem = std::make_shared<optgap::program_problem const>(
//       optgap::read_program_problem(engine, R"({"key": "tsp@1:train:hard:42*10", "language": "cpp"})"));
//   optgap::program_batch const out = runner.run({.problems = {&problem, 1}, .texts = texts, .problem_of = zeros,
//                                                 .advantage = optgap::parse_advantage_spec("river")});

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap {

class baseline_source;

/// K hidden instances of one task, and how programs for them are read and run.
struct program_problem {
    std::string key;  ///< of the problem, with its hash
    std::int32_t task = -1;
    instance_batch instances;          ///< K rows, all of `task`
    std::vector<instance_spec> specs;  ///< one an instance; task -1 where it is a user's own
    instance_hash hash;                ///< over the instances'
    std::string language = "python";   ///< "python" or "cpp"
    std::string input;                 ///< on stdin: "json" or "plain"; empty: JSON in Python, plain numbers in C++
    std::string limits = "train";      ///< a preset, or a JSON object over one (docs/programs.md)
    format_spec format = program_formats()[0];
    std::vector<std::optional<baseline>> given = {};  ///< one an instance, or empty: what is missing is solved
    std::string interface = "stdio";                  ///< or "solve", a function of Python (docs/programs.md)

    [[nodiscard]] std::int64_t count() const { return instances.size(); }
};

/// Reads a row of programs without its completion, as JSON: `key`, or `task` and `instances`; `language`, and
/// optionally `input`, `interface`, `limits`, `format` and `baselines`; other fields are ignored. Instances are
/// generated, or checked where the record holds them. Throws field_error, and error{unknown_task} for a task of another
/// build.
program_problem read_program_problem(engine const& by, std::string_view record);

/// Completions to run. Borrowed for the call; columns have one entry per text; a column may be empty where its comment
/// allows it.
struct program_request {
    std::span<std::shared_ptr<program_problem const> const> problems = {};
    std::span<std::string_view const> texts = {};
    std::span<std::int32_t const> problem_of = {};  ///< text -> entry of problems; empty: text r is for problem r
    std::span<std::int32_t const> group = {};       ///< any ids; empty: rows whose problems have the same instances
    std::span<finish const> finished = {};          ///< empty: unknown
    std::span<std::int32_t const> length = {};      ///< tokens; empty: unknown
    reward_rules reward = {};
    advantage_spec advantage = {};
    std::int64_t budget = -1;    ///< steps to solve an instance whose baseline is not given; -1: its task's default
    bool fail_fast = false;      ///< a program that is invalid on its first three instances is not run on the rest
    bool dedupe_always = false;  ///< equal programs run once for all rows; else only at a deterministic isolation level
    std::stop_token stop = {};   ///< on request, runs not begun are dropped and others killed; their rows are masked
};

/// Sums of the work done.
struct program_counts {
    std::int64_t programs = 0;  ///< rows that hold one
    std::int64_t compiled = 0;  ///< different ones
    std::int64_t compile_cached = 0;
    std::int64_t runs = 0;
    std::int64_t copied = 0;     ///< cells of an equal program
    std::int64_t left_out = 0;   ///< cells that fail_fast did not run
    std::int64_t masked = 0;     ///< rows
    std::int64_t suspected = 0;  ///< runs that ended three times like a fault of the machine beside healthy ones
    std::int64_t retried = 0;    ///< runs
    double core_seconds = 0;     ///< of runs, their starts included

    program_counts& operator+=(program_counts const& more);
};

/// One row per text. The cells of row r, one per instance, are [begin[r], begin[r + 1]).
struct program_batch {
    std::vector<reward_row> rows;          ///< NaN reward where masked; `code` is the first that is not ok
    std::vector<float> advantage;          ///< 0 where masked
    std::vector<std::int64_t> begin{0};    ///< one more than there are rows
    std::vector<std::int32_t> codes;       ///< a cell: a verdict_code, a program_code or the task's own
    std::vector<std::int64_t> objectives;  ///< a cell: no_objective where invalid, or where none exists
    std::vector<baseline> baselines;       ///< a cell: what its answer was measured against
    std::vector<double> valid;             ///< share of valid answers
    std::vector<std::int64_t> violation;   ///< of all answers that break a rule of the task, summed
    std::vector<std::uint8_t> masked;      ///< 1: a run was lost to the machine, so the row is not judged
    std::vector<std::int32_t> task;        ///< index into engine::tasks()
    std::vector<text_span> span;           ///< of the program's source in its text
    std::vector<std::string> hash;         ///< of the source; empty where there is none
    std::vector<std::string> isolation;    ///< the isolation level that held it
    std::vector<std::string> trouble;      ///< the compiler's first complaint, or what the machine lost; else empty
    program_counts counts;

    [[nodiscard]] std::int64_t size() const { return std::int64_t(rows.size()); }
    [[nodiscard]] std::int64_t cells(std::int64_t row) const {
        return begin[std::size_t(row) + 1] - begin[std::size_t(row)];
    }
};

/// "proven", "bounded" or "unknown": the status of the least known of these baselines.
char const* min_known(std::span<baseline const> of);

struct program_runner_options {
    std::string isolation = "auto";  ///< an isolation level of `optgap sandbox`, or the first that passes its self-test
    std::int32_t slots = 0;          ///< programs at once, of all calls together; 0: the processors less a quarter
    std::string broker = {};  ///< path of optgap-broker; empty: OPTGAP_BROKER, else beside the program or library
    /// Socket of the node's daemon, whose slots then run the programs (docs/serve.md); empty: the one that
    /// OPTGAP_SERVER names, if any; "off": none. It is asked where it holds the languages under `isolation`; `slots` is
    /// then the most that this runner takes of the daemon's. Programs that it does not serve run here.
    std::string server = {};
    /// The constructor opens these languages, or throws; the first call that needs another one opens it.
    std::vector<std::string> languages = {"python", "cpp"};
    /// The baseline of an instance where it is known, as scheduler_options::known; empty: every baseline that a problem
    /// does not bring is solved. Called on any thread that runs programs.
    std::function<std::optional<baseline>(std::int32_t task, instance_spec const& spec,
                                          std::span<std::int32_t const> words)>
        known = {};
    /// For use within the library: a shared source of baselines (host/baselines), in place of `known`.
    std::shared_ptr<baseline_source> baselines = {};
};

/// Runs programs. Thread-safe: calls that overlap share the slots and the compiled programs. It holds a broker process,
/// which ends with it. A forked child's calls throw error{invalid_argument}: it must make a runner of its own.
class program_runner {
public:
    /// `by` must outlive the runner. Throws error{sandbox_unavailable} that lists each isolation level and what it
    /// lacks, and error{invalid_argument} for an unknown isolation level or language.
    explicit program_runner(engine const& by, program_runner_options options = {});
    ~program_runner();
    program_runner(program_runner const&) = delete;
    program_runner& operator=(program_runner const&) = delete;

    /// Blocks until all programs have ended. A candidate's fault is a code in its cell; a fault of the machine masks
    /// the row. Throws for misuse, where no isolation level holds a row's language, and where the rows of a ranking
    /// estimator's group differ in their number of instances.
    [[nodiscard]] program_batch run(program_request const& request);
    /// The same; calls `goes_on` on this thread every 50 ms, and stops the runs, as by request.stop, once it returns
    /// false.
    [[nodiscard]] program_batch run(program_request const& request, std::function<bool()> const& goes_on);

    [[nodiscard]] std::int32_t slots() const;
    /// The isolation level that holds a language; opens it where it is not open yet.
    [[nodiscard]] std::string isolation(std::string_view language);
    /// Sums over all calls since the runner was made.
    [[nodiscard]] program_counts counts() const;

    struct state;
    [[nodiscard]] state& internals() { return *state_; }  ///< the library's own

private:
    std::unique_ptr<state> state_;
};

}  // namespace optgap
