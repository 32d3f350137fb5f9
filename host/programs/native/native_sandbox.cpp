#include "host/programs/native/native_sandbox.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

#include "host/programs/native/native_call.hpp"
#include "host/programs/native/toolchains.hpp"
#include "host/programs/native/wasm.hpp"
#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

constexpr std::size_t cached_programs = 1024;
constexpr std::int32_t max_tries = 3;

/// The cache key, which is also a file name.
std::string key_of(compile_request const& request, std::string const& toolchain) {
    XXH128_hash_t const hash = XXH3_128bits(request.source.data(), request.source.size());
    return fmt::format("{}-{}-{}-{}-{}{:016x}{:016x}", name_of(request.language), toolchain, request.limits.cpu_ms,
                       request.limits.memory_mb, request.interface == program_interface::solve ? "solve-" : "",
                       hash.high64, hash.low64);
}

/// Orders indices so that every program's first comes before any program's second. Runs of a module stay together at
/// their first, since other runs do not influence them.
std::vector<std::size_t> interleaved(std::span<run_request const> requests) {
    struct seen {
        std::size_t count = 0, first = 0;
    };
    std::unordered_map<ready_program const*, seen> programs;
    std::vector<std::array<std::size_t, 3>> order;
    for (std::size_t k = 0; k < requests.size(); ++k) {
        ready_program const* const program = requests[k].program.get();
        seen& of = programs.try_emplace(program, seen{0, k}).first->second;
        bool const module = static_cast<native_program const*>(program)->module;
        order.push_back({module ? 0 : of.count++, module ? of.first : k, k});
    }
    std::ranges::sort(order);
    std::vector<std::size_t> out;
    for (auto const& each : order) {
        out.push_back(each[2]);
    }
    return out;
}

}  // namespace

native_sandbox::native_sandbox(std::shared_ptr<broker_client> broker, std::array<wire::hold, language_count> holds,
                               std::int32_t slots)
    : broker_(std::move(broker)), holds_(holds), slot_count_(slots) {
    for (std::int32_t k = 0; k < slots; ++k) {
        free_slots_.push_back(k);
    }
}

void native_sandbox::set_cache(program_cache cache, std::array<std::string, language_count> toolchains) {
    cache_ = std::move(cache);
    toolchains_ = std::move(toolchains);
}

wire::profile native_sandbox::compiler_of(program_language language) const {
    if (language == program_language::cpp) {
        return modules_[std::size_t(language)] ? wire::profile::compile_wasm : wire::profile::compile;
    }
    return wire::profile::python;
}

bool native_sandbox::load_compiled(compile_request const& request, std::string const& key, compile_result& out) const {
    if (toolchains_[std::size_t(request.language)].empty()) {
        return false;
    }
    file_handle bytes = cache_.load(key);
    if (!bytes.good()) {
        return false;
    }
    out.code = run_code::ok;
    out.cached = true;
    out.program =
        std::make_shared<native_program>(request.language, std::move(bytes), modules_[std::size_t(request.language)]);
    return true;
}

void native_sandbox::set_canary(program_language language, program_handle known, std::string input,
                                std::string output) {
    canaries_[std::size_t(language)] = {std::move(known), std::move(input), std::move(output)};
}

std::string native_sandbox::isolation(program_language language) const {
    if (modules_[std::size_t(language)]) {
        return "wasm";
    }
    wire::hold const own = holds_[std::size_t(language)];
    return own == wire::hold::command ? "command" : own == wire::hold::jail ? "jail" : "namespaces";
}

std::vector<compile_result> native_sandbox::compile_all(std::span<compile_request const> requests) {
    call all;
    all.compilations = requests;
    all.stop = requests.empty() ? std::stop_token() : requests[0].stop;
    all.share = requests.empty() ? program_share() : requests[0].share;
    all.compile_results.resize(requests.size());
    std::vector<std::string> keys;
    std::unordered_map<std::string, std::size_t> first;
    {
        std::lock_guard const lock(mutex_);
        for (std::size_t k = 0; k < requests.size(); ++k) {
            check_limits(requests[k].limits);
            require_interface(requests[k].language, requests[k].interface);
            keys.push_back(key_of(requests[k], toolchains_[std::size_t(requests[k].language)]));
            if (auto const found = compiled_.find(keys[k]); found != compiled_.end()) {
                all.compile_results[k] = found->second;
                all.compile_results[k].cached = true;
            } else if (load_compiled(requests[k], keys[k], all.compile_results[k])) {
                compiled_.emplace(keys[k], all.compile_results[k]);
                compiled_order_.push_back(keys[k]);
            } else if (first.emplace(keys[k], k).second) {
                bool const whole = requests[k].language == program_language::wasm;
                all.waiting.push_back({whole ? job::translation : job::compilation, k});
            }
        }
    }
    for (program_interface const each : {program_interface::stdio, program_interface::solve}) {
        all.checkers[std::size_t(each)] = sealed_bytes(python_checker(each));
    }
    work_off(all);
    std::lock_guard const lock(mutex_);
    for (auto const& [key, index] : first) {
        if (all.compile_results[index].code != run_code::infrastructure &&
            compiled_.emplace(key, all.compile_results[index]).second) {
            compiled_order_.push_back(key);
            bool const kept = !toolchains_[std::size_t(requests[index].language)].empty();
            if (kept && all.compile_results[index].program) {
                cache_.save(key, static_cast<native_program const&>(*all.compile_results[index].program).bytes.get());
            }
        }
    }
    for (; compiled_order_.size() > cached_programs; compiled_order_.pop_front()) {
        compiled_.erase(compiled_order_.front());
    }
    for (std::size_t k = 0; k < requests.size(); ++k) {
        if (auto const found = first.find(keys[k]); found != first.end() && found->second != k) {
            all.compile_results[k] = all.compile_results[found->second];
            all.compile_results[k].cached = true;
        }
    }
    return std::move(all.compile_results);
}

std::vector<run_result> native_sandbox::run_all(std::span<run_request const> requests) {
    call all;
    all.runs = requests;
    all.stop = requests.empty() ? std::stop_token() : requests[0].stop;
    all.share = requests.empty() ? program_share() : requests[0].share;
    all.run_results.resize(requests.size());
    for (run_request const& each : requests) {
        check_limits(each.limits);
        auto const* const own = dynamic_cast<native_program const*>(each.program.get());
        if (own == nullptr || own->module != modules_[std::size_t(own->language)]) {
            misuse("run: the program was not compiled by a sandbox of this kind");
        }
        if (each.limits.steps > 0 && !own->module) {
            misuse(fmt::format("limits: steps is {}, and {} counts none; expected 0, or the isolation level wasm",
                               each.limits.steps, isolation(own->language)));
        }
    }
    for (std::size_t const index : interleaved(requests)) {
        all.waiting.push_back({job::run, index});
    }
    work_off(all);
    return std::move(all.run_results);
}

void native_sandbox::take(call& all, job const& done, broker_reply reply) {
    switch (done.what) {
        case job::run: end_of_run(all, done, std::move(reply)); break;
        case job::check_canary: end_of_canary(all, done, std::move(reply)); break;
        default: end_of_compilation(all, done, std::move(reply)); break;
    }
}

void native_sandbox::end_of_run(call& all, job done, broker_reply reply) {
    run_request const& request = all.runs[done.index];
    if (modules_[std::size_t(request.program->language)]) {
        end_of_module_runs(all, done, std::move(reply));
    } else {
        settle(all, done, judge_run(request.limits, std::move(reply)));
    }
}

void native_sandbox::end_of_module_runs(call& all, job const& done, broker_reply reply) {
    std::vector<std::size_t> runs{done.index};
    runs.insert(runs.end(), done.after.begin(), done.after.end());
    judged_module_runs told = judge_module_runs(all.runs[done.index].limits, runs.size(), std::move(reply));
    job one = done;
    one.after.clear();
    std::size_t next = 0;
    for (run_result& each : told.ended) {
        one.index = runs[next++];
        settle(all, one, {std::move(each)});
    }
    if (told.under_way) {
        one.index = runs[next++];
        // A process that had other runs in it died: this run is repeated alone before the failure is attributed to it.
        told.under_way->again = told.under_way->again || (runs.size() > 1 && !told.own_end);
        settle(all, one, std::move(*told.under_way));
    }
    for (; next < runs.size(); ++next) {  // not begun
        all.waiting.push_back({job::run, runs[next]});
    }
}

void native_sandbox::settle(call& all, job done, judged_run judged) {
    bool const machine = judged.result.code == run_code::infrastructure && !judged.starved;
    judged.result.slot = done.slot;
    judged.result.tries = done.tries;
    if (all.stop.stop_requested() && (judged.again || judged.result.code == run_code::infrastructure)) {
        judged.result.code = run_code::infrastructure;
        judged.result.trouble = stopped;
        all.run_results[done.index] = std::move(judged.result);
        return;
    }
    if (judged.again && done.tries < (machine ? max_tries : 2)) {
        ++done.tries;
        done.quiet = true;
        all.waiting.push_back(done);
        return;
    }
    all.run_results[done.index] = std::move(judged.result);
    if (machine && canaries_[std::size_t(all.runs[done.index].program->language)].program) {
        done.what = job::check_canary;
        done.quiet = true;
        all.waiting.push_back(done);
    }
}

void native_sandbox::end_of_canary(call& all, job const& done, broker_reply reply) {
    run_result& result = all.run_results[done.index];
    canary const& known = canaries_[std::size_t(all.runs[done.index].program->language)];
    run_result ran;
    if (!modules_[std::size_t(all.runs[done.index].program->language)]) {
        ran = judge_run({}, std::move(reply)).result;
    } else if (judged_module_runs told = judge_module_runs({}, 1, std::move(reply)); !told.under_way) {
        ran = std::move(told.ended.front());
    }
    if (ran.code == run_code::ok && ran.output == known.output) {
        result.code = run_code::run_crash;
        result.suspected = true;
    }
}

void native_sandbox::end_of_compilation(call& all, job const& done, broker_reply reply) {
    compile_request const& request = all.compilations[done.index];
    judged_compilation judged;
    if (done.what == job::translation) {
        judged = judge_translation(reply);
        judged.result.cpu_ms += all.compile_results[done.index].cpu_ms;  // plus the time of its compilation
        if (judged.result.code == run_code::ok) {
            file_handle code = sealed_bytes(reply.output);
            judged.result.code = code.good() ? run_code::ok : run_code::infrastructure;
            judged.result.program = std::make_shared<native_program>(request.language, std::move(code), true);
        }
    } else if (request.language == program_language::cpp) {
        judged = judge_compilation(reply);
        if (judged.result.code == run_code::ok && modules_[std::size_t(request.language)]) {
            all.modules[done.index] = std::exchange(reply.program, {});
            all.compile_results[done.index].cpu_ms = judged.result.cpu_ms;
            job next = done;
            next.what = job::translation;
            next.tries = 1;
            next.quiet = false;
            all.waiting.push_front(next);
            return;
        }
        if (judged.result.code == run_code::ok) {
            judged.result.program =
                std::make_shared<native_program>(request.language, std::exchange(reply.program, {}));
        }
    } else {
        judged_run const ran = judge_run({request.limits.cpu_ms, 0, request.limits.memory_mb, 2048}, std::move(reply));
        judged.again = ran.again;
        judged.result.cpu_ms = ran.result.cpu_ms;
        judged.result.log = ran.result.error_head;
        switch (ran.result.code) {
            case run_code::ok: {
                bool const called = request.interface == program_interface::solve;
                bool const compiled = ran.result.output.starts_with('\0');
                file_handle bytes = sealed_bytes(compiled ? ran.result.output
                                                 : called ? program_of_solve(request.source)
                                                          : std::string(request.source));
                if (bytes.good()) {
                    judged.result.code = run_code::ok;
                    judged.result.program = std::make_shared<native_program>(request.language, std::move(bytes));
                }
                break;
            }
            case run_code::infrastructure: judged.result.log = ran.result.trouble; break;
            case run_code::run_time:
            case run_code::run_memory:
            case run_code::run_output: judged.result.code = run_code::compile_limit; break;
            default: judged.result.code = run_code::compile_error; break;
        }
        judged.result.first_line = judged.result.code == run_code::ok
                                       ? std::string()
                                       : judged.result.log.substr(0, judged.result.log.find('\n'));
    }
    if (judged.again && judged.result.code == run_code::infrastructure && done.tries < max_tries) {
        job next = done;
        ++next.tries;
        next.quiet = true;
        all.waiting.push_back(next);
        return;
    }
    all.compile_results[done.index] = std::move(judged.result);
}

}  // namespace optgap::programs
