// The driver must load no kernel of CUB while a trainer waits or captures a graph, at any number of rows. Each test
// begins like a new process.

#include <algorithm>
#include <numeric>
#include <string>

#include "host/executor/executor.hpp"
#include "kernels/launch/library_rows.hpp"
#include "tests/fake_cuda/fake_runtime.hpp"
#include "tests/resident/device_columns.hpp"

namespace optgap::testing {
namespace {

constexpr std::int64_t row_counts[] = {1, 2, max_rows_of_one_block, max_rows_of_one_block + 1, 6144, 20'000};

class library_loads : public resident_columns {
protected:
    void SetUp() override {
        resident_columns::SetUp();
        fake::forget_kernels();
        fake::forget_calls();
    }
    static void expect_none(std::string const& when) {
        EXPECT_EQ(fake::library_loads(), 0) << when;
        fake::forget_calls();
    }
};

TEST_F(library_loads, the_stand_in_counts_each_kernel_once) {
    fake::cub_sort const sort{};
    char const kernel = 0;
    auto const loads_of = [&](std::int64_t rows) {
        fake::forget_calls();
        EXPECT_EQ(fake::launch_by_cub(&kernel, sort.kernels(rows), nullptr, [](fake::touches&) {}), cudaSuccess);
        return fake::library_loads();
    };
    EXPECT_EQ(loads_of(2), 1);
    EXPECT_EQ(loads_of(max_rows_of_one_block), 0);
    EXPECT_EQ(loads_of(max_rows_of_one_block + 1), 3);
    EXPECT_EQ(loads_of(1'000'000), 0);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    fake::forget_kernels();
    EXPECT_EQ(loads_of(2), 1);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    fake::forget_kernels();
}

TEST_F(library_loads, advantages_of_an_engine_load_nothing) {
    for (std::int64_t const memory : {smallest_memory_limit, std::int64_t(1) << 20}) {
        fake::forget_kernels();
        std::string why;
        cuda_options options{.memory_limit = memory};
        std::unique_ptr<executor> const gpu = make_cuda_executor(options, why);
        ASSERT_TRUE(gpu) << why;
        EXPECT_GT(fake::library_loads(), 0) << "its making runs them";
        fake::forget_calls();
        for (std::int64_t const rows : row_counts) {
            std::vector<float> const rewards(static_cast<std::size_t>(rows), 1.0f);
            std::vector<std::int32_t> group(rewards.size());
            std::iota(group.begin(), group.end(), 0);
            std::vector<float> out(rewards.size());
            gpu->run(advantages_call{rewards, group, group_rule{}, out});
            expect_none(std::to_string(rows) + " rows in " + std::to_string(memory) + " bytes");
        }
    }
}

/// The engine is the smallest. What ran when it was made is not enough for the store.
TEST_F(library_loads, verbs_of_a_store_load_nothing) {
    engine const by({.where = device::cuda, .threads = 1, .device_memory = smallest_memory_limit});
    instance_batch const instances = small_instances(by.task_index("subset_sum"), 2);
    csr_words const greedy = cpu_engine().greedy(instances.view());
    for (std::int64_t const memory : {std::int64_t(1) << 20, roomy}) {
        fake::forget_kernels();
        device_store store(by, {.memory = memory});
        device_set const set = store.keep(instances.view());
        EXPECT_GT(fake::library_loads(), 0) << "its making runs them";
        own_stream const mine;
        for (std::int64_t const rows : row_counts) {
            std::string const when = std::to_string(rows) + " rows in " + std::to_string(memory) + " bytes";
            answered all;
            for (std::int64_t r = 0; r < rows; ++r) {
                all.instance_of.push_back(std::int32_t(r % 2));
                all.answers.append(greedy.row(r % 2));
            }
            answers_there const there(all, mine.get());
            device_column<verdict> const verdicts(all.instance_of.size());
            fake::forget_calls();
            store.verify(set, there.view, verdicts.get(), mine.get());
            expect_none("verify, " + when);
            std::vector<float> const rewards(all.instance_of.size(), 1.0f);
            device_column<float> const given(rewards, mine.get()), out(rewards.size());
            std::int64_t const grouped = std::min<std::int64_t>(rows, memory == roomy ? rows : 6000);
            store.advantages({given.get(), there.instance_of.get(), grouped}, {}, out.get(), mine.get());
            expect_none("advantages, " + when);
            std::int64_t const room = set.answer_words();
            device_column<std::int32_t> const words(std::size_t(rows * room));
            device_column<std::int64_t> const offsets(all.instance_of.size() + 1);
            device_column<search_row> const found(all.instance_of.size());
            store.improve(set, there.view, 1, 1, {words.get(), rows * room, offsets.get(), found.get()}, mine.get());
            expect_none("improve, " + when);
            EXPECT_EQ(cudaStreamSynchronize(mine.get()), cudaSuccess);
        }
        store.wait();
    }
}

}  // namespace
}  // namespace optgap::testing
