#include "optgap/programs/runner.hpp"

#include <algorithm>
#include <utility>

#include "host/process/run_while.hpp"
#include "host/program_runs/runner_state.hpp"
#include "optgap/fork.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

using programs::program_language;

std::shared_ptr<baseline_source> source_of_runner(engine const& by, program_runner_options const& options) {
    if (options.baselines != nullptr && options.known) {
        misuse("known, baselines: a source that is given has its own");
    }
    return options.baselines != nullptr ? options.baselines : own_baselines(by, options.known);
}

}  // namespace

program_counts& program_counts::operator+=(program_counts const& more) {
    programs += more.programs;
    compiled += more.compiled;
    compile_cached += more.compile_cached;
    runs += more.runs;
    copied += more.copied;
    left_out += more.left_out;
    masked += more.masked;
    suspected += more.suspected;
    retried += more.retried;
    core_seconds += more.core_seconds;
    return *this;
}

char const* min_known(std::span<baseline const> of) {
    constexpr char const* kinds[] = {"proven", "bounded", "unknown"};
    int worst = 0;
    for (baseline const& own : of) {
        worst = std::max(worst, own.proven() ? 0 : own.bound != no_objective ? 1 : 2);
    }
    return kinds[worst];
}

program_runner::state::state(engine const& engine_, program_runner_options options_)
    : by(engine_),
      options(std::move(options_)),
      sandboxes(std::make_shared<program_runs::shared_sandboxes>(
          by, program_runs::sandbox_place{options.isolation, options.slots, options.broker, options.server})),
      process_(fork_generation()),
      source_(source_of_runner(by, options)) {}

void program_runner::state::require_own_process() const {
    if (process_ != fork_generation()) {
        misuse("this program runner belongs to the parent process: a forked child makes its own");
    }
}

std::vector<baseline> program_runner::state::baselines_of(program_problem const& of, std::int64_t budget) {
    std::vector<baseline> out;
    for (sourced_baseline const& one : source_->prove({.instances = of.instances.view(),
                                       .specs = of.specs,
                                       .given = of.given,
                                       .starts = {},
                                       .budget = budget})) {
        if (!one.damage.empty()) {
            throw error(status::internal, one.damage);
        }
        out.push_back(one.value);
    }
    return out;
}

void program_runner::state::add(program_counts const& more) {
    std::lock_guard const locked(lock_);
    counts_ += more;
}

program_counts program_runner::state::counts() const {
    std::lock_guard const locked(lock_);
    return counts_;
}

program_runner::program_runner(engine const& by, program_runner_options options)
    : state_(std::make_unique<state>(by, std::move(options))) {
    std::vector<program_language> languages;
    for (std::string const& name : state_->options.languages) {
        languages.push_back(programs::language_named(name));
    }
    if (!languages.empty()) {
        static_cast<void>(state_->sandboxes->holding(languages));
    }
}

program_runner::~program_runner() {
    if (state_ != nullptr) {
        try {
            state_->require_own_process();
        } catch (error const&) {
            static_cast<void>(state_.release());  // the child of a fork does not have the parent's threads
        }
    }
}

program_batch program_runner::run(program_request const& request) {
    state_->require_own_process();
    program_runs::program_call call(state_->by, request);
    if (request.texts.empty()) {
        return {};
    }
    std::vector<std::int32_t> const group = request.group.empty()
                                                ? program_runs::groups_by_problem(request)
                                                : std::vector(request.group.begin(), request.group.end());
    for (bool const steps : {false, true}) {
        if (std::vector<programs::program_language> const wanted = call.languages(steps); !wanted.empty()) {
            call.run(*state_->sandboxes->holding(wanted, steps), steps);
        }
    }
    std::vector<std::vector<baseline>> known;
    for (std::shared_ptr<program_problem const> const& of : call.problems()) {
        known.push_back(state_->baselines_of(*of, request.budget));
    }
    program_batch out = call.rewarded(known);
    out.advantage = program_runs::program_advantages(state_->by, out, group, request.length, request.advantage);
    state_->add(out.counts);
    return out;
}

program_batch program_runner::run(program_request const& request, std::function<bool()> const& goes_on) {
    std::stop_source stop;
    std::stop_callback const passed_on(request.stop, [&] { stop.request_stop(); });
    program_request asked = request;
    asked.stop = stop.get_token();
    program_batch found;
    static_cast<void>(run_while(goes_on, stop, [&] { found = run(asked); }));
    return found;
}

std::int32_t program_runner::slots() const { return state_->sandboxes->slots(); }

std::string program_runner::isolation(std::string_view language) {
    state_->require_own_process();
    program_language const wanted = programs::language_named(language);
    return state_->sandboxes->holding({wanted})->isolation(wanted);
}

program_counts program_runner::counts() const { return state_->counts(); }

}  // namespace optgap
