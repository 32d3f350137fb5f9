#pragma once

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
#include "optgap/reward.hpp"
#include "optgap/status.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

enum class device : std::int32_t {
    automatic = 0,  ///< the GPU when there is one and it starts, else the CPU
    cpu = 1,
    cuda = 2,  ///< throws error{device_unavailable} when it cannot start
};

struct engine_options {
    device where = device::automatic;
    std::int32_t threads = 0;                              ///< 0: min(cgroup quota, affinity)
    std::int64_t device_memory = std::int64_t(256) << 20;  ///< the GPU arena's size in bytes, allocated once
};

/// What a build knows of a task. Strings live as long as the program.
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
    std::int64_t default_budget = 0;
    std::vector<std::string_view> codes;  ///< the task's own, from first_task_code on
    std::vector<std::string_view> bound_kinds;
    std::vector<std::string_view> words;  ///< accepted instead of a list
    std::vector<std::string_view> file_extensions;
};

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

/// One batch of rollouts. Spans are borrowed for the call; those with one entry per rollout have texts.size() entries.
struct score_request {
    instance_view instances = {};
    std::span<baseline const> baselines = {};  ///< one per instance; anchors that are missing are computed
    std::span<std::string_view const> texts = {};
    std::span<std::int32_t const> instance_of = {};  ///< rollout → instance
    std::span<std::int32_t const> group = {};        ///< any ids, any order; empty: grouped by instance
    std::span<std::int32_t const> cohort = {};       ///< for whitening by task or role; empty: the task
    std::span<std::int32_t const> length = {};       ///< tokens, for estimators that weigh by them; empty: unknown
    std::span<finish const> finished = {};           ///< empty: unknown
    std::span<std::int32_t const> format_of = {};    ///< rollout → entry of `formats`; empty: the first for all
    std::span<format_spec const> formats = {};       ///< empty: forge
    reward_spec reward = {};
    advantage_spec advantage = {};
};

/// Seconds spent in each stage of `score`.
struct stage_seconds {
    double parse = 0, verify = 0, reward = 0, advantage = 0;
};

struct score_batch {
    std::vector<reward_row> rows;
    std::vector<float> advantage;
    std::vector<verdict> verdicts;  ///< of the parsed answer, also when the format is broken
    std::vector<parsed_text> parsed;
    std::vector<std::int32_t> format_codes;  ///< parsed's, but code_truncated where a cut-off text lacks a part
    csr_words answers;
    std::vector<std::int64_t> beaten;  ///< rollouts whose feasible answer beats the given baseline, for the outbox
    stage_seconds seconds;
};

/// The batch verbs, on the CPU or a GPU with the same bytes. Thread-safe. Inputs are borrowed for the call, results own
/// their memory. Misuse and device faults throw `error`; a bad answer is a row.
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
    [[nodiscard]] device where() const;
    [[nodiscard]] std::int32_t threads() const;
    /// The name of a verdict code of this task.
    [[nodiscard]] std::string_view code_name(std::int32_t task, std::int32_t code) const;

    [[nodiscard]] instance_batch generate(std::span<instance_spec const> specs) const;
    /// The instance a key names; throws field_error when the key's hash differs or its task is unknown.
    [[nodiscard]] instance_spec spec_of(instance_key const& key) const;

    /// The prompt of one instance: the task's rules in this style, then the format's instructions.
    [[nodiscard]] std::string prompt(std::int32_t task, std::span<std::int32_t const> instance, std::int32_t style,
                                     format_spec const& format) const;

    [[nodiscard]] answer_batch parse(std::span<std::string_view const> texts, std::span<std::int32_t const> task_of,
                                     std::span<format_spec const> formats,
                                     std::span<std::int32_t const> format_of = {}) const;

    /// Row r of `answers` against instance instance_of[r] (r itself when empty).
    [[nodiscard]] std::vector<verdict> verify(instance_view instances, csr_view answers,
                                              std::span<std::int32_t const> instance_of = {}) const;
    /// Greedy answers, one per instance; an empty row where the policy gives none.
    [[nodiscard]] csr_words construct(instance_view instances) const;
    /// `group` answers of the noisy greedy policy per instance, in consecutive rows, an empty one where it gives none:
    /// what a weak model's group may look like, without a model. On the CPU.
    [[nodiscard]] csr_words noisy_greedy(instance_view instances, std::int32_t group, std::uint64_t seed = 0) const;
    /// Local search from given answers. More steps are never worse.
    [[nodiscard]] improved_batch improve(instance_view instances, csr_view answers, std::int64_t steps,
                                         std::uint64_t seed = 0, std::span<std::int32_t const> instance_of = {}) const;
    /// Proofs, on the CPU. budget < 0: each task's default; 0: the greedy anchor. Every claim is verified.
    [[nodiscard]] solved_batch solve(instance_view instances, std::int64_t budget = -1) const;

    /// Parse, verify, reward, advantage.
    [[nodiscard]] score_batch score(score_request const& request) const;
    /// Group-relative advantages. Groups need not be contiguous.
    [[nodiscard]] std::vector<float> advantages(advantage_inputs const& in, advantage_spec const& spec) const;
    /// Of an estimator that reads rewards alone.
    [[nodiscard]] std::vector<float> advantages(std::span<float const> rewards, std::span<std::int32_t const> group,
                                                advantage_spec const& spec = {}) const;

    /// Checks an explicit instance's words; throws field_error.
    void check(std::int32_t task, std::span<std::int32_t const> instance) const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace optgap
