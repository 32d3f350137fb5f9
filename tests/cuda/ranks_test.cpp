// Ranks on the GPU, byte for byte those of the CPU.

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "tests/support/cuda_device.hpp"

namespace optgap::testing {
namespace {

class cuda_ranks : public on_cuda {};

struct ranked_groups {
    std::vector<double> scores;
    std::int32_t columns;
    std::vector<std::int64_t> begin{0};
    std::vector<sense> direction;

    ranked_groups(std::vector<std::int64_t> const& sizes, std::int32_t scores_a_row) : columns(scores_a_row) {
        std::mt19937_64 random(31);
        for (std::int64_t const size : sizes) {
            begin.push_back(begin.back() + size);
            direction.push_back(random() % 2 == 0 ? sense::maximise : sense::minimise);
        }
        bool const coarse = random() % 2 == 0;
        for (std::int64_t k = 0; k < begin.back() * columns; ++k) {
            bool const missing = random() % 8 == 0;
            scores.push_back(missing ? std::nan("") : double(std::int64_t(random() % (coarse ? 3 : 900)) - 1) / 7.0);
        }
    }
    [[nodiscard]] rank_inputs inputs() const { return {scores, columns, begin, direction}; }
    [[nodiscard]] std::vector<double> on(executor& by, advantage_spec const& spec) const {
        std::vector<double> out(std::size_t(begin.back()), 12345.0);
        by.run(ranks_call{inputs(), spec, out});
        return out;
    }
};

bool same_scores(std::vector<double> const& a, std::vector<double> const& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

constexpr char const* forms[] = {"river",
                                 "rank_uniform",
                                 "instance_norm",
                                 "raw",
                                 "raw_binary",
                                 R"({"estimator": "river", "tie": "shared", "post": "standardise"})",
                                 R"({"estimator": "river", "tie": "lowest_index", "denominator": "valid"})"};

TEST_F(cuda_ranks, groups_of_any_size_give_the_cpu_s_bytes_in_one_slice_or_in_many) {
    std::vector<std::int64_t> sizes{0, 1, 2, 4, 31, 32, 33, 64, 65, 300, 1024, 1025, 0};
    for (std::int64_t k = 0; k < 900; ++k) {
        sizes.push_back(4 + k % 30);
    }
    std::unique_ptr<executor> const cramped = gpu_with(tiny);
    for (std::int32_t const columns : {1, 5}) {
        ranked_groups const all(sizes, columns);
        for (char const* const form : forms) {
            advantage_spec const spec = parse_advantage_spec(form);
            std::vector<double> const here = all.on(cpu(), spec);
            EXPECT_TRUE(same_scores(here, all.on(gpu(), spec))) << form << ", " << columns << " scores a row";
            EXPECT_TRUE(same_scores(here, all.on(*cramped, spec))) << form << ", " << columns << " scores a row";
        }
    }
}

TEST_F(cuda_ranks, a_few_small_groups_give_the_cpu_s_bytes) {
    ranked_groups const all({4, 16, 33}, 2);
    for (char const* const form : forms) {
        advantage_spec const spec = parse_advantage_spec(form);
        EXPECT_TRUE(same_scores(all.on(cpu(), spec), all.on(gpu(), spec))) << form;
    }
}

TEST_F(cuda_ranks, a_group_that_does_not_fit_the_memory_limit_is_an_error) {
    try {
        static_cast<void>(ranked_groups({1000}, 100).on(*gpu_with(tiny), parse_advantage_spec("raw")));
        FAIL();
    } catch (error const& failure) {
        EXPECT_EQ(failure.code(), status::out_of_memory);
        EXPECT_NE(std::string(failure.what()).find("a group of 1000 rows"), std::string::npos) << failure.what();
    }
}

TEST_F(cuda_ranks, no_groups_give_no_ranks) {
    EXPECT_TRUE(ranked_groups({}, 1).on(gpu(), parse_advantage_spec("river")).empty());
}

}  // namespace
}  // namespace optgap::testing
