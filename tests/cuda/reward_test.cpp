// Rewards and advantages on the GPU, byte for byte those of the CPU.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "kernels/registry/registry.hpp"
#include "tests/support/cuda_device.hpp"

namespace optgap::testing {
namespace {

class cuda_rewards : public on_cuda {};
class cuda_advantages : public on_cuda {};

template <class T>
std::size_t first_difference(std::vector<T> const& a, std::vector<T> const& b) {
    for (std::size_t r = 0; r < a.size(); ++r) {
        if (std::memcmp(&a[r], &b[r], sizeof(T)) != 0) {
            return r;
        }
    }
    return a.size();
}

TEST_F(cuda_rewards, every_shape_and_edge_gives_the_cpu_s_bytes) {
    std::mt19937_64 random(3);
    auto const pick = [&](std::int64_t low, std::int64_t high) {
        return low + std::int64_t(random() % std::uint64_t(high - low + 1));
    };
    std::int64_t const instances = 500;
    std::int64_t const rollouts = 20'000;
    std::vector<std::int32_t> task;
    std::vector<baseline> baselines;
    for (std::int64_t i = 0; i < instances; ++i) {
        task.push_back(std::int32_t(pick(0, std::int64_t(registry().size()) - 1)));
        baseline row;
        row.objective = pick(0, 9) == 0 ? no_objective : pick(0, 1000);
        row.floor = pick(0, 3) == 0 ? no_objective : pick(0, 1000);
        row.status = baseline_status(pick(0, 3));
        baselines.push_back(row);
    }
    std::vector<std::int32_t> instance_of;
    std::vector<std::int32_t> format_code;
    std::vector<verdict> verdicts;
    std::vector<finish> finished;
    std::vector<std::int32_t> length;
    for (std::int64_t r = 0; r < rollouts; ++r) {
        instance_of.push_back(std::int32_t(pick(0, instances - 1)));
        format_code.push_back(pick(0, 4) == 0 ? std::int32_t(code_format_repeated) : std::int32_t(code_ok));
        verdict row;
        row.code =
            pick(0, 2) == 0 ? std::int32_t(pick(0, 1) == 0 ? code_empty : first_task_code) : std::int32_t(code_ok);
        row.objective = pick(0, 9) == 0 ? pick(0, std::int64_t(1) << 60) : pick(0, 1000);
        row.violation_max = pick(1, 50);
        row.violation = row.feasible() ? 0 : pick(1, row.violation_max);
        verdicts.push_back(row);
        finished.push_back(finish(pick(0, 3)));
        length.push_back(std::int32_t(pick(0, 2000)));
    }
    std::unique_ptr<executor> const cramped = gpu_with(tiny);
    for (bool const known : {false, true}) {
        reward_inputs const in{task.data(),
                               baselines.data(),
                               instances,
                               instance_of.data(),
                               verdicts.data(),
                               format_code.data(),
                               known ? finished.data() : nullptr,
                               known ? length.data() : nullptr,
                               rollouts};
        for (infeasible_reward const mode : {infeasible_reward::flat, infeasible_reward::graded}) {
            for (truncation const cut : {truncation::penalise, truncation::zero, truncation::exclude}) {
                for (double const grid : {0.0, 1.0 / 4096, 0.1}) {
                    reward_spec spec;
                    spec.infeasible_mode = mode;
                    spec.truncated = cut;
                    spec.grid = grid;
                    spec.format_gates = grid == 0.1 ? 0 : 1;
                    spec.length_factor = grid == 0.0 ? 0.75 : 0.0;
                    spec.length_limit = 1700;
                    spec.length_buffer = 900;
                    spec.length_on = known ? long_rollouts::wrong : long_rollouts::all;
                    std::vector<reward_row> here(static_cast<std::size_t>(rollouts));
                    std::vector<reward_row> there(here.size());
                    std::vector<reward_row> sliced(here.size());
                    cpu().run(rewards_call{in, spec, here});
                    gpu().run(rewards_call{in, spec, there});
                    cramped->run(rewards_call{in, spec, sliced});
                    std::size_t const r = first_difference(here, there);
                    ASSERT_EQ(r, here.size())
                        << "row " << r << ": reward " << there[r].reward << " for " << here[r].reward << ", quality "
                        << there[r].quality << " for " << here[r].quality;
                    EXPECT_EQ(first_difference(there, sliced), here.size());
                }
            }
        }
    }
}

struct rollouts {
    std::vector<float> rewards;
    std::vector<std::int32_t> group;
};

/// Groups of the given sizes with ids of both signs, rows in a random order.
rollouts shuffled_groups(std::vector<std::int64_t> const& sizes, bool dyadic, double missing) {
    std::mt19937_64 random(19);
    std::uniform_real_distribution<double> uniform(-2.5, 2.0);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    rollouts all;
    for (std::size_t g = 0; g < sizes.size(); ++g) {
        std::int32_t const id = std::int32_t(std::uint32_t(g) * 2654435761u);
        for (std::int64_t k = 0; k < sizes[g]; ++k) {
            double const reward = uniform(random);
            all.group.push_back(id);
            all.rewards.push_back(unit(random) < missing ? std::numeric_limits<float>::quiet_NaN()
                                                         : float(dyadic ? std::rint(reward * 4096) / 4096 : reward));
        }
    }
    for (std::size_t r = all.group.size(); r > 1; --r) {
        std::size_t const other = std::size_t(random() % r);
        std::swap(all.group[r - 1], all.group[other]);
        std::swap(all.rewards[r - 1], all.rewards[other]);
    }
    return all;
}

std::vector<float> advantages(executor& on, rollouts const& all, group_rule const& rule) {
    std::vector<float> out(all.rewards.size(), 12345.0f);
    on.run(advantages_call{all.rewards, all.group, rule, out});
    return out;
}

/// Of every estimator that kernels compute from rewards, with a constant of the batch that is none and one that is.
std::vector<group_rule> every_rule() {
    std::vector<group_rule> out;
    for (estimator_entry const& each : listed_estimators()) {
        if (each.reads_rewards_alone()) {
            advantage_spec spec = each.info->start;
            spec.form = each.form;
            spec.of_one = lone_row::zero;
            out.push_back({spec, each.constant != nullptr ? 0.0 : 1.0});
            spec.of_one = lone_row::as_is;
            out.push_back({spec, 0.7});
        }
    }
    return out;
}

std::vector<std::int64_t> many_sizes() {
    std::vector<std::int64_t> sizes{1, 2, 3, 8, 16, 31, 32, 33, 63, 64, 65, 1000, 100'000};
    for (std::int64_t k = 0; k < 3000; ++k) {
        sizes.push_back(1 + k % 40);
    }
    return sizes;
}

TEST_F(cuda_advantages, groups_of_any_size_in_any_order_give_the_cpu_s_bytes) {
    for (bool const dyadic : {false, true}) {
        for (double const missing : {0.0, 0.3}) {
            rollouts const all = shuffled_groups(many_sizes(), dyadic, missing);
            for (group_rule const& rule : every_rule()) {
                std::vector<float> const here = advantages(cpu(), all, rule);
                std::vector<float> const there = advantages(gpu(), all, rule);
                std::size_t const r = first_difference(here, there);
                ASSERT_EQ(r, here.size())
                    << "row " << r << " of group " << all.group[r] << ": " << there[r] << " for " << here[r];
            }
        }
    }
}

TEST_F(cuda_advantages, a_batch_cut_between_groups_gives_the_same_bytes) {
    rollouts const all = shuffled_groups(many_sizes(), false, 0.1);
    std::vector<float> const whole = advantages(gpu(), all, {});
    std::unique_ptr<executor> const cramped = gpu_with(std::int64_t(5) << 20);
    EXPECT_EQ(first_difference(advantages(*cramped, all, {}), whole), whole.size());
}

TEST_F(cuda_advantages, a_group_larger_than_the_memory_limit_is_an_error) {
    rollouts const all = shuffled_groups({200'000}, false, 0.0);
    try {
        static_cast<void>(advantages(*gpu_with(tiny), all, {}));
        FAIL();
    } catch (error const& failure) {
        EXPECT_EQ(failure.code(), status::out_of_memory);
    }
}

TEST_F(cuda_advantages, constant_groups_and_rows_without_a_reward_get_exactly_zero) {
    rollouts all;
    for (std::int32_t g = 0; g < 400; ++g) {
        for (std::int32_t k = 0; k < 1 + g % 50; ++k) {
            bool const missing = (g + k) % 7 == 0;
            all.group.push_back(g % 2 == 0 ? g : -g);
            all.rewards.push_back(missing ? std::numeric_limits<float>::quiet_NaN() : 0.1f * float(g));
        }
    }
    std::vector<float> const found = advantages(gpu(), all, {});
    for (std::size_t r = 0; r < found.size(); ++r) {
        std::uint32_t bits = 1;
        std::memcpy(&bits, &found[r], sizeof bits);
        ASSERT_EQ(bits, 0u) << "row " << r << ": " << found[r];
    }
}

TEST_F(cuda_advantages, no_rollouts_give_no_advantages) { EXPECT_TRUE(advantages(gpu(), {}, {}).empty()); }

}  // namespace
}  // namespace optgap::testing
