#include "bench/interference.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <thread>

#include "bench/rollouts.hpp"
#include "optgap/server.hpp"
#include "optgap/status.hpp"

namespace optgap::bench {

namespace {

using clock = std::chrono::steady_clock;

constexpr double call_seconds = 4e-3;  ///< approximate time of an engine call: short compared with a window
constexpr std::int64_t instances_a_load = 2048;
constexpr int rounds_of_a_row = 5;
constexpr int quick_rounds = 3;

/// The loop on a thread of its own, as a trainer runs it, from construction until `end`.
class running_loop {
public:
    explicit running_loop(trainer_loop const& loop)
        : thread_([this, &loop] {
              begun_.arrive_and_wait();
              try {
                  rate_ = loop.run(stop_);
              } catch (...) {
                  failure_ = std::current_exception();
              }
          }) {
        begun_.arrive_and_wait();
    }
    ~running_loop() { stop_ = true; }
    running_loop(running_loop const&) = delete;
    running_loop& operator=(running_loop const&) = delete;

    /// Ends the loop and returns its rate.
    double end() {
        stop_ = true;
        thread_.join();
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        return rate_;
    }

private:
    std::barrier<> begun_{2};
    std::atomic<bool> stop_{false};
    double rate_ = 0;
    std::exception_ptr failure_;
    std::jthread thread_;
};

double loop_rate(trainer_loop const& loop, double seconds) {
    running_loop running(loop);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    return running.end();
}

double engine_rate(std::function<void()> const& call, std::int64_t rows, double seconds) {
    clock::time_point const begin = clock::now();
    double done = 0;
    double spent = 0;
    do {
        call();
        done += double(rows);
        spent = seconds_since(begin);
    } while (spent < seconds);
    return done / spent;
}

/// A batch verb on a prefix of fixed rows, so that a call takes about `call_seconds` on every machine. Searches on a
/// GPU always use all rows, since few rows take as long there as a full card.
struct engine_load {
    char const* workload;
    char const* unit;
    std::int64_t all_rows;
    bool fills;  ///< a GPU's work only in batches that fill it, so it always uses all rows
    std::function<void(engine const&, std::int64_t rows)> call;
    std::vector<need> needs;  ///< per row, on average

    [[nodiscard]] std::int64_t rows_for_a_call(engine const& by, device where) const {
        if (fills && where == device::cuda) {
            return all_rows;
        }
        std::int64_t rows = std::min<std::int64_t>(16, all_rows);
        for (;; rows = std::min(rows * 2, all_rows)) {
            call(by, rows);
            clock::time_point const begin = clock::now();
            call(by, rows);
            if (seconds_since(begin) > call_seconds / 2 || rows == all_rows) {
                return rows;
            }
        }
    }
};

csr_view first(csr_view all, std::int64_t rows) {
    all.rows = rows;
    return all;
}

/// Instances of the tasks in turn, with a group of answers each and a start for the local search.
struct load_rows {
    instance_batch instances;
    csr_words answers;
    std::vector<std::int32_t> instance_of;
    instance_batch started;  ///< those with a feasible greedy answer
    csr_words starts;
    double evaluations_a_start = 0;

    load_rows(engine const& by, interference_setting const& at) {
        std::vector<instance_spec> specs;
        for (std::int64_t i = 0; i < instances_a_load; ++i) {
            specs.push_back({at.tasks[std::size_t(i) % at.tasks.size()], at.level, split::test, std::uint64_t(i)});
        }
        instances = by.generate(specs);
        answers = by.noisy_greedy(instances.view(), std::int32_t(group_size));
        for (std::int64_t r = 0; r < answers.rows(); ++r) {
            instance_of.push_back(std::int32_t(r / group_size));
        }
        csr_words const greedy = by.greedy(instances.view());
        std::vector<verdict> const found = by.verify(instances.view(), greedy.view());
        for (std::int64_t i = 0; i < instances.size(); ++i) {
            if (!greedy.row(i).empty() && found[std::size_t(i)].feasible()) {
                started.append(instances.task[std::size_t(i)], instances.blocks.row(i));
                starts.append(greedy.row(i));
            }
        }
        expect(started.size() > 0, "greedy solves none of the instances");
        instance_view few = started.view();
        few.blocks = first(few.blocks, std::min<std::int64_t>(started.size(), 64));
        improved_batch const tried = by.improve(few, first(starts.view(), few.blocks.rows), at.steps);
        evaluations_a_start = double(tried.evaluations) / double(few.blocks.rows);
    }
};

std::vector<engine_load> loads(load_rows const& of, std::int64_t steps) {
    double const words = double(of.instances.blocks.words.size()) / double(of.answers.rows()) +
                         double(of.answers.words.size()) / double(of.answers.rows());
    double const in = words * sizeof(std::int32_t);
    return {{"verify",
             "answers",
             of.answers.rows(),
             false,
             [&of](engine const& by, std::int64_t rows) {
                 static_cast<void>(by.verify(of.instances.view(), first(of.answers.view(), rows),
                                             std::span(of.instance_of).first(std::size_t(rows))));
             },
             {{"copy", in + sizeof(verdict)}, {"upload", in}, {"download", sizeof(verdict)}}},
            {"improve", "labels", of.started.size(), true,
             [&of, steps](engine const& by, std::int64_t rows) {
                 instance_view few = of.started.view();
                 few.blocks = first(few.blocks, rows);
                 static_cast<void>(by.improve(few, first(of.starts.view(), rows), steps));
             },
             needs_of_evaluations("", of.evaluations_a_start)}};
}

/// A daemon in a process of its own that takes every call. It inherits no CUDA context and no thread.
class engine_process {
public:
    engine_process(std::string const& program, device where, budget const& of)
        : socket_("/tmp/optgap-beside-" + std::to_string(::getpid()) + ".sock") {
        std::vector<std::string> words{program,
                                       "--quiet",
                                       "serve",
                                       "--take-all",
                                       "--socket",
                                       socket_,
                                       "--device",
                                       where == device::cuda ? "cuda" : "cpu",
                                       "--threads",
                                       std::to_string(of.threads),
                                       "--launch-us",
                                       std::to_string(of.launch_microseconds),
                                       "--multiprocessors",
                                       std::to_string(of.multiprocessors)};
        std::vector<char*> arguments;
        for (std::string& word : words) {
            arguments.push_back(word.data());
        }
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t silent;
        posix_spawn_file_actions_init(&silent);
        posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        int const failed = ::posix_spawn(&process_, program.c_str(), &silent, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&silent);
        if (failed != 0) {
            process_ = -1;
            throw error(status::device_unavailable, "bench interference: " + program + " does not start");
        }
    }
    ~engine_process() {
        if (process_ > 0) {
            ::kill(process_, SIGTERM);
            ::waitpid(process_, nullptr, 0);
        }
        ::unlink((socket_ + ".lock").c_str());
    }
    engine_process(engine_process const&) = delete;
    engine_process& operator=(engine_process const&) = delete;

    /// Makes a client that throws instead of computing in this process.
    [[nodiscard]] engine client() const {
        constexpr double patience_seconds = 60;  // for a GPU's context and kernels
        for (clock::time_point const begin = clock::now(); seconds_since(begin) < patience_seconds;) {
            int ended = 0;
            if (::waitpid(process_, &ended, WNOHANG) != 0) {
                process_ = -1;
                break;
            }
            try {
                static_cast<void>(daemon_statistics(socket_));
                return engine({.where = device::cpu, .threads = 1, .on_fallback = fallback::error, .server = socket_});
            } catch (error const&) {
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
        }
        throw error(status::device_unavailable, "bench interference: the engine's own process did not start");
    }

    /// Whether its GPU, if it has one, executed every call.
    [[nodiscard]] bool kept_its_device() const {
        return daemon_statistics(socket_).find("\"fallbacks\":0") != std::string::npos;
    }

private:
    std::string socket_;
    mutable pid_t process_ = -1;
};

}  // namespace

double interference::quantile_of(double (*of_round)(interference_round const&), double p) const {
    std::vector<double> values;
    for (interference_round const& round : rounds) {
        values.push_back(of_round(round));
    }
    return quantile(values, p);
}

claim interference::slowdown_holds() const {
    auto const slowdown = [](interference_round const& round) { return round.slowdown(); };
    return quantile_of(slowdown, 0.9) <= largest_slowdown ? claim::yes
           : median(slowdown) > largest_slowdown          ? claim::no
                                                          : claim::unclear;
}

interference_round measure_round(trainer_loop const& loop, std::function<void()> const& call, std::int64_t rows,
                                 double seconds, bool reversed) {
    interference_round round;
    auto const beside = [&] {
        running_loop running(loop);
        round.engine_beside = engine_rate(call, rows, seconds);
        round.loop_beside = running.end();
    };
    if (reversed) {
        beside();
    }
    round.loop_alone = loop_rate(loop, seconds);
    round.engine_alone = engine_rate(call, rows, seconds);
    if (!reversed) {
        beside();
    }
    return round;
}

std::vector<budget> budgets(interference_setting const& at, device where) {
    engine_options const defaults;
    std::int32_t const usual = engine({.where = device::cpu}).threads();
    std::int32_t const threads = at.options.threads > 0 ? at.options.threads : usual;
    std::vector<budget> all;
    auto const and_apart = [&] {
        if (!at.program.empty()) {
            all.push_back(all[0]);
            all.back().apart = true;
            all.back().is_default = false;
        }
        return all;
    };
    if (where != device::cuda) {
        for (std::int32_t some = threads; some > 0; some = at.quick && some > 1 ? 1 : some - 1) {
            all.push_back({.threads = some, .is_default = some == usual});
        }
        return and_apart();
    }
    all.push_back({threads, defaults.multiprocessors, defaults.launch_microseconds, true});
    std::int32_t const card = gpu_multiprocessors();
    for (std::int32_t const share : {1, 2, 4, 8, 16}) {
        for (std::int32_t const microseconds : {1000, 300, 100}) {
            std::int32_t const some = share == 1 ? 0 : std::max(1, card / share);
            bool const same = some == all[0].multiprocessors && microseconds == all[0].launch_microseconds;
            bool const telling = (share == 1 && microseconds == 100) || (share == 8 && microseconds == 300);
            if (!same && !at.only_default && (telling || !at.quick)) {
                all.push_back({threads, some, microseconds, false});
            }
        }
    }
    return and_apart();
}

std::vector<interference> measure_interference(interference_setting const& at, device where,
                                               std::function<void(interference const&)> const& seen) {
    std::vector<trainer_loop> const loops = where == device::cuda ? gpu_loops() : cpu_loops();
    std::vector<budget> const points = budgets(at, where);
    int const rounds = at.quick ? quick_rounds : rounds_of_a_row;
    double const window = at.seconds / (3.0 * rounds);
    engine_options options = at.options;
    options.where = where;
    load_rows const rows(engine({.where = device::cpu, .threads = at.options.threads}), at);
    std::vector<engine_load> const verbs = loads(rows, at.steps);
    std::vector<interference> found;
    for (budget const& point : points) {
        options.threads = point.threads;
        options.multiprocessors = point.multiprocessors;
        options.launch_microseconds = point.launch_microseconds;
        std::unique_ptr<engine_process> const apart =
            point.apart ? std::make_unique<engine_process>(at.program, where, point) : nullptr;
        engine const by = apart ? apart->client() : engine(options);
        for (engine_load const& verb : verbs) {
            std::int64_t const batch = verb.rows_for_a_call(by, where);
            auto const call = [&] { verb.call(by, batch); };
            for (trainer_loop const& loop : loops) {
                interference row{.loop = loop.name,
                                 .loop_unit = loop.unit,
                                 .workload = verb.workload,
                                 .unit = verb.unit,
                                 .where = where,
                                 .of = point,
                                 .batch = batch,
                                 .engine_needs = verb.needs};
                if (!loop.ceiling.empty()) {
                    row.loop_needs = {{loop.ceiling, 1.0}};
                }
                for (int round = 0; round < rounds; ++round) {
                    row.rounds.push_back(measure_round(loop, call, batch, window, round % 2 == 1));
                }
                found.push_back(std::move(row));
                seen(found.back());
            }
        }
        expect(by.device_status().fallbacks == 0, "the GPU left calls to the CPU: " + by.device_status().last_reason);
        expect(!apart || apart->kept_its_device(), "the GPU left calls of the engine's own process to the CPU");
    }
    return found;
}

}  // namespace optgap::bench
