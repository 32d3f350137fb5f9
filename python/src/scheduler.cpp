#include "python/src/scheduler.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <thread>

#include "optgap/fork.hpp"
#include "optgap/reward_rules.hpp"
#include "python/src/baseline_source.hpp"
#include "python/src/values/baselines.hpp"
#include "python/src/values/lookups.hpp"
#include "python/src/values/score.hpp"

namespace optgap::python {
namespace {

using steady_clock = std::chrono::steady_clock;

/// Rules are kept by their text, so that submissions with the same one share batches.
constexpr std::size_t kept_rules = 64;
constexpr double endless_seconds = 1e8;

reward_rules rules_from(std::string const& text) { return parse_reward_rules(text, lookup_engine().tasks()); }

scheduler_options options_of(nb::kwargs const& given) {
    auto const number = [&](char const* name) { return nb::cast<std::int64_t>(given[name]); };
    return {.rule = {.reward = rules_from(nb::cast<std::string>(given["reward"]))},
            .budget = number("budget"),
            .baselines = nb::cast<bound_baseline_source&>(given["baselines"]).shared(),
            .solve_threads = std::int32_t(number("solve_threads")),
            .slots = std::int32_t(number("slots")),
            .isolation = nb::cast<std::string>(given["isolation"]),
            .runner = given["runner"].is_none() ? nullptr : nb::cast<bound_program_runner&>(given["runner"]).shared(),
            .fail_fast = nb::cast<bool>(given["fail_fast"]),
            .dedupe_always = nb::cast<bool>(given["dedupe_always"]),
            .row_options = nb::cast<std::string>(given["row_options"]),
            .snapshot_hash = nb::cast<bound_baseline_source&>(given["baselines"]).hash(),
            .window = std::chrono::microseconds(number("window")),
            .batch_rows = number("batch_rows"),
            .batch_bytes = number("batch_bytes"),
            .queue_rows = number("queue_rows"),
            .queue_bytes = number("queue_bytes"),
            .open_tickets = number("open_tickets"),
            .when_full = nb::cast<bool>(given["refuse"]) ? full_queue::refuse : full_queue::block,
            .instance_cache_bytes = number("instance_cache_bytes")};
}

/// Nothing of an empty column.
template <class T>
std::span<T const> share_of(std::span<T const> column, std::size_t first, std::size_t rows) {
    return column.empty() ? column : column.subspan(first, rows);
}

}  // namespace

steady_clock::time_point bound_scheduler::in_seconds(double seconds) {
    if (seconds < 0 || seconds > endless_seconds) {
        return steady_clock::time_point::max();
    }
    return steady_clock::now() + std::chrono::nanoseconds(std::int64_t(seconds * 1e9));
}

bound_problem::bound_problem(instance_spec const& spec, std::span<std::int32_t const> words, nb::handle baseline)
    : spec_(spec), words_(words.begin(), words.end()), given_(baseline_from(baseline)) {}

/// The completions of one ticket, as they go in.
class bound_scheduler::sample {
public:
    sample(bound_scheduler& by, nb::handle texts, completion_notes const& notes, std::int32_t format)
        : texts_(texts, "texts", by.by_->threads(), *by.bin_),
          finished_(finishes_from(notes.finish)),
          format_of_(notes.format_of.empty() && format >= 0 ? std::vector(texts_.views().size(), format)
                                                            : notes.format_of) {}

    /// The whole submission; `notify` is told of its end, and nobody waits for room.
    [[nodiscard]] submission submitted(bound_scheduler& by, completion_notes const& notes,
                                       bound_queue const& notify) const {
        submission what = by.submission_of(notes);
        what.texts = texts_.views();
        what.finished = finished_;
        what.length = notes.length;
        what.format_of = format_of_;
        what.owner = texts_.owner();
        what.notify = notify.queue;
        what.may_wait = false;
        what.held = notes.held;
        return what;
    }

private:
    submitted_texts texts_;
    std::vector<finish> finished_;
    std::vector<std::int32_t> format_of_;
};

nb::dict ended_sample::columns(std::string_view advantage, std::vector<std::int32_t> length) {
    of_.length = std::move(length);
    return joined_columns(*by_, std::span(&of_, 1), parse_advantage_spec(advantage), {});
}

bound_scheduler::bound_scheduler(std::shared_ptr<engine const> by, nb::kwargs const& options)
    : by_(std::move(by)),
      process_(fork_generation()),
      scheduler_(std::make_unique<scheduler>(*by_, options_of(options))) {}

bound_scheduler::~bound_scheduler() {
    if (process_ != fork_generation()) {
        // The parent's threads are not here: its scheduler leaks itself, its engine is left alone.
        static_cast<void>(new std::shared_ptr<engine const>(by_));
        return;
    }
    {
        released_gil const released;
        scheduler_.reset();
    }
    bin_->empty();
}

bound_scheduler::call::call(bound_scheduler& of) : of_(of) {
    if (of.process_ != fork_generation()) {
        throw error(status::invalid_argument,
                    "this scheduler belongs to the parent process: a forked child makes its own");
    }
    if (of.closed_by_ == std::this_thread::get_id()) {
        throw error(status::invalid_argument, "the scheduler is closed: the interpreter ends");
    }
    if (of.closed_by_ != std::thread::id()) {
        released_gil const released;
        std::this_thread::sleep_until(steady_clock::time_point::max());
    }
    ++of.calls_;
}

bound_scheduler::call::~call() {
    --of_.calls_;
    bool const fails = std::uncaught_exceptions() > exceptions_;
    if (fails && of_.closing_by_ != std::thread::id() && of_.closing_by_ != std::this_thread::get_id()) {
        released_gil const released;
        std::this_thread::sleep_until(steady_clock::time_point::max());
    }
}

bound_scheduler::note& bound_scheduler::noted(std::uint64_t one) {
    auto const found = notes_.find(one);
    if (found == notes_.end()) {
        throw argument_error("tickets", std::to_string(one) + " does not exist, or has been handed out");
    }
    return found->second;
}

std::shared_ptr<scoring_rule const> bound_scheduler::rule_of(std::optional<std::string> const& reward) {
    if (!reward) {
        return nullptr;
    }
    auto const known = rules_.find(*reward);
    if (known != rules_.end()) {
        return known->second;
    }
    auto const fresh = std::make_shared<scoring_rule const>(scoring_rule{.reward = rules_from(*reward)});
    if (rules_.size() >= kept_rules) {
        rules_.clear();
    }
    rules_.emplace(*reward, fresh);
    return fresh;
}

submission bound_scheduler::submission_of(completion_notes const& notes) {
    return {.rule = rule_of(notes.reward), .deadline = in_seconds(notes.seconds)};
}

nb::tuple bound_scheduler::issue(int32_in const& task, int32_in const& level, int32_in const& part,
                                 array_in<std::uint64_t> const& seed, std::int32_t style, std::int32_t format) {
    call const here(*this);
    std::vector<instance_spec> specs;
    for (std::size_t r = 0; r < task.size(); ++r) {
        specs.push_back({task.data()[r], {level.data()[r]}, split_of(part.data()[r]), seed.data()[r]});
    }
    issued_batch made;
    {
        released_gil const released;
        made = scheduler_->issue(specs, {.style = style, .format = known_formats()[std::size_t(format)]});
    }
    std::vector<std::uint64_t> tickets;
    for (std::size_t r = 0; r < specs.size(); ++r) {
        tickets.push_back(std::uint64_t(made.tickets[r]));
        notes_[tickets.back()] = {.of = id_of({.spec = specs[r]}), .format = format, .length = {}, .result = {}};
    }
    return nb::make_tuple(made.prompts, made.keys, to_array(std::move(tickets)));
}

std::int64_t bound_scheduler::submit(ticket_array const& tickets, nb::handle texts, completion_notes const& notes) {
    call const here(*this);
    submitted_texts const held(texts, "completions", by_->threads(), *bin_);
    std::span<std::string_view const> const views = held.views();
    std::size_t const each = tickets.size() == 0 ? 0 : views.size() / tickets.size();
    std::vector<finish> const finished = finishes_from(notes.finish);
    std::vector<std::int32_t> format_of = notes.format_of;
    std::vector<bool> own_format;  // of the problem
    for (std::size_t t = 0; t < tickets.size(); ++t) {
        std::uint64_t const one = tickets.data()[t];
        note& of = noted(one);
        if (notes.format_of.empty()) {
            format_of.resize((t + 1) * each, of.format);
        }
        own_format.push_back(notes.format_of.empty() && of.format < 0);
        auto const length = share_of(std::span(notes.length), t * each, each);
        of.length.assign(length.begin(), length.end());
    }
    submission what = submission_of(notes);
    std::size_t taken = 0;
    {
        released_gil const released;
        what.owner = held.owner();
        for (bool room = true; taken < tickets.size() && room; taken += room ? 1 : 0) {
            std::size_t const first = taken * each;
            what.texts = views.subspan(first, each);
            what.finished = share_of(std::span(finished), first, each);
            what.length = share_of(std::span(notes.length), first, each);
            what.format_of = {};
            if (!own_format[taken]) {
                what.format_of = share_of(std::span<std::int32_t const>(format_of), first, each);
            }
            room = scheduler_->submit(ticket(tickets.data()[taken]), what);
        }
    }
    bin_->empty();
    return std::int64_t(taken);
}

std::uint64_t bound_scheduler::send(bound_queue const& queue, std::uint64_t one, nb::handle texts,
                                    completion_notes const& notes) {
    call const here(*this);
    note& of = noted(one);
    sample const given(*this, texts, notes, of.format);
    return scheduler_->submit(ticket(one), given.submitted(*this, notes, queue)) ? one : 0;
}

std::uint64_t bound_scheduler::send_to(bound_queue const& queue, bound_problem const& of, nb::handle texts,
                                       completion_notes const& notes) {
    call const here(*this);
    sample const given(*this, texts, notes, 0);
    problem const asked = of.view();
    std::uint64_t const one = std::uint64_t(scheduler_->submit(asked, given.submitted(*this, notes, queue)));
    if (one != 0) {
        notes_[one].of = id_of(asked);
    }
    return one;
}

bool bound_scheduler::begin() {
    call const here(*this);
    return scheduler_->begin();
}

nb::list bound_scheduler::take(bound_queue const& queue) {
    call const here(*this);
    nb::list out;
    for (ticket const one : queue.queue->drain()) {
        auto const found = notes_.find(std::uint64_t(one));
        if (found == notes_.end()) {
            continue;  // forgotten, or collected by somebody else
        }
        std::optional<ticket_result> result = std::move(found->second.result);
        if (!result) {
            result = scheduler_->collect(one, std::chrono::nanoseconds(0));
        }
        out.append(nb::make_tuple(std::uint64_t(one), ended_sample(by_, {std::move(*result), found->second.of, {}})));
        notes_.erase(found);
    }
    bin_->empty();
    return out;
}

bool bound_scheduler::await(std::uint64_t one, steady_clock::time_point until) {
    constexpr auto slice = std::chrono::nanoseconds(std::chrono::milliseconds(100));
    for (;;) {
        auto const left = until - steady_clock::now();
        std::optional<ticket_result> found;
        {
            released_gil const released;
            found = scheduler_->collect(ticket(one), std::clamp(left, std::chrono::nanoseconds(0), slice));
        }
        if (found) {
            // By its name: somebody may have forgotten the ticket meanwhile.
            noted(one).result = std::move(found);
            return true;
        }
        if (left <= slice) {
            return false;
        }
        if (PyErr_CheckSignals() != 0) {
            nb::raise_python_error();
        }
    }
}

std::optional<std::vector<ended_ticket>> bound_scheduler::ended_of(ticket_array const& tickets, double seconds,
                                                                   std::optional<int32_in> const& group, kind of) {
    if (group && group->size() != tickets.size()) {
        throw argument_error("group", "expected one entry per ticket (" + std::to_string(tickets.size()) + ")");
    }
    auto const until = in_seconds(seconds);
    std::vector<std::uint64_t> known(span_of(tickets).begin(), span_of(tickets).end());
    std::sort(known.begin(), known.end());
    if (auto const twice = std::adjacent_find(known.begin(), known.end()); twice != known.end()) {
        throw argument_error("tickets", std::to_string(*twice) + " is said twice");
    }
    for (std::uint64_t const one : known) {
        if (kind const found = kind_of(noted(one)); found != of) {
            throw argument_error(
                "tickets",
                std::to_string(one) + (found == kind::answers     ? " is of an answer: collect takes it"
                                       : found == kind::programs  ? " is of programs: collect_programs takes it"
                                       : found == kind::proposals ? " is of proposals: collect_proposals takes it"
                                       : found == kind::rows      ? " is of rows: collect_rows takes it"
                                                                  : " is a question's: collect_questions takes it"));
        }
    }
    for (std::uint64_t const one : span_of(tickets)) {
        if (!noted(one).result && !await(one, until)) {
            return std::nullopt;
        }
    }
    std::vector<ended_ticket> ended;
    for (std::uint64_t const one : span_of(tickets)) {
        note const& own = noted(one);
        ended.push_back({*own.result, own.of, own.length});
    }
    return ended;
}

void bound_scheduler::drop_notes(ticket_array const& tickets) {
    for (std::uint64_t const one : span_of(tickets)) {
        notes_.erase(one);
    }
    bin_->empty();
}

nb::object bound_scheduler::collect(ticket_array const& tickets, double seconds, std::string_view advantage,
                                    std::optional<int32_in> const& group) {
    call const here(*this);
    advantage_spec const wanted = parse_advantage_spec(advantage);
    std::optional<std::vector<ended_ticket>> const ended = ended_of(tickets, seconds, group, kind::answers);
    if (!ended) {
        return nb::none();
    }
    nb::object out = joined_columns(*by_, *ended, wanted, span_of(group));
    drop_notes(tickets);
    return out;
}

std::int64_t bound_scheduler::cancel(ticket_array const& tickets) {
    call const here(*this);
    std::int64_t const cancelled =
        std::ranges::count_if(span_of(tickets), [&](std::uint64_t one) { return scheduler_->cancel(ticket(one)); });
    bin_->empty();
    return cancelled;
}

void bound_scheduler::forget(ticket_array const& tickets) {
    call const here(*this);
    for (std::uint64_t const one : span_of(tickets)) {
        scheduler_->forget(ticket(one));
        notes_.erase(one);
    }
    bin_->empty();
}

void bound_scheduler::shutdown(bool drain) {
    call const here(*this);
    {
        released_gil const released;
        scheduler_->shutdown(drain ? scheduler::ending::drain : scheduler::ending::cancel);
    }
    bin_->empty();
}

void bound_scheduler::close() {
    if (process_ != fork_generation() || closed_by_ != std::thread::id()) {
        return;
    }
    closing_by_ = std::this_thread::get_id();
    shutdown(false);
    closed_by_ = std::this_thread::get_id();
    auto const until = steady_clock::now() + std::chrono::seconds(10);
    while (calls_ > 0 && steady_clock::now() < until) {
        released_gil const released;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

std::string bound_scheduler::statistics() {
    call const here(*this);
    released_gil const released;
    return scheduler_->statistics();
}

}  // namespace optgap::python
