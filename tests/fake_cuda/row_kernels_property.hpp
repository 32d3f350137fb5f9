#pragma once
// The property test of a task's row kernels, lane by lane on host threads: they give the CPU executor's bytes, and
// write nothing after a row's scratch. row_kernels.cpp.in tests each task in a unit of its own.

#include "tests/fake_cuda/fake_device_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "host/cpu/cpu_pool.hpp"
#include "host/executor/call_rows.hpp"
#include "host/executor/executor.hpp"
#include "kernels/launch/cuda_team.cuh"
#include "kernels/launch/row_kernels.cuh"
#include "kernels/registry/registry.hpp"

OPTGAP_KERNELS_BEGIN
/// The dynamic shared memory of the one block that runs at a time, defined in device_code_test.cpp.
extern std::int32_t shared_scratch[1 << 16];
OPTGAP_KERNELS_END

namespace optgap::testing {

/// Words after each team's scratch that no kernel may write. On a GPU the next warp's row begins there.
inline constexpr std::int64_t fence_words = 512;
inline constexpr std::int32_t fence = 0x5C7A7C4D;

/// The distance from one team's scratch to the next one's.
inline std::int64_t words_apart(std::int64_t scratch_words) { return (scratch_words + 15) / 16 * 16 + fence_words; }

/// Whether two warps' scratch fits into shared_scratch.
inline bool fits_shared(std::int64_t scratch_words) {
    return 2 * words_apart(scratch_words) <= std::int64_t(std::size(shared_scratch));
}

template <class Batch>
using row_kernel_of = void (*)(shared_rows, scratch_space, Batch);

/// The number of threads where a block takes a row.
inline constexpr int block_threads = 64;

/// Runs one row kernel over rows 0 … count-1 with two warps, which take half of them each, or as one block, which takes
/// all.
template <class Batch>
void launch(row_kernel_of<Batch> kernel, std::int64_t count, std::int64_t scratch_words, Batch const& batch,
            bool global_scratch = false, std::int32_t teams = 2) {
    std::vector<std::int32_t> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), 0);
    std::int64_t const words = words_apart(scratch_words);
    std::vector<std::int32_t> global;
    scratch_space scratch{nullptr, words};
    std::span<std::int32_t> all = shared_scratch;
    if (!fits_shared(scratch_words) || global_scratch) {
        global.resize(std::size_t(2 * words));
        scratch.global = global.data();
        all = global;
    }
    std::fill(all.begin(), all.end(), fence);
    launch_clock clock;
    std::int32_t const rows_a_team = std::int32_t(count + teams - 1) / teams;
    fake::run_block(block_threads / 32, [&] {
        kernel({rows.data(), std::int32_t(count), rows_a_team, &clock, 0}, scratch, batch);
    });
    EXPECT_GT(clock.begin, 0);
    EXPECT_GT(clock.end, clock.begin);
    // The beginning of a block's shared memory belongs to its team's collectives.
    std::int64_t const begin =
        teams == 1 && scratch.global == nullptr ? launch_policy::collective_bytes(block_threads) / 4 : 0;
    for (std::int32_t team = 0; team < teams; ++team) {
        auto const behind = all.subspan(std::size_t(begin + team * words + scratch_words), fence_words);
        EXPECT_TRUE(std::ranges::all_of(behind, [](std::int32_t word) { return word == fence; }))
            << "behind the scratch of team " << team;
    }
}

/// Runs a kernel that is compiled for each place of its scratch.
template <class Batch>
void launch_in(scratch_in place, row_kernel_of<Batch> by_shared, row_kernel_of<Batch> by_global, std::int64_t count,
               std::int64_t scratch_words, Batch const& batch) {
    bool const global = place == scratch_in::global || !fits_shared(scratch_words);
    launch(global ? by_global : by_shared, count, scratch_words, batch, global);
}

/// Runs a kernel over rows in a longer list. The kernel itself reads where they begin and end. Its teams share them, in
/// launches of two teams each; there may be more teams than rows. The other entries of the list must not be used.
template <class Task>
void check_rows_found(verify_batch const& batch, std::int64_t count, std::int64_t scratch_words,
                      std::vector<verdict> const& expected) {
    std::vector<std::int32_t> list(std::size_t(count) + 5, INT32_MIN);
    std::iota(list.begin() + 3, list.end() - 2, 0);
    row_bounds const bounds{3, std::int32_t(count) + 3};
    scratch_space const scratch{nullptr, words_apart(scratch_words)};
    for (std::int32_t const teams : {2, 6, std::int32_t(count) + 3}) {
        std::fill_n(batch.out, count, verdict{});
        for (std::int32_t first = 0; first < teams; first += 2) {
            fake::run_block(2, [&] {
                verify_kernel<Task, scratch_in::shared>({list.data(), 0, 1, nullptr, 0, &bounds, teams, first}, scratch,
                                                        batch);
            });
        }
        EXPECT_EQ(std::vector(batch.out, batch.out + count), expected) << teams << " teams";
    }
    row_bounds const none{};
    verdict const kept = batch.out[0];
    batch.out[0] = {};
    fake::run_block(2, [&] {
        verify_kernel<Task, scratch_in::shared>({list.data(), 0, 1, nullptr, 0, &none, 2, 0}, scratch, batch);
    });
    EXPECT_EQ(std::exchange(batch.out[0], kept), verdict{}) << "a task without rows";
}

/// Checks two instances of each level.
template <class Task>
void check_row_kernels(std::int32_t task, std::vector<difficulty> const& levels) {
    cpu_pool pool(1);
    std::unique_ptr<executor> const cpu = make_cpu_executor(pool);
    std::vector<instance_spec> specs;
    for (difficulty const level : levels) {
        for (std::uint64_t seed = 0; seed < 2; ++seed) {
            specs.push_back({task, level, split::train, seed});
        }
    }
    std::int64_t const count = std::int64_t(specs.size());
    instance_batch const instances = cpu->run(generate_call{specs});

    std::vector<generated_item> described;
    for (generation const& item : sources_of(specs, version_on_host)) {
        described.push_back({item.source, item.level});
    }
    std::int64_t generate_scratch = 0;
    for (std::size_t r = 0; r < specs.size(); ++r) {
        generate_scratch =
            std::max(generate_scratch, Task::generate_scratch_words(described[r].source, described[r].level));
    }
    std::vector<std::int32_t> words(instances.blocks.words.size(), -77);
    for (scratch_in const place : {scratch_in::shared, scratch_in::global}) {
        std::fill(words.begin(), words.end(), -77);
        launch_in(place, generate_kernel<Task, scratch_in::shared>, generate_kernel<Task, scratch_in::global>, count,
                  generate_scratch, generate_batch{described.data(), instances.blocks.offsets.data(), 0, words.data()});
        EXPECT_EQ(words, instances.blocks.words);
    }

    device_rows const blocks{instances.blocks.words.data(), instances.blocks.offsets.data(), 0};
    std::int64_t scratch = 0;
    std::vector<std::int64_t> offsets{0};
    for (std::int64_t r = 0; r < count; ++r) {
        scratch = std::max({scratch, Task::scratch_words(blocks[r]), improve_scratch_words<Task>(blocks[r])});
        offsets.push_back(offsets.back() + Task::answer_words(blocks[r]));
    }
    csr_words answers;
    std::vector<std::int32_t> instance_of;
    for (bool const greedy : {false, true}) {
        csr_words const expected =
            greedy ? cpu->run(greedy_call{instances.view()}) : cpu->run(floor_call{instances.view()});
        std::vector<std::int32_t> written(std::size_t(offsets.back()), -77);
        std::vector<std::int64_t> written_words(specs.size());
        anchor_batch const batch{blocks, offsets.data(), written.data(), written_words.data()};
        if (greedy) {
            launch_in(scratch_in::global, greedy_kernel<Task, scratch_in::shared>,
                      greedy_kernel<Task, scratch_in::global>, count, scratch, batch);
        } else {
            launch_in(scratch_in::shared, floor_kernel<Task, scratch_in::shared>,
                      floor_kernel<Task, scratch_in::global>, count, scratch, batch);
        }
        for (std::int64_t r = 0; r < count; ++r) {
            auto const first = written.begin() + offsets[std::size_t(r)];
            EXPECT_TRUE(std::ranges::equal(expected.row(r), std::span(first, first + written_words[std::size_t(r)])))
                << r;
            answers.append(expected.row(r));
            std::vector<std::int32_t> spoiled(expected.row(r).begin(), expected.row(r).end());
            spoiled.push_back(spoiled.size() > 1 ? spoiled[1] : 0);
            answers.append(spoiled);
            instance_of.insert(instance_of.end(), 2, std::int32_t(r));
        }
    }

    answer_rows const rows{blocks, {answers.words.data(), answers.offsets.data(), 0}, instance_of.data()};
    std::vector<verdict> verdicts(instance_of.size());
    launch_in(scratch_in::global, verify_kernel<Task, scratch_in::shared>, verify_kernel<Task, scratch_in::global>,
              answers.rows(), scratch, verify_batch{rows, verdicts.data()});
    EXPECT_EQ(verdicts, cpu->run(verify_call{instances.view(), answers.view(), instance_of}));
    if (fits_shared(scratch)) {
        check_rows_found<Task>({rows, verdicts.data()}, answers.rows(), scratch, std::vector(verdicts));
    }

    std::int64_t const steps = 3;
    improve_call const search{instances.view(), answers.view(), instance_of, steps, 4};
    improved_batch const expected = cpu->run(search);
    std::vector<improve_result> results(instance_of.size());
    offsets = {0};
    for (std::int64_t r = 0; r < answers.rows(); ++r) {
        offsets.push_back(offsets.back() + std::max(Task::answer_words(blocks[instance_of[std::size_t(r)]]),
                                                    std::int64_t(answers.row(r).size())));
    }
    std::vector<std::int64_t> state_offsets{0};
    for (std::int32_t const i : instance_of) {
        state_offsets.push_back(state_offsets.back() + (Task::improve_state_words(blocks[i]) + 15) / 16 * 16);
    }
    std::vector<std::int32_t> state(std::size_t(state_offsets.back()) + 1, -77);
    using cut_list = std::vector<std::int64_t>;
    for (auto const& [block, cuts] : {std::pair(false, cut_list{steps}), std::pair(false, cut_list{1, 2, steps}),
                                      std::pair(true, cut_list{2, steps})}) {
        if (!block && !fits_shared(scratch)) {
            continue;  // plan_search gives such a row to a block
        }
        std::vector<std::int32_t> improved(std::size_t(offsets.back()), -77);
        improve_batch batch{
            rows, offsets.data(),   improved.data(), results.data(), state_offsets.data(), state.data(), 0,
            0,    source_of(search)};
        for (std::int64_t const cut : cuts) {
            batch.begin = batch.end;
            batch.end = cut;
            bool const global = block && (cut == steps || !fits_shared(scratch));
            launch(!block   ? improve_kernel<Task>
                   : global ? improve_block_kernel<Task, block_threads, scratch_in::global>
                            : improve_block_kernel<Task, block_threads, scratch_in::shared>,
                   answers.rows(), scratch, batch, global, block ? 1 : 2);
        }
        std::int64_t evaluations = 0;
        for (std::int64_t r = 0; r < answers.rows(); ++r) {
            improve_result const& result = results[std::size_t(r)];
            auto const first = improved.begin() + offsets[std::size_t(r)];
            evaluations += result.evaluations;
            EXPECT_EQ(result.start_objective, expected.start_objective[std::size_t(r)]) << r;
            EXPECT_EQ(result.objective, expected.objective[std::size_t(r)]) << r;
            EXPECT_EQ(result.moves, expected.moves[std::size_t(r)]) << r;
            EXPECT_TRUE(std::ranges::equal(expected.answers.row(r), std::span(first, first + result.answer_words)))
                << r << (block ? " by a block, " : " by a warp, ") << cuts.size() << " slices";
        }
        EXPECT_EQ(evaluations, expected.evaluations);
    }
}

/// The task's index in the registry.
inline std::int32_t index_of(std::string_view name) {
    for (std::size_t t = 0; t < registry().size(); ++t) {
        if (registry()[t].name == name) {
            return std::int32_t(t);
        }
    }
    return -1;
}

}  // namespace optgap::testing
