#pragma once  // Stable.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/advantage.hpp"
#include "optgap/baseline.hpp"
#include "optgap/batch.hpp"
#include "optgap/format.hpp"
#include "optgap/key.hpp"
#include "optgap/relabel.hpp"
#include "optgap/reward.hpp"
#include "optgap/status.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

enum class device : std::int32_t {
    automatic = 0,  ///< the GPU, when there is one and it starts, for the batches that gain by it; else the CPU
    cpu = 1,
    /// The GPU for every batch. While another call is on it, all verbs but `improve` run on the CPU, unless
    /// fallback::error forbids it. Throws error{device_unavailable} when it cannot start.
    cuda = 2,
};

/// The action of a call that the GPU cannot serve: it ran out of memory, the driver is too old, a kernel faulted.
enum class fallback : std::int32_t {
    proceed = 0,  ///< the CPU finishes the call with the same bytes, and `statistics` counts it
    error = 1,    ///< the call throws; so does the engine's construction when no GPU starts
};

struct engine_options {
    device where = device::automatic;
    std::int32_t threads = 0;  ///< 0: min(cgroup quota, affinity)
    /// Bytes for the GPU: the device arena and the pinned host ring together, allocated once. At least 64 KiB.
    std::int64_t device_memory = std::int64_t(256) << 20;
    fallback on_fallback = fallback::proceed;
    void* stream = nullptr;                   ///< the caller's cudaStream_t (cuda.hpp); null: low-priority streams
    std::int32_t ordinal = -1;                ///< which GPU; -1: the current one of the thread that makes the engine
    std::int32_t launch_microseconds = 1000;  ///< what one kernel launch aims to last at most
    /// 0: all; else at most this many, which the driver sets apart for the engine where it can (docs/colocation.md).
    std::int32_t multiprocessors = 0;
    /// Where this node's daemon listens (`optgap serve`); "off": no daemon. Empty, with where == automatic:
    /// OPTGAP_SERVER (a path or "off"), else the default path if something listens there. An engine with a daemon
    /// starts no GPU of its own unless where == cuda: what the daemon does not serve runs on the CPU, with the same
    /// bytes.
    std::string server = {};
    /// Content hash of the snapshot that this engine's callers read baselines from (docs/scale.md); empty: none. A
    /// daemon that was started with another one refuses the engine, which then computes everything here.
    std::string baselines = {};
};

/// Sets `where` and `ordinal` of `options` from "auto", "cpu", "cuda", or "cuda:2" and "auto:2", whose number selects
/// one of the GPUs that this process sees. Throws error{invalid_argument}.
void parse_device(std::string_view name, engine_options& options);

enum class device_state : std::int32_t {
    cpu = 0,      ///< no GPU was asked for
    ready,        ///< calls go to the GPU
    released,     ///< `release` gave the memory back; calls run on the CPU
    unavailable,  ///< it could not start, or come back; calls run on the CPU
    failed,       ///< a fault ended the process's CUDA context; calls run on the CPU
    forked,       ///< this process is a fork of the one that started the GPU; calls run on the CPU
};

/// State and use of the GPU. Counters since the engine was made; a call is one batch that an executor ran.
struct device_statistics {
    device_state state = device_state::cpu;
    std::string device;               ///< its name, number and memory limit; empty when none has started
    std::int64_t device_calls = 0;    ///< begun on the GPU
    std::int64_t fallbacks = 0;       ///< finished on the CPU because the GPU could not
    std::int64_t host_calls = 0;      ///< run on the CPU because the GPU gains nothing for them (device::automatic)
    std::int64_t busy_calls = 0;      ///< run on the CPU because others were on the GPU
    std::int64_t released_calls = 0;  ///< run on the CPU between `release` and `resume`
    std::int64_t out_of_memory = 0;   ///< faults by kind: a row too large for the limit, or no memory left
    std::int64_t unavailable = 0;     ///< recoverable faults of any other kind
    std::int64_t failed = 0;          ///< faults that ended the context
    std::string policy;               ///< which batches go to the GPU, in a sentence; empty without one
    std::string last_reason;          ///< the newest fault in a sentence
};

/// One JSON object with the names above.
std::string to_json(device_statistics const& statistics);

enum class server_state : std::int32_t {
    off = 0,      ///< this engine has no daemon
    idle,         ///< nothing has been sent yet
    connected,    ///< at the last call
    unreachable,  ///< no daemon listens or answers; tried again at most once a second
    refused,      ///< it has another build, serves another user or is full
};

/// Use of the daemon by this engine. Counters since the engine was made.
struct server_statistics {
    server_state state = server_state::off;
    std::string path;
    std::int64_t calls = 0;      ///< served by the daemon
    std::int64_t rows = 0;       ///< of these calls
    std::int64_t small = 0;      ///< calls made here because a round trip costs more
    std::int64_t fallbacks = 0;  ///< calls made here because the daemon could not serve them
    std::int64_t refused = 0;    ///< of them, those that it turned away
    std::int64_t reconnects = 0;
    std::string last_reason;  ///< of the newest fallback, in a sentence
};

/// One JSON object with the names above.
std::string to_json(server_statistics const& statistics);

/// A build's description of a task. Strings live as long as the program.
struct task_info {
    std::string_view name;
    std::int32_t version = 1;
    sense objective_sense = sense::minimise;
    std::string_view title;
    std::string_view summary;
    std::string_view category;  ///< one of FORGE's five, "path planning"
    std::string_view objective;
    std::string_view answer_form;
    std::int32_t styles = 0;  ///< prompt styles; the last is kept for evaluation
    bool improves = true;     ///< has a local search; else `improve` leaves every answer as it is
    std::int64_t default_budget = 0;
    std::vector<std::string_view> codes;  ///< the task's own, from first_task_code on
    std::vector<std::string_view> bound_kinds;
    std::vector<std::string_view> words;  ///< accepted instead of a list
    std::vector<std::string_view> file_extensions;
    std::vector<std::string_view> axes;  ///< along which `relabel` gives other labels; empty: no relabelled copies
    std::string_view reward = "forge";   ///< the spec that is recommended for it (reward_rules.hpp)
    task_class kind = task_class::optimise;
    std::string_view family;  ///< the tasks with one shape of instance and answer: "cells"
    std::vector<std::string_view> tags;
    std::vector<std::string_view> rlve;  ///< RLVE's identifiers of the environments that it stands for
    answer_syntax syntax = {};           ///< how answers may be written other than as lists; for parse_answer
    bool direct = true;  ///< may be asked in a prompt; else `prompt` refuses, and only programs are asked for
};

/// The key of a generated instance. `info` is its task's.
instance_key key_of(task_info const& info, instance_spec const& spec, instance_hash hash, std::int32_t style = 0);
/// The prompt style that a row draws: any but the last, which is kept for evaluation. It is the low 32 bits of XXH3-64
/// of "task@version:split:level:seed:style", times the number of such styles, over 2^32.
std::int32_t drawn_style(task_info const& info, instance_spec const& spec);
/// The key of a user's own instance.
instance_key explicit_key(task_info const& info, instance_hash hash);

/// Baselines with the answers that prove them.
struct solved_batch {
    std::vector<baseline> rows;
    csr_words answers;  ///< blocks; an empty row when there is no answer
};

struct improved_batch {
    std::vector<std::int64_t> start_objective;
    std::vector<std::int64_t> objective;  ///< no_objective when the start was infeasible
    std::vector<std::int64_t> moves;
    std::int64_t evaluations = 0;
    csr_words answers;
};

/// One batch of rollouts to grade. Spans are borrowed for the call; those with one entry per rollout have texts.size()
/// entries.
struct grade_request {
    instance_view instances = {};
    std::span<baseline const> baselines = {};  ///< one per instance; anchors that are missing are computed
    std::span<std::string_view const> texts = {};
    std::span<std::int32_t const> instance_of = {};  ///< rollout → instance
    std::span<std::int32_t const> length = {};       ///< tokens, for length penalties and weights; empty: unknown
    std::span<finish const> finished = {};           ///< empty: unknown
    std::span<std::int32_t const> format_of = {};    ///< rollout → entry of `formats`; empty: the first for all
    std::span<format_spec const> formats = {};       ///< empty: known_formats(), whose first is forge
    reward_rules reward = {};
};

/// Which rollouts are compared with which, and how. Borrowed for the call; one entry per rollout.
struct grouping {
    std::span<std::int32_t const> group = {};   ///< any ids, any order; empty: grouped by instance
    std::span<std::int32_t const> cohort = {};  ///< for whitening by task or role; empty: the task
    advantage_spec advantage = {};
};

/// Seconds spent in each stage of `score`.
struct stage_seconds {
    double parse = 0, verify = 0, reward = 0, advantage = 0;
};

struct grade_batch {
    std::vector<reward_row> rows;
    std::vector<verdict> verdicts;  ///< of the parsed answer, also when the format is broken
    std::vector<parsed_text> parsed;
    std::vector<std::int32_t> format_codes;  ///< as in `parsed`, but code_truncated where a cut-off text lacks a part
    csr_words answers;
    std::vector<std::int64_t> beaten;  ///< rollouts that beat the given baseline, for the improved-baselines file
    stage_seconds seconds;
};

struct score_batch : grade_batch {
    std::vector<float> advantage;
};

/// The batch verbs, on the CPU or a GPU with the same bytes. Thread-safe. Inputs are borrowed for the call, results own
/// their memory. Misuse throws `error`; a bad answer is a row. The CPU serves a call that the GPU cannot serve
/// (`fallback`). After a fault that ends the process's CUDA context, the next verb that needs the GPU throws
/// error{device_failed} once, and names the device. A forked child's calls run on the CPU.
class engine {
public:
    explicit engine(engine_options const& options = {});
    ~engine();
    engine(engine&&) noexcept;
    engine& operator=(engine&&) noexcept;

    [[nodiscard]] std::span<task_info const> tasks() const;
    /// Index of a task; throws error{unknown_task} that lists the names. Version 0 takes the one this build carries.
    [[nodiscard]] std::int32_t task_index(std::string_view name, std::int32_t version = 0) const;
    /// "cpu" or "cuda", with a sentence on the device.
    [[nodiscard]] std::string device_name() const;
    /// Where the next call would run.
    [[nodiscard]] device where() const;
    /// Whether a `grade` of so many rows is computed on the calling thread, and waits for no GPU, daemon or pool.
    [[nodiscard]] bool grades_at_once(std::int64_t rows) const;
    [[nodiscard]] std::int32_t threads() const;
    [[nodiscard]] device_statistics device_status() const;
    [[nodiscard]] server_statistics server_status() const;
    /// Rows of JSON as one run, scored by the daemon that this engine uses: for row_scorer, which scores them itself
    /// where this is false. `options` as there.
    bool score_rows_at_server(std::string_view options, std::span<std::string const> rows,
                              std::vector<std::string>& scored, std::vector<std::string>& remarks) const;

    /// Frees the GPU's arena and streams once the calls under way have ended; does not wait for work that others have
    /// queued there. Calls run on the CPU, with the same bytes, until `resume`. Any thread may call it at any time;
    /// without a GPU it does nothing.
    void release();
    /// Allocates them again; also retries a GPU that could not start. Where that fails, calls stay on the CPU and
    /// `device_status` says why, or error{device_unavailable} is thrown with on_fallback = error.
    void resume();

    /// The name of a verdict code of this task.
    [[nodiscard]] std::string_view code_name(std::int32_t task, std::int32_t code) const;

    [[nodiscard]] instance_batch generate(std::span<instance_spec const> specs) const;
    /// The instance a key names; throws field_error when the key's hash differs or its task is unknown.
    [[nodiscard]] instance_spec spec_of(instance_key const& key) const;

    /// A relabelled copy of each instance: the same problem under labels that are drawn from its hash and `seed`. The
    /// copy differs from its original, unless that looks the same under almost all labels. Throws
    /// error{invalid_argument} for a task without axes. Experimental; on the caller's thread.
    [[nodiscard]] relabelled_batch relabel(instance_view instances, std::uint64_t seed = 0) const;

    /// The prompt of one instance: the task's rules in this style, then the format's instructions.
    /// Throws error{invalid_argument} for a task that is not direct.
    [[nodiscard]] std::string prompt(std::int32_t task, std::span<std::int32_t const> instance, std::int32_t style,
                                     format_spec const& format) const;

    /// One instance as JSON text, in its task's form.
    [[nodiscard]] std::string instance_json(std::int32_t task, std::span<std::int32_t const> instance) const;
    /// Reads and checks such a text; throws field_error.
    [[nodiscard]] std::vector<std::int32_t> instance_words(std::int32_t task, std::string_view text) const;
    /// The bare text of one answer (optgap::parse_answer) in the task's words; appends its block to `words`.
    parsed_text parse_answer(std::int32_t task, std::string_view text, std::vector<std::int32_t>& words) const;

    /// Parses text t as an answer of task_of[t] in formats[format_of[t]] (the first when empty); empty `formats` are
    /// known_formats().
    [[nodiscard]] answer_batch parse(std::span<std::string_view const> texts, std::span<std::int32_t const> task_of,
                                     std::span<format_spec const> formats, std::span<std::int32_t const> format_of = {},
                                     std::span<finish const> finished = {}) const;

    /// Verifies row r of `answers` against instance instance_of[r] (r itself when empty).
    [[nodiscard]] std::vector<verdict> verify(instance_view instances, csr_view answers,
                                              std::span<std::int32_t const> instance_of = {}) const;
    /// Greedy answers, one per instance; an empty row where the policy gives none.
    [[nodiscard]] csr_words greedy(instance_view instances) const;
    /// `group` answers of the noisy greedy policy per instance, in consecutive rows, an empty one where it gives none:
    /// what a weak model's group may look like, without a model. On the CPU.
    [[nodiscard]] csr_words noisy_greedy(instance_view instances, std::int32_t group, std::uint64_t seed = 0) const;
    /// Local search from given answers. More steps are never worse.
    [[nodiscard]] improved_batch improve(instance_view instances, csr_view answers, std::int64_t steps,
                                         std::uint64_t seed = 0, std::span<std::int32_t const> instance_of = {}) const;
    /// The optimal answers that the generators know, one row per spec, as starts of `solve`. A row is empty where the
    /// task has no such answer, and for a spec with task -1, which stands for an instance without a key. Every answer
    /// is verified. On the CPU.
    [[nodiscard]] csr_words planted(std::span<instance_spec const> specs) const;
    /// Proofs, on the CPU. budget < 0: each task's default; 0: no search, but the greedy anchor or the start. `starts`
    /// are answers to begin with, one row per instance, empty for none; the result is never worse. Throws
    /// error{invalid_argument} for one that is not feasible. Every claim is verified.
    [[nodiscard]] solved_batch solve(instance_view instances, std::int64_t budget = -1, csr_view starts = {}) const;

    /// Parses, verifies and rewards each rollout by itself.
    [[nodiscard]] grade_batch grade(grade_request const& request) const;
    /// The same into a batch whose memory is reused: fresh memory costs more than a reward does.
    void grade(grade_request const& request, grade_batch& out) const;
    /// Grades, and computes the advantages within groups.
    [[nodiscard]] score_batch score(grade_request const& request, grouping const& among = {}) const;
    void score(grade_request const& request, grouping const& among, score_batch& out) const;
    /// Group-relative advantages. Groups need not be contiguous.
    [[nodiscard]] std::vector<float> advantages(advantage_inputs const& in, advantage_spec const& spec) const;
    /// The same by an estimator that reads rewards alone.
    [[nodiscard]] std::vector<float> advantages(std::span<float const> rewards, std::span<std::int32_t const> group,
                                                advantage_spec const& spec = {}) const;

    /// Checks an explicit instance's words; throws field_error.
    void check(std::int32_t task, std::span<std::int32_t const> instance) const;

private:
    friend class device_store;
    struct state;
    /// grade, and the rewards as a column.
    void grade(grade_request const& request, grade_batch& out, std::vector<float>& rewards) const;

    std::unique_ptr<state> state_;
};

}  // namespace optgap
