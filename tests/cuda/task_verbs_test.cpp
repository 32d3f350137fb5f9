// The GPU gives the CPU's bytes: generate, verify, greedy, floor and improve, over all tasks of the registry in one
// batch.

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/registry/registry.hpp"
#include "tests/support/cuda_device.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

/// Every task at several levels, in a shuffled order.
std::vector<instance_spec> mixed_specs(std::int64_t per_level) {
    std::vector<instance_spec> specs;
    for (std::size_t task = 0; task < registry().size(); ++task) {
        for (difficulty const level : {difficulty::scale(0), difficulty::scale(3), difficulty::easy(),
                                       difficulty::medium(), difficulty::hard(), difficulty::benchmark()}) {
            for (std::int64_t k = 0; k < per_level; ++k) {
                specs.push_back({std::int32_t(task), level, split::train, std::uint64_t(k) << 33 | std::uint64_t(k)});
            }
        }
    }
    std::shuffle(specs.begin(), specs.end(), std::mt19937_64(7));
    return specs;
}

// A search that is cut after every step writes its answer as often. The property tests of large instances have longer
// ones.
constexpr std::size_t longest_answer = 4096;  ///< words

struct answered_levels {
    instance_batch instances;
    csr_words answers;
    std::vector<std::int32_t> instance_of;
};

/// Anchors and spoiled answers for every instance. The rows of an instance are not adjacent.
answered_levels answered_batch(executor& cpu, std::int64_t per_level, std::int64_t mutations) {
    answered_levels all;
    all.instances = cpu.run(generate_call{mixed_specs(per_level)});
    std::mt19937_64 random(11);
    mixed_answers made = mixed_answers_for(all.instances, mutations, longest_answer, random);
    all.answers = std::move(made.rows);
    all.instance_of = std::move(made.instance_of);
    return all;
}

std::vector<verdict> verified(executor& on, answered_levels const& all) {
    return on.run(verify_call{all.instances.view(), all.answers.view(), all.instance_of});
}

class cuda_task_verbs : public on_cuda {};

TEST_F(cuda_task_verbs, generates_the_cpu_s_instances) {
    std::vector<instance_spec> const specs = mixed_specs(20);
    instance_batch const here = cpu().run(generate_call{specs});
    instance_batch const there = gpu().run(generate_call{specs});
    EXPECT_EQ(there.task, here.task);
    EXPECT_EQ(there.blocks.offsets, here.blocks.offsets);
    for (std::int64_t r = 0; r < here.size(); ++r) {
        ASSERT_TRUE(std::ranges::equal(there.blocks.row(r), here.blocks.row(r)))
            << "row " << r << ", task " << registry()[std::size_t(specs[std::size_t(r)].task)].name;
    }
}

TEST_F(cuda_task_verbs, generates_the_same_instances_with_little_memory_and_in_any_order) {
    std::vector<instance_spec> specs = mixed_specs(20);
    instance_batch const whole = gpu().run(generate_call{specs});
    EXPECT_EQ(gpu_with(little)->run(generate_call{specs}).blocks, whole.blocks);
    std::reverse(specs.begin(), specs.end());
    instance_batch const reversed = gpu().run(generate_call{specs});
    for (std::int64_t r = 0; r < whole.size(); ++r) {
        ASSERT_TRUE(std::ranges::equal(reversed.blocks.row(whole.size() - 1 - r), whole.blocks.row(r))) << r;
    }
}

TEST_F(cuda_task_verbs, verifies_as_the_cpu_does) {
    answered_levels const all = answered_batch(cpu(), repeats(2), 40);
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
    answered_levels const all = answered_batch(cpu(), repeats(2), 40);
    std::vector<verdict> const whole = verified(gpu(), all);
    EXPECT_EQ(verified(*gpu_with(little), all), whole);

    std::int64_t const cut = all.answers.rows() / 3;
    csr_view first = all.answers.view();
    csr_view second = first;
    first.rows = cut;
    second.offsets += cut;
    second.rows -= cut;
    std::span<std::int32_t const> const of(all.instance_of);
    std::vector<verdict> parts = gpu().run(verify_call{all.instances.view(), first, of.first(std::size_t(cut))});
    std::vector<verdict> const rest =
        gpu().run(verify_call{all.instances.view(), second, of.subspan(std::size_t(cut))});
    parts.insert(parts.end(), rest.begin(), rest.end());
    EXPECT_EQ(parts, whole);
}

template <class Call>
void expect_the_cpu_s_answers(executor& cpu, executor& gpu, executor& cramped, instance_batch const& instances) {
    Call const call{instances.view()};
    csr_words const here = cpu.run(call);
    csr_words const there = gpu.run(call);
    EXPECT_EQ(cramped.run(call), there);
    for (std::int64_t r = 0; r < here.rows(); ++r) {
        ASSERT_TRUE(std::ranges::equal(there.row(r), here.row(r)))
            << registry()[std::size_t(instances.task[std::size_t(r)])].name << ' '
            << verb_names[std::size_t(Call::which)] << ' ' << answer_text(there.row(r)) << " for "
            << answer_text(here.row(r));
    }
}

TEST_F(cuda_task_verbs, gives_the_cpu_s_anchors) {
    instance_batch const instances = cpu().run(generate_call{mixed_specs(8)});
    std::unique_ptr<executor> const cramped = gpu_with(little);
    expect_the_cpu_s_answers<floor_call>(cpu(), gpu(), *cramped, instances);
    expect_the_cpu_s_answers<greedy_call>(cpu(), gpu(), *cramped, instances);
}

void expect_same(improved_batch const& there, improved_batch const& here, answered_levels const& all,
                 std::int64_t steps) {
    for (std::size_t r = 0; r < here.objective.size(); ++r) {
        ASSERT_TRUE(there.start_objective[r] == here.start_objective[r] && there.objective[r] == here.objective[r] &&
                    there.moves[r] == here.moves[r] &&
                    std::ranges::equal(there.answers.row(std::int64_t(r)), here.answers.row(std::int64_t(r))))
            << registry()[std::size_t(all.instances.task[std::size_t(all.instance_of[r])])].name << ", " << steps
            << " steps: objective " << there.objective[r] << " for " << here.objective[r] << ", moves "
            << there.moves[r] << " for " << here.moves[r];
    }
    EXPECT_EQ(there.evaluations, here.evaluations) << steps << " steps";
}

TEST_F(cuda_task_verbs, improves_as_the_cpu_does) {
    answered_levels const all = answered_batch(cpu(), repeats(3), 8);
    for (std::int64_t const steps : {0, 1, 40}) {
        improve_call const call{all.instances.view(), all.answers.view(), all.instance_of, steps, 0x0123456789abcdefu};
        improved_batch const here = cpu().run(call);
        expect_same(gpu().run(call), here, all, steps);
        expect_same(gpu_with(little)->run(call), here, all, steps);
    }
}

TEST_F(cuda_task_verbs, searches_cut_after_any_step_end_in_the_same_bytes) {
    answered_levels const all = answered_batch(cpu(), 1, 4);
    improve_call const call{all.instances.view(), all.answers.view(), all.instance_of, 60, 77};
    improved_batch const here = cpu().run(call);
    for (double const seconds : {1e-9, 20e-6, 200e-6}) {
        std::unique_ptr<executor> const hasty = gpu_with(roomy, seconds);
        for (int repetition = 0; repetition < repeats(2); ++repetition) {
            expect_same(hasty->run(call), here, all, call.steps);
        }
    }
}

TEST_F(cuda_task_verbs, large_instances_whose_scratch_leaves_shared_memory_agree_too) {
    std::vector<instance_spec> specs;
    for (std::size_t task = 0; task < registry().size(); ++task) {
        specs.push_back({std::int32_t(task), difficulty::scale(100), split::train, 5});
    }
    instance_batch const here = cpu().run(generate_call{specs});
    EXPECT_EQ(gpu().run(generate_call{specs}).blocks, here.blocks);
    csr_words const floors = cpu().run(floor_call{here.view()});
    EXPECT_EQ(gpu().run(floor_call{here.view()}), floors);
    csr_words const greedy = cpu().run(greedy_call{here.view()});
    EXPECT_EQ(gpu().run(greedy_call{here.view()}), greedy);
    EXPECT_EQ(gpu_with(little)->run(greedy_call{here.view()}), greedy);
    answered_levels all{here, floors, std::vector<std::int32_t>(std::size_t(floors.rows()))};
    std::iota(all.instance_of.begin(), all.instance_of.end(), 0);
    EXPECT_EQ(verified(gpu(), all), verified(cpu(), all));
}

TEST_F(cuda_task_verbs, empty_batches_are_empty) {
    EXPECT_EQ(gpu().run(generate_call{}).size(), 0);
    instance_batch const none;
    EXPECT_EQ(gpu().run(greedy_call{none.view()}).rows(), 0);
    EXPECT_TRUE(gpu().run(verify_call{none.view(), csr_words{}.view(), {}}).empty());
}

TEST_F(cuda_task_verbs, a_row_larger_than_the_memory_limit_is_an_error_and_the_next_call_works) {
    std::unique_ptr<executor> const small = gpu_with(64 << 10);
    std::int32_t const task = cpu_engine().task_index("bisection");
    instance_batch const large =
        cpu().run(generate_call{std::vector<instance_spec>{{task, difficulty::scale(100'000), split::train, 1}}});
    instance_batch const easy =
        cpu().run(generate_call{std::vector<instance_spec>{{task, difficulty::scale(0), split::train, 1}}});
    try {
        static_cast<void>(small->run(greedy_call{large.view()}));
        FAIL() << large.blocks.words.size() << " words fitted into 64 KiB";
    } catch (error const& failure) {
        EXPECT_EQ(failure.code(), status::out_of_memory) << failure.what();
    }
    EXPECT_EQ(small->run(greedy_call{easy.view()}), cpu().run(greedy_call{easy.view()}));
}

TEST_F(cuda_task_verbs, device_memory_as_input_is_refused_by_name) {
    instance_batch const one =
        cpu().run(generate_call{std::vector<instance_spec>{{0, difficulty::scale(0), split::train, 1}}});
    instance_view view = one.view();
    view.blocks.space = memory::device;
    try {
        static_cast<void>(gpu().run(greedy_call{view}));
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
