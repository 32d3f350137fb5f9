// The reward step: parse, verify and reward are one grade; advantages compare grades.

#include <algorithm>
#include <chrono>
#include <functional>

#include "host/engine/engine_state.hpp"
#include "host/parse/scanner.hpp"
#include "host/process/trace.hpp"
#include "host/reward/row_advantages.hpp"
#include "host/reward/score_columns.hpp"
#include "host/reward/token_counts.hpp"
#include "kernels/reward/added.hpp"
#include "kernels/reward/shape.hpp"
#include "optgap/engine.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

/// Rollouts a worker parses at a time: about 2 MB of text at 63 kB each.
constexpr std::int64_t parse_grain = 32;

class stopwatch {
public:
    /// Seconds since the last call.
    double lap() {
        auto const now = std::chrono::steady_clock::now();
        double const seconds = std::chrono::duration<double>(now - last_).count();
        last_ = now;
        return seconds;
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

template <class T>
void require_rows_or_none(char const* name, std::span<T> given, std::size_t rows) {
    if (!given.empty() && given.size() != rows) {
        misuse(std::string(name) + ": expected one entry per rollout (" + std::to_string(rows) + "), got " +
               std::to_string(given.size()));
    }
}

/// Throws unless the rules fit the tasks; those of parse_reward_rules do.
void require_rules(reward_rules const& rules, std::size_t tasks) {
    if (rules.specs.empty()) {
        misuse("reward: no spec");
    }
    if (!rules.of_task.empty() && rules.of_task.size() != tasks) {
        misuse("reward: expected an entry for each of " + std::to_string(tasks) + " tasks, got " +
               std::to_string(rules.of_task.size()));
    }
    for (std::int32_t const entry : rules.of_task) {
        if (entry < 0 || std::size_t(entry) >= rules.specs.size()) {
            misuse("reward: " + std::to_string(entry) + " is no spec, there are " + std::to_string(rules.specs.size()));
        }
    }
}

/// Applies the parser's codes to the verdicts. A text that is no answer gets the code of its own broken rule and the
/// largest violation. Where no answer exists, the verifier gives code_empty for the claim that there is none; a text
/// without a value claims nothing. A part that a cut-off text lacks is `truncated`, not a format error of the model.
void apply_text_codes(std::span<parsed_text const> parsed, grade_request const& request, std::span<verdict> found,
                      std::span<std::int32_t> format_codes) {
    for (std::size_t r = 0; r < parsed.size(); ++r) {
        parsed_text const& text = parsed[r];
        if (text.answer_code != code_ok) {
            baseline const& base = request.baselines[std::size_t(request.instance_of[r])];
            bool const silent = text.answer_code == code_empty && base.status == baseline_status::infeasible;
            found[r].code = silent ? std::int32_t(code_unparsable) : text.answer_code;
            found[r].where = text.where;
            found[r].objective = 0;
            found[r].violation = found[r].violation_max;
        }
        finish const how = request.finished.empty() ? finish::unknown : request.finished[r];
        bool const cut = how == finish::length || how == finish::abort;
        bool const lacks =
            text.format_code == code_format_missing_answer || text.format_code == code_format_missing_reasoning;
        format_codes[r] = cut && lacks ? std::int32_t(code_truncated) : text.format_code;
    }
}

/// The values of an instance that decide whether an answer beats its baseline.
struct rival {
    std::int64_t objective;
    bool none, infeasible, maximise;

    rival(baseline const& base, sense direction)
        : objective(base.objective),
          none(base.objective == no_objective),
          infeasible(base.status == baseline_status::infeasible),
          maximise(direction == sense::maximise) {}
    /// Without branches, since which answers are feasible is unpredictable.
    [[nodiscard]] bool loses_to(verdict const& found, float feasible) const {
        bool const better =
            (maximise & (found.objective > objective)) | (!maximise & (found.objective < objective)) | none;
        return found.feasible() & (infeasible | ((feasible > 0) & better));
    }
};

/// Computes an anchor, by its call, where a baseline lacks it.
template <class Call, class State>
void fill_anchors(State& state, instance_view instances, std::vector<baseline>& baselines,
                  std::int64_t baseline::*field) {
    if (std::none_of(baselines.begin(), baselines.end(), [&](baseline const& b) { return b.*field == no_objective; })) {
        return;
    }
    std::vector<std::int64_t> const found = state.objectives(instances, state.guard.run(Call{instances}));
    for (std::size_t i = 0; i < baselines.size(); ++i) {
        baselines[i].*field = found[i];
    }
}

/// The request's baselines with the anchors that its reward reads.
template <class State>
std::vector<baseline> with_anchors(State& state, grade_request const& request) {
    std::vector<baseline> baselines(request.baselines.begin(), request.baselines.end());
    fill_anchors<floor_call>(state, request.instances, baselines, &baseline::floor);
    auto const reads_greedy = [](reward_spec const& spec) { return reads_anchor(spec, anchor::greedy); };
    if (std::any_of(request.reward.specs.begin(), request.reward.specs.end(), reads_greedy)) {
        fill_anchors<greedy_call>(state, request.instances, baselines, &baseline::greedy);
    }
    return baselines;
}

/// Rows that each thread rewards at a time, the executor's grain: few enough to be in the cache when the next loop
/// reads them.
constexpr std::int64_t rewarded_at_a_time = 4096;

/// A GPU has no function of a shape that the process added.
void run_rewards(auto& state, rewards_call const& call) {
    is_added(call.spec.shape) ? state.cpu->run(call) : state.guard.run(call);
}

/// Gathers the rows whose tasks share one spec into contiguous columns for the executor.
class rows_of_a_spec {
public:
    rows_of_a_spec(reward_inputs const& in, reward_rules const& rules, std::size_t entry) {
        for (std::int64_t r = 0; r < in.rollouts; ++r) {
            if (rules.entry(in.task[in.instance_of[r]]) == entry) {
                at_.push_back(std::size_t(r));
                instance_of_.push_back(in.instance_of[r]);
                verdicts_.push_back(in.verdicts[r]);
                format_code_.push_back(in.format_code[r]);
                finished_.push_back(in.finished == nullptr ? finish::unknown : in.finished[r]);
                length_.push_back(in.length == nullptr ? 0 : in.length[r]);
            }
        }
        out_.resize(at_.size());
    }

    template <class State>
    void reward(State& state, reward_inputs whole, reward_spec const& spec, std::span<reward_row> rows) {
        whole.instance_of = instance_of_.data();
        whole.verdicts = verdicts_.data();
        whole.format_code = format_code_.data();
        whole.finished = finished_.data();
        whole.length = length_.data();
        whole.rollouts = std::int64_t(at_.size());
        run_rewards(state, {whole, spec, out_});
        for (std::size_t k = 0; k < at_.size(); ++k) {
            rows[at_[k]] = out_[k];
        }
    }

private:
    std::vector<std::size_t> at_;
    std::vector<std::int32_t> instance_of_, format_code_, length_;
    std::vector<verdict> verdicts_;
    std::vector<finish> finished_;
    std::vector<reward_row> out_;
};

/// Rewards rows [begin, end), also as a column, and finds those that beat their baselines.
template <class State>
void reward(State& state, grade_request const& request, std::span<baseline const> baselines, std::int64_t begin,
            std::int64_t end, grade_batch& out, std::span<float> rewards) {
    std::span<reward_row> const rows = std::span(out.rows).subspan(std::size_t(begin), std::size_t(end - begin));
    reward_inputs const in{.task = request.instances.task,
                           .baselines = baselines.data(),
                           .instances = request.instances.blocks.rows,
                           .instance_of = request.instance_of.data() + begin,
                           .verdicts = out.verdicts.data() + begin,
                           .format_code = out.format_codes.data() + begin,
                           .finished = request.finished.empty() ? nullptr : request.finished.data() + begin,
                           .length = reads_lengths(request.reward) ? request.length.data() + begin : nullptr,
                           .rollouts = end - begin};
    std::vector<reward_spec> const& specs = request.reward.specs;
    if (request.reward.of_task.empty()) {
        run_rewards(state, {in, specs[0], rows});
    } else {
        for (std::size_t s = 0; s < specs.size(); ++s) {
            rows_of_a_spec(in, request.reward, s).reward(state, in, specs[s], rows);
        }
    }
    for (std::size_t r = std::size_t(begin); r < std::size_t(end);) {
        std::int32_t const i = request.instance_of[r];
        rival const other(baselines[std::size_t(i)],
                          state.tasks[std::size_t(request.instances.task[i])].objective_sense);
        for (; r < std::size_t(end) && request.instance_of[r] == i; ++r) {
            rewards[r] = out.rows[r].reward;
            if (other.loses_to(out.verdicts[r], out.rows[r].feasible)) {
                out.beaten.push_back(std::int64_t(r));
            }
        }
    }
}

/// The request as a daemon reads it. A daemon's list of formats differs, so the formats that indices mean are sent
/// along.
grade_request with_formats(grade_request request) {
    if (request.formats.empty() && !request.format_of.empty()) {
        request.formats = known_formats();
    }
    return request;
}

/// Each rollout's task; throws where instance_of does not fit.
std::vector<std::int32_t> tasks_of(grade_request const& request) {
    std::size_t const rows = request.texts.size();
    if (request.instance_of.size() != rows) {
        misuse("instance_of: expected one entry per rollout, got " + std::to_string(request.instance_of.size()));
    }
    std::vector<std::int32_t> task_of(rows);
    for (std::size_t r = 0; r < rows; ++r) {
        std::int32_t const i = request.instance_of[r];
        if (i < 0 || i >= request.instances.blocks.rows) {
            misuse("instance_of: " + std::to_string(i) + " is no instance, there are " +
                   std::to_string(request.instances.blocks.rows));
        }
        task_of[r] = request.instances.task[i];
    }
    return task_of;
}

}  // namespace

answer_batch engine::parse(std::span<std::string_view const> texts, std::span<std::int32_t const> task_of,
                           std::span<format_spec const> given, std::span<std::int32_t const> format_of,
                           std::span<finish const> finished) const {
    trace::range const here(trace::name::parse);
    require_rows_or_none("format_of", format_of, texts.size());
    require_rows_or_none("finished", finished, texts.size());
    if (task_of.size() != texts.size()) {
        misuse("task_of: expected one entry per text, got " + std::to_string(task_of.size()));
    }
    std::span<format_spec const> const known = given.empty() ? known_formats() : given;
    bool const checked = std::less_equal<>()(known_formats().data(), known.data()) &&
                         std::less<>()(known.data(), known_formats().data() + max_known_formats);
    for (format_spec const& format : known) {
        if (!checked && !text::fits_scanner(format)) {
            misuse("formats: the tags of \"" + format.name + "\" begin in too many ways (parse_format says the rules)");
        }
    }
    for (std::int32_t const f : format_of) {
        if (f < 0 || std::size_t(f) >= known.size()) {
            misuse("format_of: " + std::to_string(f) + " is no entry of formats");
        }
    }
    std::int64_t const rows = std::int64_t(texts.size());
    answer_batch out;
    out.rows.resize(texts.size());
    out.offsets.resize(texts.size() + 1);
    std::vector<std::vector<std::int32_t>> chunks(std::size_t((rows + parse_grain - 1) / parse_grain));
    state_->pool.run(rows, parse_grain, [&](worker_memory&, std::int64_t begin, std::int64_t end) {
        std::vector<std::int32_t>& words = chunks[std::size_t(begin / parse_grain)];
        for (std::size_t r = std::size_t(begin); r < std::size_t(end); ++r) {
            std::size_t const before = words.size();
            format_spec const& format = known[format_of.empty() ? 0 : std::size_t(format_of[r])];
            finish const how = finished.empty() ? finish::unknown : finished[r];
            out.rows[r] = parse_completion(texts[r], format, syntax_of(*state_->entry(task_of[r]).text), words, how);
            out.offsets[r + 1] = std::int64_t(words.size() - before);
        }
    });
    std::size_t total = 0;
    for (std::vector<std::int32_t> const& chunk : chunks) {
        total += chunk.size();
    }
    out.words.reserve(total);
    for (std::vector<std::int32_t> const& chunk : chunks) {
        out.words.insert(out.words.end(), chunk.begin(), chunk.end());
    }
    for (std::size_t r = 0; r < texts.size(); ++r) {
        out.offsets[r + 1] += out.offsets[r];
    }
    return out;
}

bool engine::grades_at_once(std::int64_t rows) const {
    bool const on_gpu = state_->guard.sends(verb::verify, rows) || state_->guard.sends(verb::rewards, rows);
    return rows <= parse_grain && !state_->daemon && !on_gpu;
}

grade_batch engine::grade(grade_request const& request) const {
    grade_batch out;
    grade(request, out);
    return out;
}

void engine::grade(grade_request const& request, grade_batch& out) const {
    std::vector<float> rewards;
    grade(request, out, rewards);
}

void engine::grade(grade_request const& request, grade_batch& out, std::vector<float>& rewards) const {
    trace::range const here(verb::grade);
    std::size_t const rows = request.texts.size();
    state_->require(request.instances);
    require_rows_or_none("finished", request.finished, rows);
    require_rows_or_none("format_of", request.format_of, rows);
    require_rules(request.reward, state_->tasks.size());
    require_token_counts(request.reward, request.length, rows);
    if (std::int64_t(request.baselines.size()) != request.instances.blocks.rows) {
        misuse("baselines: expected one per instance (" + std::to_string(request.instances.blocks.rows) + "), got " +
               std::to_string(request.baselines.size()));
    }
    std::vector<std::int32_t> const task_of = tasks_of(request);
    rewards.resize(rows);
    auto const& specs = request.reward.specs;
    bool const own = std::any_of(specs.begin(), specs.end(), [](auto const& spec) { return is_added(spec.shape); });
    if (state_->daemon && !own && state_->daemon->run(grade_call{with_formats(request)}, out)) {
        std::transform(out.rows.begin(), out.rows.end(), rewards.begin(), [](auto const& row) { return row.reward; });
        return;
    }

    stopwatch watch;
    answer_batch parsed = parse(request.texts, task_of, request.formats, request.format_of, request.finished);
    out.parsed = std::move(parsed.rows);
    out.answers.words = std::move(parsed.words);
    out.answers.offsets = std::move(parsed.offsets);
    out.seconds = {.parse = watch.lap()};

    {
        trace::range const stage(verb::verify);
        out.verdicts = state_->guard.run(verify_call{request.instances, out.answers.view(), request.instance_of});
        out.format_codes.resize(rows);
        apply_text_codes(out.parsed, request, out.verdicts, out.format_codes);
    }
    out.seconds.verify = watch.lap();

    {
        trace::range const stage(verb::rewards);
        std::vector<baseline> const baselines = with_anchors(*state_, request);
        out.beaten.clear();
        out.rows.resize(rows);
        std::int64_t const all = std::int64_t(rows);
        std::int64_t const step =
            state_->guard.sends(verb::rewards, all) ? all : rewarded_at_a_time * state_->pool.threads();
        for (std::int64_t begin = 0; begin < all; begin += step) {
            reward(*state_, request, baselines, begin, std::min(all, begin + step), out, rewards);
        }
    }
    out.seconds.reward = watch.lap();
}

score_batch engine::score(grade_request const& request, grouping const& among) const {
    score_batch out;
    score(request, among, out);
    return out;
}

void engine::score(grade_request const& request, grouping const& among, score_batch& out) const {
    trace::range const here(trace::name::score);
    require_rows_or_none("group", among.group, request.texts.size());
    require_rows_or_none("cohort", among.cohort, request.texts.size());
    std::vector<float>& rewards = out.advantage;  // until the advantages take their place
    grade(request, out, rewards);
    stopwatch watch;
    estimator const form = among.advantage.form;
    std::vector<std::int32_t> task_of;
    if (reads_columns(form) || reads_cohorts(form)) {
        task_of = tasks_of(request);
    }
    out.advantage =
        row_advantages(*this,
                       {.rewards = rewards,
                        .rows = out.rows,
                        .verdicts = out.verdicts,
                        .task = task_of,
                        .group = among.group.empty() ? request.instance_of : among.group,
                        .cohort = among.cohort.empty() ? std::span<std::int32_t const>(task_of) : among.cohort,
                        .length = request.length},
                       among.advantage);
    out.seconds.advantage = watch.lap();
}

}  // namespace optgap
