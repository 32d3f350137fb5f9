// The daemon: the cost of a round trip, of a step through it, and of baselines that several clients request.

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "bench/bench.hpp"
#include "bench/rollouts.hpp"
#include "optgap/server.hpp"

namespace optgap::bench {

namespace {

constexpr int node_clients = 8;

/// A daemon of this process on the CPU, and its clients.
class node {
public:
    explicit node(std::int32_t threads)
        : path_("/tmp/optgap-bench-" + std::to_string(::getpid()) + ".sock"),
          daemon_({.path = path_, .engine = {.where = device::cpu, .threads = threads}, .take_all = true}),
          thread_([this] { daemon_.run(); }) {}
    ~node() {
        daemon_.stop();
        thread_.join();
        ::unlink((path_ + ".lock").c_str());
    }
    node(node const&) = delete;
    node& operator=(node const&) = delete;

    /// Makes a client that throws instead of computing in this process.
    [[nodiscard]] engine client() const {
        return engine({.where = device::cpu, .threads = 1, .on_fallback = fallback::error, .server = path_});
    }

private:
    std::string path_;
    server daemon_;
    std::thread thread_;
};

measurement start(setting const& at, char const* workload, char const* unit, double items) {
    measurement made;
    made.workload = workload;
    made.task = name_of_tasks(at, "mixed");
    made.level = level_name(at.level);
    made.unit = unit;
    made.batch = std::int64_t(items);
    made.items = items;
    return made;
}

}  // namespace

/// One row's score, there and back. The stage `home` is the same call without a daemon.
measurement bench_serve_1(setting const& at) {
    node const here(1);
    engine const client = here.client();
    engine const home({.where = device::cpu, .threads = 1, .server = "off"});
    step const made = make_step(home, at.level, 1, 500, at.tasks);
    grade_request request = made.request();
    request.texts = request.texts.first(1);
    request.instance_of = request.instance_of.first(1);
    grade_batch into;
    expect(client.score(request).rows == home.score(request).rows, "the daemon's row");
    constexpr int calls = 200;
    measurement result = start(at, "serve_1", "calls", calls);
    result.batch = 1;
    std::vector<double> alone;
    result.seconds = sample(at.seconds, [&] {
        for (int k = 0; k < calls; ++k) {
            result.latencies.push_back(seconds_of([&] { client.grade(request, into); }));
            alone.push_back(seconds_of([&] { home.grade(request, into); }));
        }
    });
    result.stages = {{"served", quantile(result.latencies, 0.5)}, {"home", quantile(alone, 0.5)}};
    return result;
}

/// A step's texts through the daemon; the stage `home` is the same call without one.
measurement bench_serve_step(setting const& at) {
    node const here(at.by.threads());
    engine const client = here.client();
    engine const home({.where = device::cpu, .threads = at.by.threads(), .server = "off"});
    step const made =
        make_step(home, at.level, at.batch > 0 ? at.batch / group_size : step_groups, at.text_bytes, at.tasks);
    grade_request const request = made.request();
    expect(client.score(request).rows == home.score(request).rows, "the daemon's rows");
    measurement result = start(at, "serve_step", "rollouts", double(made.views.size()));
    std::vector<double> alone;
    grade_batch into;
    result.seconds = sample(at.seconds, [&] { client.grade(request, into); });
    sample(at.seconds, [&] { alone.push_back(seconds_of([&] { home.grade(request, into); })); });
    result.stages = {{"served", quantile(result.seconds, 0.5)}, {"home", quantile(alone, 0.5)}};
    return result;
}

/// Eight clients that request the same baselines at once. The stage `home` is eight clients that each prove them.
measurement bench_serve_solve(setting const& at) {
    engine const home({.where = device::cpu, .threads = at.by.threads(), .server = "off"});
    step const made = make_step(home, at.level, at.batch > 0 ? at.batch : step_groups, 0, at.tasks);
    std::vector<baseline> const expected = home.solve(made.instances.view()).rows;
    auto const by_all = [&](std::function<engine()> const& client) {
        std::vector<std::thread> threads;
        std::vector<std::vector<baseline>> found(node_clients);
        for (int c = 0; c < node_clients; ++c) {
            threads.emplace_back([&, c] { found[std::size_t(c)] = client().solve(made.instances.view()).rows; });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        for (std::vector<baseline> const& rows : found) {
            expect(rows == expected, "a client's baselines");
        }
    };
    measurement result = start(at, "serve_solve", "baselines", double(node_clients) * double(expected.size()));
    std::vector<double> alone, known;
    for (int k = 0; k < 5; ++k) {
        node const here(at.by.threads());
        result.seconds.push_back(seconds_of([&] { by_all([&] { return here.client(); }); }));
        known.push_back(seconds_of([&] { by_all([&] { return here.client(); }); }));
        alone.push_back(seconds_of([&] {
            by_all([&] { return engine({.where = device::cpu, .threads = at.by.threads(), .server = "off"}); });
        }));
    }
    result.stages = {
        {"served", quantile(result.seconds, 0.5)}, {"known", quantile(known, 0.5)}, {"home", quantile(alone, 0.5)}};
    return result;
}

}  // namespace optgap::bench
