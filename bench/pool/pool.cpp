// A pool of co-evolution: the cost of ending a step when the pool is large, and of weighing, drawing and opening it.

#include "host/pool/pool.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include <filesystem>
#include <memory>
#include <string>

#include "bench/bench.hpp"
#include "kernels/core/rng.hpp"

namespace optgap::bench {
namespace {

constexpr std::int64_t pool_entries = 20'000, pool_fill = 10'000, pool_step = 128, pool_draws = 100'000;

/// A folder that is removed when the measurement ends.
class scratch_pool {
public:
    scratch_pool()
        : folder_(std::filesystem::temp_directory_path() / ("optgap-bench-pool-" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(folder_);
    }
    ~scratch_pool() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    scratch_pool(scratch_pool const&) = delete;
    scratch_pool& operator=(scratch_pool const&) = delete;
    [[nodiscard]] std::string path() const { return (folder_ / "pool.db").string(); }

private:
    std::filesystem::path folder_;
};

/// Entries as large as tsp's with five cities, each a different problem. A pool does not read their words.
std::vector<pool::entry> made_entries(std::int64_t first, std::int64_t count) {
    std::vector<pool::entry> out(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        pool::entry& one = out[std::size_t(i)];
        philox_block const words = philox(7, std::uint32_t(first + i), 0, 0, 0);
        one.task = "tsp";
        one.canonical = {std::uint64_t(words.word[0]) << 32 | words.word[1],
                         std::uint64_t(words.word[2]) << 32 | words.word[3]};
        for (std::int32_t k = 0; k < 26; ++k) {
            one.words.push_back(std::int32_t(words.word[k % 4] >> k) % 100);
        }
        one.objective = one.greedy = one.floor = 188;
        one.answer = {-1, 0, 1, 2, 3, 4};
        one.steps = 14;
        one.budget = 1'000'000;
    }
    return out;
}

/// One rank's part of the step: `count` entries, and four rollouts of each of `observed` old ones.
pool::delta part_of(pool::pool const& of, std::int64_t first, std::int64_t count, std::int64_t observed) {
    pool::part one{{of.step(), 0, 0}, of.hash(), made_entries(first, count), {}};
    for (std::int64_t i = 0; i < observed; ++i) {
        for (std::int64_t k = 0; k < 4; ++k) {
            one.outcomes.push_back(pool::outcome_of(i * 7919 % of.entries(), k % 2 == 0, k * pool::whole_quality / 4));
        }
    }
    pool::delta out;
    out.add(std::move(one));
    return out;
}

}  // namespace

measurement bench_pool(setting const& at) {
    std::int64_t const wanted = at.batch > 0 ? at.batch : pool_entries;
    measurement made;
    made.workload = "pool";
    made.task = "any";
    made.level = "-";
    made.unit = "entries of a step of 128, with 512 rollouts";
    made.batch = wanted;
    made.items = double(pool_step);
    scratch_pool const scratch;
    pool::file::make(scratch.path(), {});
    auto open = std::make_unique<pool::pool>(scratch.path(), true);
    for (std::int64_t next = 0; next < wanted; next += pool_fill) {
        open->end_step(part_of(*open, next, std::min(pool_fill, wanted - next), 0));
    }
    expect(open->entries() == wanted, "pool: an entry is missing");

    std::int64_t next = wanted;
    pool::delta parts;
    made.seconds = sample(at.seconds, [&] {
        // Made outside of the measured time in training, but only a small part of it here.
        parts = part_of(*open, next, pool_step, pool_step);
        next += pool_step;
        open->end_step(parts);
    });
    std::vector<double> const parting =
        sample(at.seconds / 8, [&] { parts = part_of(*open, next, pool_step, pool_step); });
    std::vector<std::uint64_t> weights;
    std::vector<double> const weighing = sample(at.seconds / 4, [&] { weights = open->weights(pool::policy::signal); });
    pool::drawer const drawer(1, open->step(), weights);
    std::int64_t drawn = 0;
    std::vector<double> const drawing = sample(at.seconds / 4, [&] {
        for (std::int64_t i = 0; i < pool_draws; ++i) {
            drawn += drawer.draw(i).place;
        }
    });
    expect(drawn > 0, "pool: every draw is of the first entry");
    std::string const hash = hex32(open->hash());
    open.reset();
    auto const before = std::chrono::steady_clock::now();
    open = std::make_unique<pool::pool>(scratch.path());  // once, since a million entries take seconds
    double const opening = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    expect(hex32(open->hash()) == hash, "pool: a file that is read again has another hash");

    made.stages = {{"step", quantile(made.seconds, 0.5)},
                   {"step p90", quantile(made.seconds, 0.9)},
                   {"part", quantile(parting, 0.5)},
                   {"weights", quantile(weighing, 0.5)},
                   {"draw", quantile(drawing, 0.5) / double(pool_draws)},
                   {"open", opening}};
    return made;
}

}  // namespace optgap::bench
