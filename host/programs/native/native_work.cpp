// A call's jobs on the slots: waiting, sending to the broker, stopping.

#include <algorithm>

#include "host/programs/native/native_call.hpp"
#include "host/programs/native/wasm.hpp"

namespace optgap::programs {
/// Drops the jobs that wait, since their results are not wanted any more.
void native_sandbox::drop_waiting(call& all) {
    for (job const& each : all.waiting) {
        if (each.what == job::run) {
            all.run_results[each.index].trouble = stopped;
        } else if (each.what != job::check_canary) {
            all.compile_results[each.index].log = stopped;
        }
    }
    all.waiting.clear();
}

std::int32_t native_sandbox::slots_of(std::uint64_t client) const {
    std::int32_t has = 0;
    for (call const* const one : calls_) {
        has += one->share.client == client ? one->has : 0;
    }
    return has;
}

bool native_sandbox::is_turn_of(call const& all) const {
    std::int32_t const mine = slots_of(all.share.client);
    if (all.share.most > 0 && mine >= all.share.most) {
        return false;
    }
    return std::ranges::none_of(calls_, [&](call const* other) {
        if (!other->wants || other->share.client == all.share.client) {
            return false;
        }
        std::int32_t const theirs = slots_of(other->share.client);
        return theirs < mine && (other->share.most == 0 || theirs < other->share.most);
    });
}

void native_sandbox::gather(call& all, job& first) const {
    run_request const& begins = all.runs[first.index];
    std::size_t slots = free_slots_.size() + 1;
    if (all.share.most > 0) {
        slots = std::min(slots, std::size_t(all.share.most));
    }
    std::size_t const most = std::min(max_module_runs(begins.limits), (all.waiting.size() + slots) / slots);
    while (first.after.size() + 1 < most && !all.waiting.empty()) {
        job const& next = all.waiting.front();
        if (next.what != job::run || next.quiet) {
            return;
        }
        run_request const& request = all.runs[next.index];
        if (request.program != begins.program || !(request.limits == begins.limits)) {
            return;
        }
        first.after.push_back(next.index);
        all.waiting.pop_front();
    }
}

void native_sandbox::work_off(call& all) {
    all.sent.assign(std::size_t(slot_count_), 0);
    std::stop_callback const on_stop(all.stop, [this, &all] {
        std::vector<std::uint64_t> running;
        {
            std::lock_guard const lock(mutex_);
            running = all.sent;
            changed_.notify_all();
        }
        for (std::uint64_t const id : running) {
            broker_->stop(id);
        }
    });
    std::unique_lock lock(mutex_);  // released before on_stop, whose destructor waits for the callback
    calls_.push_back(&all);
    auto const may_start = [&] { return all.wants && !free_slots_.empty() && is_turn_of(all); };
    // Whether this call wants a slot influences the calls of other clients.
    auto const want = [&](bool wants) {
        all.wants = wants;
        if (std::ranges::any_of(calls_, [&](call const* other) { return other->share.client != all.share.client; })) {
            changed_.notify_all();
        }
    };
    while (!all.waiting.empty() || all.open > 0) {
        want(!all.waiting.empty() && (!all.waiting.front().quiet || all.open == 0));
        changed_.wait(lock, [&] {
            return !all.ended.empty() || may_start() || (all.stop.stop_requested() && !all.waiting.empty());
        });
        bool const starts = may_start();
        want(false);
        if (all.stop.stop_requested()) {
            drop_waiting(all);
        }
        if (!all.ended.empty()) {
            auto [done, reply] = std::move(all.ended.front());
            all.ended.pop_front();
            --all.open;
            lock.unlock();
            take(all, done, std::move(reply));
            lock.lock();
            continue;
        }
        if (all.waiting.empty() || !starts) {
            continue;
        }
        job next = all.waiting.front();
        all.waiting.pop_front();
        next.slot = free_slots_.front();
        free_slots_.pop_front();
        if (next.what == job::run && !next.quiet && modules_[std::size_t(all.runs[next.index].program->language)]) {
            gather(all, next);
        }
        ++all.open;
        ++all.has;
        lock.unlock();
        start(all, next);
        lock.lock();
    }
    std::erase(calls_, &all);
    changed_.notify_all();
}

void native_sandbox::start(call& all, job const& next) {
    wire::request asked;
    asked.slot = next.slot;
    asked.processor = claims_.of(next.slot);
    file_handle first;
    file_handle second;
    int program = -1;
    if (next.what == job::compilation) {
        compile_request const& request = all.compilations[next.index];
        asked.profile = compiler_of(request.language);
        bool const compiler = is_compiler(asked.profile);
        first = sealed_bytes(request.source);
        program = compiler ? first.get() : all.checkers[std::size_t(request.interface)].get();
        second = compiler ? file_handle() : std::move(first);
        asked.hold = compiler ? wire::hold::jail : holds_[0];
        asked.cpu_ms = request.limits.cpu_ms;
        asked.memory_mb = request.limits.memory_mb;
        asked.output_kb = 2048;
    } else if (next.what == job::translation) {
        compile_request const& request = all.compilations[next.index];
        if (!all.modules.contains(next.index)) {
            all.modules[next.index] = sealed_bytes(request.source);
        }
        program = all.modules[next.index].get();
        second = sealed_bytes(translation_input);
        ask_translation(request.limits, asked);
    } else {
        run_request const& request = all.runs[next.index];
        program_language const language = request.program->language;
        canary const& known = canaries_[std::size_t(language)];
        bool const is_canary = next.what == job::check_canary;
        program = static_cast<native_program const&>(is_canary ? *known.program : *request.program).bytes.get();
        run_limits limits = request.limits;
        if (is_canary) {
            limits = {};
            limits.cpu_ms *= 10;
        }
        std::string_view const input = is_canary ? std::string_view(known.input) : request.input;
        asked.cpu_ms = limits.cpu_ms;
        asked.memory_mb = limits.memory_mb;
        asked.output_kb = limits.output_kb;
        asked.hold = holds_[std::size_t(language)];
        if (modules_[std::size_t(language)]) {
            std::vector<std::string_view> inputs{input};
            for (std::size_t const each : next.after) {
                inputs.push_back(all.runs[each].input);
            }
            second = sealed_bytes(module_input(limits, inputs));
            ask_module_runs(limits, inputs.size(), asked);
        } else {
            second = sealed_bytes(input);
            asked.profile = language == program_language::cpp ? wire::profile::cpp : wire::profile::python;
        }
    }
    auto const take_reply = [this, &all, next](broker_reply reply) {
        std::lock_guard const lock(mutex_);
        free_slots_.push_back(next.slot);
        --all.has;
        all.ended.emplace_back(next, std::move(reply));
        changed_.notify_all();
    };
    bool const needs_input = !is_compiler(asked.profile);
    if (program < 0 || (needs_input && !second.good())) {
        broker_reply none;
        none.lost = true;
        none.trouble = "no memory for the input";
        take_reply(std::move(none));
        return;
    }
    std::uint64_t const id = broker_->send(asked, program, second.get(), take_reply);
    {
        std::lock_guard const lock(mutex_);
        all.sent[std::size_t(next.slot)] = id;
    }
    if (all.stop.stop_requested()) {
        broker_->stop(id);  // the callback may have run before `sent` was set
    }
}

}  // namespace optgap::programs
