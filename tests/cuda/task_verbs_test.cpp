// The GPU gives the CPU's bytes: generate, verify, anchors and improve, over all tasks of the registry in one batch.

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/registry/registry.hpp"
#include "tests/support/cuda_device.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

/// Every task at several levels, in a shuffled order.
std::vector<generation> mixed_items(std::int64_t per_level) {
    std::vector<generation> items;
    for (std::size_t task = 0; task < registry().size(); ++task) {
        for (difficulty const level : {difficulty::ladder(0), difficulty::ladder(3), difficulty::easy(),
                                       difficulty::medium(), difficulty::hard(), difficulty::benchmark()}) {
            for (std::int64_t k = 0; k < per_level; ++k) {
                items.push_back({std::int32_t(task),
                                 level,
                                 {std::uint64_t(k) << 33 | std::uint64_t(k), 0x9e3779b9u + std::uint32_t(task)}});
            }
        }
    }
    std::shuffle(items.begin(), items.end(), std::mt19937_64(7));
    return items;
}

struct answered {
    instance_batch instances;
    csr_words answers;
    std::vector<std::int32_t> instance_of;
};

/// Anchors and spoiled answers for every instance; the rows of an instance do not stand together.
answered mixed_answers(executor& cpu, std::int64_t per_level, std::int64_t mutations) {
    answered all;
    all.instances = cpu.generate(mixed_items(per_level));
    std::vector<std::pair<std::int32_t, words>> rows;
    std::mt19937_64 random(11);
    for (std::int64_t i = 0; i < all.instances.size(); ++i) {
        for (words& answer :
             answers_for(all.instances.task[std::size_t(i)], all.instances.blocks.row(i), mutations, random)) {
            rows.emplace_back(std::int32_t(i), std::move(answer));
        }
    }
    std::shuffle(rows.begin(), rows.end(), random);
    for (auto const& [instance, answer] : rows) {
        all.instance_of.push_back(instance);
        all.answers.append(answer);
    }
    return all;
}

std::vector<verdict> verified(executor& on, answered const& all) {
    std::vector<verdict> out(std::size_t(all.answers.rows()));
    on.verify(all.instances.view(), all.answers.view(), all.instance_of.data(), out);
    return out;
}

class cuda_task_verbs : public on_cuda {};

TEST_F(cuda_task_verbs, generates_the_cpu_s_instances) {
    std::vector<generation> const items = mixed_items(20);
    instance_batch const here = cpu().generate(items);
    instance_batch const there = gpu().generate(items);
    EXPECT_EQ(there.task, here.task);
    EXPECT_EQ(there.blocks.offsets, here.blocks.offsets);
    for (std::int64_t r = 0; r < here.size(); ++r) {
        ASSERT_TRUE(std::ranges::equal(there.blocks.row(r), here.blocks.row(r)))
            << "row " << r << ", task " << registry()[std::size_t(items[std::size_t(r)].task)].name;
    }
}

TEST_F(cuda_task_verbs, generates_the_same_instances_with_little_memory_and_in_any_order) {
    std::vector<generation> items = mixed_items(20);
    instance_batch const whole = gpu().generate(items);
    EXPECT_EQ(gpu_with(tiny)->generate(items).blocks, whole.blocks);
    std::reverse(items.begin(), items.end());
    instance_batch const reversed = gpu().generate(items);
    for (std::int64_t r = 0; r < whole.size(); ++r) {
        ASSERT_TRUE(std::ranges::equal(reversed.blocks.row(whole.size() - 1 - r), whole.blocks.row(r))) << r;
    }
}

TEST_F(cuda_task_verbs, verifies_as_the_cpu_does) {
    answered const all = mixed_answers(cpu(), 2, 40);
    std::vector<verdict> const here = verified(cpu(), all);
    std::vector<verdict> const there = verified(gpu(), all);
    for (std::size_t r = 0; r < here.size(); ++r) {
        ASSERT_TRUE(there[r] == here[r])
            << registry()[std::size_t(all.instances.task[std::size_t(all.instance_of[r])])].name << " answer "
            << answer_text(all.answers.row(std::int64_t(r))) << ": code " << there[r].code << " for " << here[r].code
            << ", where " << there[r].where << " for " << here[r].where << ", objective " << there[r].objective
            << " for " << here[r].objective << ", violation " << there[r].violation << " for " << here[r].violation;
    }
}

TEST_F(cuda_task_verbs, verdicts_depend_neither_on_memory_nor_on_how_a_batch_is_cut) {
    answered const all = mixed_answers(cpu(), 2, 40);
    std::vector<verdict> const whole = verified(gpu(), all);
    EXPECT_EQ(verified(*gpu_with(tiny), all), whole);

    std::int64_t const cut = all.answers.rows() / 3;
    std::vector<verdict> parts(whole.size());
    csr_view first = all.answers.view();
    csr_view second = first;
    first.rows = cut;
    second.offsets += cut;
    second.rows -= cut;
    gpu().verify(all.instances.view(), first, all.instance_of.data(), std::span(parts).first(std::size_t(cut)));
    gpu().verify(all.instances.view(), second, all.instance_of.data() + cut,
                 std::span(parts).subspan(std::size_t(cut)));
    EXPECT_EQ(parts, whole);
}

TEST_F(cuda_task_verbs, gives_the_cpu_s_anchors) {
    instance_batch const instances = cpu().generate(mixed_items(8));
    for (anchor_policy const policy : {anchor_policy::floor, anchor_policy::greedy}) {
        csr_words const here = cpu().anchors(instances.view(), policy);
        csr_words const there = gpu().anchors(instances.view(), policy);
        EXPECT_EQ(gpu_with(tiny)->anchors(instances.view(), policy), there);
        for (std::int64_t r = 0; r < here.rows(); ++r) {
            ASSERT_TRUE(std::ranges::equal(there.row(r), here.row(r)))
                << registry()[std::size_t(instances.task[std::size_t(r)])].name
                << (policy == anchor_policy::greedy ? " greedy " : " floor ") << answer_text(there.row(r)) << " for "
                << answer_text(here.row(r));
        }
    }
}

TEST_F(cuda_task_verbs, improves_as_the_cpu_does) {
    answered const all = mixed_answers(cpu(), 3, 8);
    std::size_t const rows = std::size_t(all.answers.rows());
    draw const source{0x0123456789abcdefu, 77};
    for (std::int64_t const steps : {0, 1, 40}) {
        std::vector<improve_result> here(rows);
        std::vector<improve_result> there(rows);
        std::vector<improve_result> cramped(rows);
        csr_words const at_home =
            cpu().improve(all.instances.view(), all.answers.view(), all.instance_of.data(), steps, source, here);
        csr_words const abroad =
            gpu().improve(all.instances.view(), all.answers.view(), all.instance_of.data(), steps, source, there);
        for (std::size_t r = 0; r < rows; ++r) {
            ASSERT_TRUE(there[r] == here[r] &&
                        std::ranges::equal(abroad.row(std::int64_t(r)), at_home.row(std::int64_t(r))))
                << registry()[std::size_t(all.instances.task[std::size_t(all.instance_of[r])])].name << ", " << steps
                << " steps: objective " << there[r].objective << " for " << here[r].objective << ", moves "
                << there[r].moves << " for " << here[r].moves << ", evaluations " << there[r].evaluations << " for "
                << here[r].evaluations;
        }
        EXPECT_EQ(gpu_with(tiny)->improve(all.instances.view(), all.answers.view(), all.instance_of.data(), steps,
                                          source, cramped),
                  abroad);
        EXPECT_EQ(cramped, there);
    }
}

TEST_F(cuda_task_verbs, searches_cut_after_any_step_end_in_the_same_bytes) {
    answered const all = mixed_answers(cpu(), 1, 4);
    draw const source{77, 5};
    std::int64_t const steps = 60;
    std::vector<improve_result> here(std::size_t(all.answers.rows()));
    csr_words const at_home =
        cpu().improve(all.instances.view(), all.answers.view(), all.instance_of.data(), steps, source, here);
    for (double const seconds : {1e-9, 20e-6, 200e-6}) {
        std::unique_ptr<executor> const hasty = gpu_with(roomy, seconds);
        for (int call = 0; call < 2; ++call) {
            std::vector<improve_result> there(here.size());
            EXPECT_EQ(
                hasty->improve(all.instances.view(), all.answers.view(), all.instance_of.data(), steps, source, there),
                at_home)
                << seconds;
            EXPECT_EQ(there, here) << seconds;
        }
    }
}

TEST_F(cuda_task_verbs, large_instances_whose_scratch_leaves_shared_memory_agree_too) {
    std::vector<generation> items;
    for (std::size_t task = 0; task < registry().size(); ++task) {
        items.push_back({std::int32_t(task), difficulty::ladder(100), {5, 6}});
    }
    instance_batch const here = cpu().generate(items);
    EXPECT_EQ(gpu().generate(items).blocks, here.blocks);
    csr_words const floors = cpu().anchors(here.view(), anchor_policy::floor);
    EXPECT_EQ(gpu().anchors(here.view(), anchor_policy::floor), floors);
    csr_words const greedy = cpu().anchors(here.view(), anchor_policy::greedy);
    EXPECT_EQ(gpu().anchors(here.view(), anchor_policy::greedy), greedy);
    EXPECT_EQ(gpu_with(std::int64_t(1) << 20)->anchors(here.view(), anchor_policy::greedy), greedy);
    answered all{here, floors, std::vector<std::int32_t>(std::size_t(floors.rows()))};
    std::iota(all.instance_of.begin(), all.instance_of.end(), 0);
    EXPECT_EQ(verified(gpu(), all), verified(cpu(), all));
}

TEST_F(cuda_task_verbs, empty_batches_are_empty) {
    EXPECT_EQ(gpu().generate({}).size(), 0);
    instance_batch const none;
    EXPECT_EQ(gpu().anchors(none.view(), anchor_policy::greedy).rows(), 0);
    gpu().verify(none.view(), csr_words{}.view(), nullptr, {});
}

TEST_F(cuda_task_verbs, a_row_larger_than_the_memory_limit_is_an_error_and_the_next_call_works) {
    std::unique_ptr<executor> const small = gpu_with(64 << 10);
    instance_batch const large = cpu().generate(std::vector<generation>{{0, difficulty::ladder(100'000), {1, 2}}});
    instance_batch const little = cpu().generate(std::vector<generation>{{0, difficulty::ladder(0), {1, 2}}});
    try {
        static_cast<void>(small->anchors(large.view(), anchor_policy::greedy));
        FAIL() << large.blocks.words.size() << " words fitted into 64 KiB";
    } catch (error const& failure) {
        EXPECT_EQ(failure.code(), status::out_of_memory) << failure.what();
    }
    EXPECT_EQ(small->anchors(little.view(), anchor_policy::greedy),
              cpu().anchors(little.view(), anchor_policy::greedy));
}

TEST_F(cuda_task_verbs, device_memory_as_input_is_refused_by_name) {
    instance_batch const one = cpu().generate(std::vector<generation>{{0, difficulty::ladder(0), {1, 2}}});
    instance_view view = one.view();
    view.blocks.space = memory::device;
    try {
        static_cast<void>(gpu().anchors(view, anchor_policy::greedy));
        FAIL();
    } catch (error const& failure) {
        EXPECT_EQ(failure.code(), status::invalid_argument);
    }
}

TEST(cuda_executor, names_its_device_or_says_why_there_is_none) {
    std::string why;
    cuda_options options{.memory_limit = 1 << 20};
    std::unique_ptr<executor> const gpu = make_cuda_executor(options, why);
    if (gpu) {
        EXPECT_EQ(gpu->describe().rfind("cuda: ", 0), 0u) << gpu->describe();
    } else {
        EXPECT_GT(why.size(), 20u) << why;
    }
}

}  // namespace
}  // namespace optgap::testing
