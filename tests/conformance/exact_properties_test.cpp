// Property tests of tasks with one right answer: it cannot be guessed, nothing shows it, and instances do not run out.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "tests/support/instance_json.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

class exact_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, exact_properties, ::testing::ValuesIn(tasks_that(&abilities::computes)), task_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(exact_properties);

/// Instances per level; with OPTGAP_LONG=1 more, and more levels.
bool const in_full = std::getenv("OPTGAP_LONG") != nullptr;
std::int64_t const sample = in_full ? 2000 : 300;
std::vector<std::int32_t> const exact_levels =
    in_full ? std::vector<std::int32_t>{2, 3, 6, 16} : std::vector<std::int32_t>{2, 16};

words row_of(csr_words const& all, std::int64_t r) { return {all.row(r).begin(), all.row(r).end()}; }

TEST_P(exact_properties, a_guess_is_right_in_five_of_a_hundred_at_most) {
    for (std::int32_t const d : exact_levels) {
        instance_batch const batch = instances_of(GetParam(), difficulty::scale(d), sample);
        solved_batch const solved = cpu_engine().solve(batch.view());
        csr_words const careless = cpu_engine().greedy(batch.view());
        std::map<words, std::int64_t> constant;
        std::map<std::size_t, std::map<words, std::int64_t>> by_size;
        std::int64_t careless_right = 0;
        for (std::int64_t r = 0; r < sample; ++r) {
            words const truth = row_of(solved.answers, r);
            ++constant[truth];
            ++by_size[batch.blocks.row(r).size()][truth];
            careless_right += row_of(careless, r) == truth ? 1 : 0;
        }
        auto const most = [](std::map<words, std::int64_t> const& counts) {
            std::int64_t best = 0;
            for (auto const& [answer, count] : counts) {
                best = std::max(best, count);
            }
            return best;
        };
        std::int64_t table = 0;
        for (auto const& [size, counts] : by_size) {
            table += most(counts);
        }
        EXPECT_LE(most(constant) * 20, sample) << "d" << d << ": the best constant answer";
        EXPECT_LE(table * 20, sample) << "d" << d << ": the best answer for each size";
        EXPECT_LE(careless_right * 20, sample) << "d" << d << ": the greedy answer";
    }
}

TEST_P(exact_properties, instances_do_not_run_out) {
    for (std::int32_t const d : {3, 16}) {
        instance_batch const batch = instances_of(GetParam(), difficulty::scale(d), sample);
        std::set<words> different;
        for (std::int64_t r = 0; r < sample; ++r) {
            different.insert(row_of(batch.blocks, r));
        }
        EXPECT_GE(std::int64_t(different.size()) * 100, sample * 99) << "d" << d;
    }
}

/// Texts and JSON stay the same with another answer behind them.
TEST_P(exact_properties, nothing_that_is_shown_depends_on_the_answer) {
    task_text const& text = *registry()[std::size_t(GetParam())].text;
    task_kernels const& task = *registry()[std::size_t(GetParam())].builds[0];
    instance_batch const batch = small_instances(GetParam(), 3);
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        words block = row_of(batch.blocks, r);
        words const truth = block;
        words_view const instance{truth.data(), std::int64_t(truth.size())};
        std::int64_t const end = std::int64_t(block.size()) - 2;
        for (std::int64_t i = end - task.answer_words(instance); i < end; ++i) {
            block[std::size_t(i)] = 77'777;
        }
        words_view const other{block.data(), std::int64_t(block.size())};
        EXPECT_NE(task.check(other), nullptr) << "another answer passes the entry check";
        EXPECT_EQ(write_instance(text, other), write_instance(text, instance));
        for (std::int32_t style = 0; style < text.styles; ++style) {
            EXPECT_EQ(text.prompt(other, style, {}), text.prompt(instance, style, {})) << "style " << style;
        }
    }
}

TEST_P(exact_properties, the_answer_is_proven_without_a_step_and_prompts_stay_short) {
    instance_batch const batch = instances_of(GetParam(), difficulty::benchmark(), 20);
    solved_batch const solved = cpu_engine().solve(batch.view(), 0);
    task_text const& text = *registry()[std::size_t(GetParam())].text;
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        EXPECT_TRUE(solved.rows[std::size_t(r)].proven());
        EXPECT_EQ(solved.rows[std::size_t(r)].steps, 0);
        auto const row = batch.blocks.row(r);
        for (std::int32_t style = 0; style < text.styles; ++style) {
            EXPECT_LE(text.prompt({row.data(), std::int64_t(row.size())}, style, {}).size(), 4000u);
        }
    }
}

/// An instance that is too large is not computed, but refused by the limit that it exceeds.
TEST_P(exact_properties, a_list_that_is_too_long_is_refused_by_its_limit) {
    task_text const& text = *registry()[std::size_t(GetParam())].text;
    instance_batch const batch = small_instances(GetParam(), 1);
    auto const row = batch.blocks.row(0);
    std::string const instance = write_instance(text, {row.data(), std::int64_t(row.size())});
    int lists = 0;
    for (std::size_t at = instance.find(":["); at != std::string::npos; at = instance.find(":[", at + 1)) {
        std::size_t const begin = at + 2;
        std::size_t const end = instance[begin] == '[' ? instance.find(']', begin) + 1  //
                                                       : instance.find_first_of(",]", begin);
        std::string longer = instance.substr(0, end);
        for (int i = 0; i < 100'000; ++i) {
            longer.append(",").append(instance, begin, end - begin);
        }
        longer += instance.substr(end);
        ++lists;
        try {
            static_cast<void>(read_instance(text, longer));
            ADD_FAILURE() << "100,000 entries are taken";
        } catch (field_error const& refused) {
            EXPECT_TRUE(std::ranges::any_of(text.layout, [&](field const& own) {
                return own.kind == field_kind::size &&
                       refused.rule().find(std::to_string(own.high.plus)) != std::string::npos;
            })) << refused.what();
        }
    }
    EXPECT_GT(lists, 0);
}

}  // namespace
}  // namespace optgap::testing
