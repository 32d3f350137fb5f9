#include "optgap/programs/runner.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <future>
#include <utility>

#include "host/program_runs/runner_state.hpp"
#include "host/programs/served/served_sandbox.hpp"
#include "host/remote/build_fingerprint.hpp"
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
    : by(engine_), options(std::move(options_)), process_(fork_generation()), source_(source_of_runner(by, options)) {}

void program_runner::state::require_own_process() const {
    if (process_ != fork_generation()) {
        misuse("this program runner belongs to the parent process: a forked child makes its own");
    }
}

std::shared_ptr<programs::sandbox> program_runner::state::holding(std::vector<program_language> const& languages,
                                                                  bool steps) {
    std::lock_guard const opening(opening_);
    place& here = places_[std::size_t(steps)];
    std::vector<program_language> wanted;
    {
        std::lock_guard const locked(lock_);
        wanted = here.held;
        for (program_language const one : languages) {
            if (auto const known = here.refused.find(one); known != here.refused.end()) {
                throw error(status::sandbox_unavailable, known->second);
            }
            if (std::find(wanted.begin(), wanted.end(), one) == wanted.end()) {
                wanted.push_back(one);
            }
        }
        if (here.open != nullptr && wanted.size() == here.held.size()) {
            return here.open;
        }
    }
    programs::sandbox_options asked;
    asked.isolation = options.isolation;
    asked.slots = options.slots;
    asked.broker = options.broker;
    asked.languages = wanted;
    asked.steps = steps;
    try {
        std::shared_ptr<programs::sandbox> fresh = steps ? nullptr : served(asked);
        if (fresh == nullptr) {
            fresh = programs::open_sandbox(asked);
        }
        std::lock_guard const locked(lock_);
        here.open = fresh;
        here.held = wanted;
        return fresh;
    } catch (error const& refused) {
        std::lock_guard const locked(lock_);
        if (wanted.size() == here.held.size() + 1) {  // else the failure does not identify the unsupported language
            here.refused.emplace(wanted.back(), refused.what());
        }
        throw;
    }
}

std::shared_ptr<programs::sandbox> program_runner::state::served(programs::sandbox_options const& asked) const {
    std::string path = options.server;
    if (path.empty()) {
        char const* const named = std::getenv("OPTGAP_SERVER");
        path = named == nullptr ? "" : named;
    }
    if (path.empty() || path == "off") {
        return nullptr;
    }
    std::uint64_t const build = serve::build_fingerprint(by.tasks());
    std::string why;
    std::optional<programs::served_terms> const terms = programs::terms_of_daemon(path, build, asked.languages, why);
    if (!terms || (asked.isolation != "auto" && std::ranges::any_of(asked.languages, [&](program_language one) {
                       return terms->isolations[std::size_t(one)] != asked.isolation;
                   }))) {
        return nullptr;
    }
    return std::make_shared<programs::served_sandbox>(
        programs::served_options{
            path, build, options.slots,
            [asked]() -> std::shared_ptr<programs::sandbox> { return programs::open_sandbox(asked); }},
        *terms);
}

void program_runner::state::hold_by(std::shared_ptr<programs::sandbox> held) {
    std::lock_guard const locked(lock_);
    places_[0].open = std::move(held);
    places_[0].held = {program_language::python, program_language::cpp};
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

std::int32_t program_runner::state::slots() const {
    std::lock_guard const locked(lock_);
    for (place const& one : places_) {
        if (one.open != nullptr) {
            return one.open->slots();
        }
    }
    return options.slots;
}

std::int32_t program_runner::state::slots_busy() const {
    std::lock_guard const locked(lock_);
    std::int32_t busy = 0;
    for (place const& one : places_) {
        busy += one.open != nullptr ? one.open->slots_busy() : 0;
    }
    return busy;
}

program_runner::program_runner(engine const& by, program_runner_options options)
    : state_(std::make_unique<state>(by, std::move(options))) {
    std::vector<program_language> languages;
    for (std::string const& name : state_->options.languages) {
        languages.push_back(programs::language_named(name));
    }
    if (!languages.empty()) {
        static_cast<void>(state_->holding(languages));
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
            call.run(*state_->holding(wanted, steps), steps);
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
    std::future<program_batch> found = std::async(std::launch::async, [&] { return run(asked); });
    while (found.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
        if (!goes_on()) {
            stop.request_stop();
            break;
        }
    }
    return found.get();
}

std::int32_t program_runner::slots() const { return state_->slots(); }

std::string program_runner::isolation(std::string_view language) {
    state_->require_own_process();
    program_language const wanted = programs::language_named(language);
    return state_->holding({wanted})->isolation(wanted);
}

program_counts program_runner::counts() const { return state_->counts(); }

}  // namespace optgap
