// Equivariance, for every task of the registry: an instance and its answers relabelled together earn the same. What a
// wrong symmetry does is in tests/text/relabel_test.cpp.

#include <algorithm>
#include <set>

#include "tests/support/instance_json.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

class relabel_laws : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, relabel_laws, ::testing::ValuesIn(all_tasks()), task_name);

words row_of(csr_words const& rows, std::int64_t r) { return {rows.row(r).begin(), rows.row(r).end()}; }

/// Small ones, one of each large level, and one of each other split.
instance_batch sizes_and_splits(std::int32_t task) {
    instance_batch all = small_instances(task, 4);
    std::vector<instance_spec> specs;
    for (split const part : {split::train, split::val}) {
        specs.push_back({task, difficulty::easy(), part, 5});
    }
    specs.push_back({task, difficulty::hard(), split::train, 1});
    specs.push_back({task, difficulty::benchmark(), split::val, 2});
    instance_batch const more = cpu_engine().generate(specs);
    for (std::int64_t r = 0; r < more.size(); ++r) {
        all.append(task, more.blocks.row(r));
    }
    return all;
}

/// Every axis holds each label once, and there is one row a twin.
void expect_permutations(relabelled_batch const& twins, std::int64_t axes) {
    for (std::int64_t r = 0; r < twins.instances.size(); ++r) {
        for (std::int32_t k = 0; k < axes; ++k) {
            std::span<std::int32_t const> const labels = twins.axis(r, k);
            std::set<std::int32_t> const all(labels.begin(), labels.end());
            ASSERT_EQ(all.size(), labels.size());
            if (!all.empty()) {
                EXPECT_EQ(*all.rbegin() - *all.begin() + 1, std::int32_t(labels.size()));
            }
        }
        EXPECT_THROW(static_cast<void>(twins.axis(r, std::int32_t(axes))), error);
    }
}

TEST_P(relabel_laws, a_task_says_its_symmetry) {
    ASSERT_NE(registry()[std::size_t(GetParam())].text->twins, nullptr)
        << "say .twins in its text: its axes, or no_symmetry";
}

TEST_P(relabel_laws, a_twin_is_a_sound_instance_of_its_own) {
    task_text const& text = *registry()[std::size_t(GetParam())].text;
    task_info const& info = cpu_engine().tasks()[std::size_t(GetParam())];
    instance_batch const originals = sizes_and_splits(GetParam());
    std::int64_t equal = 0;
    std::int64_t made = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        relabelled_batch const twins = cpu_engine().relabel(originals.view(), seed);
        ASSERT_EQ(twins.instances.task, originals.task);
        ASSERT_EQ(twins.instances.size(), originals.size());
        expect_permutations(twins, std::int64_t(info.axes.size()));
        for (std::int64_t r = 0; r < originals.size(); ++r) {
            std::span<std::int32_t const> const own = twins.instances.blocks.row(r);
            cpu_engine().check(GetParam(), own);
            std::string const form = write_instance(text, {own.data(), std::int64_t(own.size())});
            EXPECT_EQ(read_instance(text, form), words(own.begin(), own.end())) << form;
            equal += std::ranges::equal(own, originals.blocks.row(r)) ? 1 : 0;
            ++made;
        }
        EXPECT_EQ(cpu_engine().relabel(originals.view(), seed).instances.blocks, twins.instances.blocks);
    }
    EXPECT_LE(10 * equal, made) << "twins that are their originals";
}

TEST_P(relabel_laws, a_twin_does_not_depend_on_its_batch_and_follows_the_seed) {
    instance_batch const originals = instances_of(GetParam(), difficulty::benchmark(), 6);
    relabelled_batch const all = cpu_engine().relabel(originals.view(), 3);
    relabelled_batch const others = cpu_engine().relabel(originals.view(), 4);
    std::int32_t same = 0;
    for (std::int64_t r = 0; r < originals.size(); ++r) {
        instance_batch one;
        one.append(GetParam(), originals.blocks.row(r));
        relabelled_batch const alone = cpu_engine().relabel(one.view(), 3);
        EXPECT_EQ(row_of(alone.instances.blocks, 0), row_of(all.instances.blocks, r));
        EXPECT_EQ(row_of(alone.labels, 0), row_of(all.labels, r));
        same += row_of(others.instances.blocks, r) == row_of(all.instances.blocks, r) ? 1 : 0;
    }
    EXPECT_LT(same, 3);
}

TEST_P(relabel_laws, a_twin_has_its_originals_optimum) {
    instance_batch const originals = sizes_and_splits(GetParam());
    relabelled_batch const twins = cpu_engine().relabel(originals.view(), 1);
    solved_batch const there = cpu_engine().solve(originals.view());
    solved_batch const here = cpu_engine().solve(twins.instances.view());
    csr_words const moved = twins.answers(there.answers.view());
    std::vector<verdict> const found = cpu_engine().verify(twins.instances.view(), moved.view());
    std::int64_t both = 0;
    for (std::size_t r = 0; r < there.rows.size(); ++r) {
        if (there.rows[r].proven() && here.rows[r].proven()) {
            EXPECT_EQ(here.rows[r].objective, there.rows[r].objective) << "row " << r;
            EXPECT_EQ(here.rows[r].status, there.rows[r].status);
            ++both;
        }
        if (there.rows[r].status == baseline_status::optimal) {
            EXPECT_TRUE(found[r].feasible()) << "row " << r;
            EXPECT_EQ(found[r].objective, there.rows[r].objective) << "row " << r;
        }
    }
    EXPECT_GT(2 * both, std::int64_t(there.rows.size())) << "nothing was compared";
}

struct answered {
    instance_batch originals;
    solved_batch solved;
    csr_words answers;
    std::vector<std::int32_t> instance_of;
};

/// Right, near and wrong in every way that answers_for knows.
answered many_answers(std::int32_t task) {
    answered made{.originals = sizes_and_splits(task), .solved = {}, .answers = {}, .instance_of = {}};
    made.solved = cpu_engine().solve(made.originals.view(), 2000);
    std::mt19937_64 random(17);
    for (std::int64_t i = 0; i < made.originals.size(); ++i) {
        for (words const& answer : answers_for(task, made.originals.blocks.row(i), repeats(60), random)) {
            made.answers.append(answer);
            made.instance_of.push_back(std::int32_t(i));
        }
    }
    return made;
}

TEST_P(relabel_laws, a_relabelled_answer_gets_the_same_verdict_on_the_twin) {
    answered const all = many_answers(GetParam());
    std::set<std::int32_t> codes;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        relabelled_batch const twins = cpu_engine().relabel(all.originals.view(), seed);
        csr_words const moved = twins.answers(all.answers.view(), all.instance_of);
        EXPECT_EQ(twins.originals(moved.view(), all.instance_of), all.answers) << "there and back is not the identity";
        std::vector<verdict> const there =
            cpu_engine().verify(all.originals.view(), all.answers.view(), all.instance_of);
        std::vector<verdict> here = cpu_engine().verify(twins.instances.view(), moved.view(), all.instance_of);
        for (std::size_t r = 0; r < there.size(); ++r) {
            here[r].where = there[r].where;  // the smallest index depends on the order of labels
            ASSERT_EQ(here[r], there[r]) << answer_text(all.answers.row(std::int64_t(r))) << " became "
                                         << answer_text(moved.row(std::int64_t(r)));
            codes.insert(there[r].code);
        }
    }
    EXPECT_TRUE(codes.contains(code_ok));
    EXPECT_GE(codes.size(), 4u) << "too few kinds of wrong answers were tried";
}

TEST_P(relabel_laws, a_relabelled_answer_earns_the_same_reward) {
    answered const all = many_answers(GetParam());
    relabelled_batch const twins = cpu_engine().relabel(all.originals.view(), 2);
    csr_words const moved = twins.answers(all.answers.view(), all.instance_of);
    auto const paid = [&](instance_view instances, csr_words const& answers, reward_spec const& reward) {
        std::vector<std::string> texts;
        for (std::int64_t r = 0; r < answers.rows(); ++r) {
            bool const word = answers.row(r)[0] == answer_word;
            texts.push_back("<think>1</think><answer>" + (word ? "Impossible" : answer_text(answers.row(r))) +
                            "</answer>");
        }
        std::vector<std::string_view> const views(texts.begin(), texts.end());
        return cpu_engine()
            .grade({.instances = instances,
                    .baselines = all.solved.rows,
                    .texts = views,
                    .instance_of = all.instance_of,
                    .reward = reward})
            .rows;
    };
    reward_spec graded;
    graded.infeasible_mode = infeasible_reward::graded;
    for (reward_spec const& reward : {reward_spec{}, graded}) {
        std::vector<reward_row> const there = paid(all.originals.view(), all.answers, reward);
        std::vector<reward_row> const here = paid(twins.instances.view(), moved, reward);
        for (std::size_t r = 0; r < there.size(); ++r) {
            ASSERT_EQ(here[r], there[r]) << answer_text(all.answers.row(std::int64_t(r)));
        }
    }
}

}  // namespace
}  // namespace optgap::testing
