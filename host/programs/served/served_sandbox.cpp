#include "host/programs/served/served_sandbox.hpp"

#include <algorithm>
#include <unordered_map>

#include "host/programs/served/daemon_line.hpp"
#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

constexpr char const* stopped_here = "stopped: nobody waits for it any more";

/// Sends a request; `take` decodes the results from the reply.
template <class Asked, class Take>
auto asked_of_daemon(served_options const& options, verb what, Asked const& asked, std::stop_token const& stop,
                     exchange_end& end, Take const& take) {
    serve::measure size;
    put(size, asked);
    daemon_line line(options.path, options.build);
    end = line.exchange(
        what, size.size(),
        [&](std::byte* at) {
            serve::writer to(at);
            put(to, asked);
        },
        stop);
    decltype(take(std::declval<serve::reader&>())) found;
    if (end == exchange_end::served) {
        try {
            serve::reader in = line.reply();
            found = take(in);
        } catch (serve::wire_error const&) {
            end = exchange_end::lost;
        }
    }
    return found;
}

}  // namespace

std::shared_ptr<sandbox> served_sandbox::home() {
    ++at_home_;
    std::lock_guard const locked(lock_);
    if (home_ == nullptr) {
        home_ = options_.home();
    }
    return home_;
}

std::int32_t served_sandbox::slots() const {
    std::int32_t const given = terms_.most > 0 ? std::min(terms_.most, terms_.slots) : terms_.slots;
    return options_.slots > 0 ? std::min(options_.slots, given) : given;
}

std::vector<compile_result> served_sandbox::compile_all(std::span<compile_request const> requests) {
    if (requests.empty()) {
        return {};
    }
    for (compile_request const& each : requests) {
        check_limits(each.limits);
    }
    exchange_end end = exchange_end::lost;
    std::vector<compile_result> found =
        asked_of_daemon(options_, serve::ask_compile, requests, requests[0].stop, end, take_compile_results);
    if (end == exchange_end::stopped) {
        found.assign(requests.size(), {});
        for (compile_result& one : found) {
            one.log = stopped_here;
        }
    } else if (end != exchange_end::served || found.size() != requests.size()) {
        found = home()->compile_all(requests);
    }
    for (std::size_t k = 0; k < requests.size(); ++k) {
        found[k].program = found[k].code == run_code::ok ? std::make_shared<served_program>(requests[k]) : nullptr;
    }
    return found;
}

std::vector<run_result> served_sandbox::run_all(std::span<run_request const> requests) {
    if (requests.empty()) {
        return {};
    }
    for (run_request const& each : requests) {
        check_limits(each.limits);
    }
    under_way_ += std::int32_t(requests.size());
    exchange_end end = exchange_end::lost;
    std::vector<run_result> found =
        asked_of_daemon(options_, serve::ask_runs, requests, requests[0].stop, end, take_run_results);
    under_way_ -= std::int32_t(requests.size());
    if (end == exchange_end::stopped) {
        found.assign(requests.size(), {});
        for (run_result& one : found) {
            one.trouble = stopped_here;
        }
    } else if (end != exchange_end::served || found.size() != requests.size()) {
        found = run_here(requests);
    }
    return found;
}

std::vector<run_result> served_sandbox::run_here(std::span<run_request const> requests) {
    std::shared_ptr<sandbox> const by = home();
    std::unordered_map<ready_program const*, std::size_t> place_of;
    std::vector<compile_request> sources;
    for (run_request const& one : requests) {
        if (place_of.try_emplace(one.program.get(), sources.size()).second) {
            auto const& own = static_cast<served_program const&>(*one.program);
            sources.push_back(own.request());
            sources.back().stop = one.stop;
        }
    }
    std::vector<compile_result> const built = by->compile_all(sources);
    std::vector<run_result> found(requests.size());
    std::vector<run_request> runs;
    std::vector<std::size_t> place;
    for (std::size_t k = 0; k < requests.size(); ++k) {
        compile_result const& one = built[place_of.at(requests[k].program.get())];
        if (one.code != run_code::ok) {
            found[k].trouble = "the daemon is gone, and here it does not compile: " + one.first_line;
            continue;
        }
        runs.push_back(requests[k]);
        runs.back().program = one.program;
        place.push_back(k);
    }
    std::vector<run_result> ran = by->run_all(runs);
    for (std::size_t k = 0; k < ran.size(); ++k) {
        found[place[k]] = std::move(ran[k]);
    }
    return found;
}

std::optional<served_terms> terms_of_daemon(std::string const& path, std::uint64_t build,
                                            std::span<program_language const> languages, std::string& why) {
    daemon_line line(path, build);
    exchange_end const end = line.exchange(serve::ask_programs, sizeof(std::uint64_t), [](std::byte*) {}, {});
    why = line.why();
    if (end != exchange_end::served) {
        return std::nullopt;
    }
    try {
        serve::reader in = line.reply();
        served_terms terms = take_terms(in);
        for (program_language const one : languages) {
            if (terms.isolations[std::size_t(one)].empty()) {
                why = path + ": holds no " + std::string(name_of(one)) + ": " + terms.trouble;
                return std::nullopt;
            }
        }
        return terms;
    } catch (serve::wire_error const& problem) {
        why = problem.what();
        return std::nullopt;
    }
}

}  // namespace optgap::programs
