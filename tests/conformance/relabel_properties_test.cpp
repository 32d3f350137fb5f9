// Equivariance, for every task of the registry: an instance and its answers relabelled together get the same reward.

#include <algorithm>
#include <set>

#include "tests/support/instance_json.hpp"
#include "tests/support/relabel_property.hpp"
#include "tests/support/sample.hpp"

namespace optgap::testing {
namespace {

class symmetry_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, symmetry_properties, ::testing::ValuesIn(all_tasks()), task_name);

std::vector<std::int32_t> tasks_with_axes() {
    std::vector<std::int32_t> tasks = all_tasks();
    std::erase_if(tasks, [](std::int32_t task) { return cpu_engine().tasks()[std::size_t(task)].axes.empty(); });
    return tasks;
}

class relabel_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, relabel_properties, ::testing::ValuesIn(tasks_with_axes()), task_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(relabel_properties);

task_text const& text_of(std::int32_t task) { return *registry()[std::size_t(task)].text; }

words twin_row(csr_words const& rows, std::int64_t r) { return {rows.row(r).begin(), rows.row(r).end()}; }

TEST_P(symmetry_properties, a_task_says_its_axes_or_that_it_has_none) {
    EXPECT_NE(text_of(GetParam()).twins, nullptr) << "say .twins in its text, &no_symmetry for none";
    if (cpu_engine().tasks()[std::size_t(GetParam())].axes.empty()) {
        instance_batch const one = instances_of(GetParam(), difficulty::easy(), 1);
        EXPECT_THROW(static_cast<void>(cpu_engine().relabel(one.view())), error);
    }
}

TEST_P(relabel_properties, a_twin_is_a_sound_instance_of_its_own) {
    instance_batch const originals = answered_cases(GetParam(), 0).instances;
    std::int64_t equal = 0;
    std::int64_t made = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        relabelled_batch const twins = cpu_engine().relabel(originals.view(), seed);
        ASSERT_EQ(twins.instances.task, originals.task);
        ASSERT_EQ(twins.instances.size(), originals.size());
        for (std::int64_t r = 0; r < originals.size(); ++r) {
            std::span<std::int32_t const> const own = twins.instances.blocks.row(r);
            cpu_engine().check(GetParam(), own);
            std::string const form = write_instance(text_of(GetParam()), {own.data(), std::int64_t(own.size())});
            EXPECT_EQ(read_instance(text_of(GetParam()), form), words(own.begin(), own.end())) << form;
            equal += std::ranges::equal(own, originals.blocks.row(r)) ? 1 : 0;
            ++made;
        }
    }
    EXPECT_LE(10 * equal, made) << "twins that are their originals";
}

TEST_P(relabel_properties, each_label_of_each_axis_goes_to_one_place) {
    std::int32_t const axes = std::int32_t(cpu_engine().tasks()[std::size_t(GetParam())].axes.size());
    relabelled_batch const twins = cpu_engine().relabel(small_instances(GetParam(), 2).view(), 1);
    for (std::int64_t r = 0; r < twins.instances.size(); ++r) {
        for (std::int32_t k = 0; k < axes; ++k) {
            std::span<std::int32_t const> const labels = twins.axis(r, k);
            std::set<std::int32_t> const all(labels.begin(), labels.end());
            ASSERT_EQ(all.size(), labels.size());
            EXPECT_TRUE(all.empty() || *all.rbegin() - *all.begin() + 1 == std::int32_t(labels.size()));
        }
        EXPECT_THROW(static_cast<void>(twins.axis(r, axes)), error);
        EXPECT_THROW(static_cast<void>(twins.axis(r, -1)), error);
    }
}

TEST_P(relabel_properties, a_twin_does_not_depend_on_its_batch_and_follows_the_seed) {
    instance_batch const originals = instances_of(GetParam(), difficulty::benchmark(), 20);
    relabelled_batch const all = cpu_engine().relabel(originals.view(), 3);
    relabelled_batch const others = cpu_engine().relabel(originals.view(), 4);
    std::int32_t same = 0;
    for (std::int64_t r = 0; r < originals.size(); ++r) {
        instance_batch one;
        one.append(GetParam(), originals.blocks.row(r));
        relabelled_batch const alone = cpu_engine().relabel(one.view(), 3);
        EXPECT_EQ(twin_row(alone.instances.blocks, 0), twin_row(all.instances.blocks, r));
        EXPECT_EQ(twin_row(alone.labels, 0), twin_row(all.labels, r));
        same += twin_row(others.instances.blocks, r) == twin_row(all.instances.blocks, r) ? 1 : 0;
    }
    EXPECT_LT(same, 10) << "a board that may only be mirrored has four twins";
}

TEST_P(relabel_properties, a_twin_has_its_originals_optimum_and_a_relabelled_answer_its_verdict) {
    answered_instances const cases = answered_cases(GetParam(), repeats(60));
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        EXPECT_EQ(breach_of_equivariance(text_of(GetParam()), cases, seed), "") << "seed " << seed;
    }
    std::vector<verdict> const found =
        cpu_engine().verify(cases.instances.view(), cases.answers.view(), cases.instance_of);
    std::set<std::int32_t> codes;
    for (verdict const& one : found) {
        codes.insert(one.code);
    }
    EXPECT_TRUE(codes.contains(code_ok));
    EXPECT_GE(codes.size(), 4u) << "too few kinds of wrong answers were tried";
    auto const proven = std::ranges::count_if(cases.solved.rows, [](baseline const& known) { return known.proven(); });
    EXPECT_GE(5 * proven, cases.instances.size()) << "too few optima were compared";
}

TEST_P(relabel_properties, a_relabelled_answer_earns_the_same_reward) {
    answered_instances const cases = answered_cases(GetParam(), repeats(60));
    relabelled_batch const twins = cpu_engine().relabel(cases.instances.view(), 2);
    csr_words const moved = twins.answers(cases.answers.view(), cases.instance_of);
    EXPECT_EQ(twins.originals(moved.view(), cases.instance_of), cases.answers);
    auto const rewarded = [&](instance_view instances, csr_words const& answers, reward_spec const& reward) {
        std::vector<std::string> texts;
        for (std::int64_t r = 0; r < answers.rows(); ++r) {
            std::string const answer = answers.row(r)[0] == answer_word ? "Impossible" : answer_text(answers.row(r));
            texts.push_back("<think>1</think><answer>" + answer + "</answer>");
        }
        std::vector<std::string_view> const views(texts.begin(), texts.end());
        return cpu_engine()
            .grade({.instances = instances,
                    .baselines = cases.solved.rows,
                    .texts = views,
                    .instance_of = cases.instance_of,
                    .reward = reward})
            .rows;
    };
    reward_spec graded;
    graded.infeasible_mode = infeasible_reward::graded;
    for (reward_spec const& reward : {reward_spec{}, graded}) {
        EXPECT_EQ(rewarded(twins.instances.view(), moved, reward),
                  rewarded(cases.instances.view(), cases.answers, reward));
    }
}

/// Whether only one list of this form names the axis. Forgetting it there means fewer axes, which is not a fault.
bool stands_alone(symmetry const& of, std::string const& form, std::string_view axis) {
    std::int32_t uses = 0;
    auto const count = [&](labelled_list const& list) {
        for (char const* const name : {list.rows, list.columns, list.order, list.along, list.names[0], list.names[1]}) {
            uses += name != nullptr && name == axis ? 1 : 0;
        }
    };
    for (labelled_list const& list : of.fields) {
        if (list.name != nullptr && form.find("\"" + std::string(list.name) + "\":") != std::string::npos) {
            count(list);
        }
    }
    count(of.answer);
    return uses == 1;
}

/// The symmetries that forget one part of this one that matters in `form`, an instance's JSON.
std::vector<symmetry> forgetful(symmetry const& whole, std::string const& form) {
    std::vector<symmetry> all;
    auto const without = [&](auto const& forget) {
        all.push_back(whole);
        forget(all.back());
    };
    without([](symmetry& of) { of.answer = {}; });
    for (std::size_t a = 0; a < std::size(whole.axes); ++a) {
        if (whole.axes[a].negated) {
            without([&](symmetry& of) { of.axes[a].negated = false; });
        }
    }
    for (std::size_t f = 0; f < std::size(whole.fields) && whole.fields[f].name != nullptr; ++f) {
        labelled_list const& list = whole.fields[f];
        if (form.find("\"" + std::string(list.name) + "\":") == std::string::npos) {
            continue;
        }
        without([&](symmetry& of) { of.fields[f].name = "no field"; });
        for (auto const part :
             {&labelled_list::rows, &labelled_list::columns, &labelled_list::order, &labelled_list::along}) {
            if (list.*part != nullptr) {
                without([&](symmetry& of) { of.fields[f].*part = nullptr; });
            }
        }
        for (std::size_t place = 0; place < std::size(list.names) && list.names[place] != nullptr; ++place) {
            if (*list.names[place] != 0 && !stands_alone(whole, form, list.names[place])) {
                without([&](symmetry& of) { of.fields[f].names[place] = ""; });
            }
        }
    }
    return all;
}

TEST_P(relabel_properties, a_symmetry_that_forgets_any_part_breaks_the_property) {
    answered_instances const cases = answered_cases(GetParam(), 8);
    std::span<std::int32_t const> const first = cases.instances.blocks.row(0);
    std::string const form = write_instance(text_of(GetParam()), {first.data(), std::int64_t(first.size())});
    std::vector<symmetry> const wrong = forgetful(*text_of(GetParam()).twins, form);
    EXPECT_GE(wrong.size(), 3u);
    for (std::size_t w = 0; w < wrong.size(); ++w) {
        task_text says = text_of(GetParam());
        says.twins = &wrong[w];
        std::string breach;
        for (std::uint64_t seed = 0; seed < 4 && breach.empty(); ++seed) {
            breach = breach_of_equivariance(says, cases, seed);
        }
        EXPECT_NE(breach, "") << "symmetry " << w << " of " << wrong.size();
    }
}

}  // namespace
}  // namespace optgap::testing
