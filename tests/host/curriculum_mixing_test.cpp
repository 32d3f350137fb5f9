// How tasks share the draws: shares computed by hand, floors, groups, frozen tasks, states, and unchanged draws without
// mixing.

#include <gtest/gtest.h>

#include "host/curriculum/simulation.hpp"
#include "optgap/curriculum.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

curriculum of_tasks(std::string const& spec, std::int32_t count) {
    std::vector<curriculum_task> tasks;
    for (std::int32_t t = 0; t < count; ++t) {
        tasks.push_back({.name = std::string(1, char('a' + t))});
    }
    return {parse_curriculum_spec(spec), tasks, 7};
}

/// Permille of the draws, from the integers.
std::vector<std::int64_t> permille(curriculum const& plan) {
    std::vector<std::int64_t> const shares = plan.shares();
    std::int64_t sum = 0;
    for (std::int64_t const share : shares) {
        EXPECT_GE(share, 1);
        sum += share;
    }
    std::vector<std::int64_t> out;
    for (std::int64_t const share : shares) {
        out.push_back(std::int64_t((static_cast<__int128>(share) * 2000 / sum + 1) / 2));
    }
    return out;
}

/// Reports groups of four at d0 with `correct` correct answers each.
void saw(curriculum& plan, std::int32_t task, std::int32_t groups, std::int32_t correct, std::int32_t d = 0) {
    std::vector<rollout_outcome> group(4, rollout_outcome::wrong);
    std::fill_n(group.begin(), correct, rollout_outcome::correct);
    for (std::int32_t g = 0; g < groups; ++g) {
        plan.observe(task, difficulty::scale(d), group);
    }
}

void end(curriculum& plan) {
    plan.merge(plan.delta(0));
    plan.step();
}

std::string refusal(auto const& call) {
    try {
        call();
    } catch (error const& refused) {
        EXPECT_EQ(refused.code(), status::invalid_argument);
        return refused.what();
    }
    return "accepted";
}

using shares_t = std::vector<std::int64_t>;

TEST(curriculum_mixing, by_informative_groups_gives_a_task_what_its_groups_teach) {
    curriculum plan = of_tasks(R"({"policy":"static","level":"d0","mixing":{"by":"informative","floor":100}})", 3);
    EXPECT_EQ(permille(plan), (shares_t{333, 333, 333})) << "nothing is known";
    saw(plan, 0, 31, 2);  // all informative: 32 of 32 including the assumed one
    saw(plan, 1, 31, 4);  // none: 1 of 32
    saw(plan, 2, 15, 4);
    saw(plan, 2, 16, 1);  // 17 of 32
    end(plan);
    EXPECT_EQ(plan.mixes()[2].recent, (informative_counts{31, 16}));
    // A tenth stays, 33 each; the other 900 are shared by 32 : 1 : 17.
    EXPECT_EQ(permille(plan), (shares_t{609, 51, 339}));
    std::vector<double> drawn(3);
    for (std::int64_t i = 0; i < 20'000; ++i) {
        drawn[std::size_t(plan.draw(i).task)] += 1.0 / 20;
    }
    EXPECT_NEAR(drawn[0], 609, 15);
    EXPECT_NEAR(drawn[1], 51, 6);
}

TEST(curriculum_mixing, forgets_informative_groups_by_halves) {
    curriculum plan = of_tasks(R"({"policy":"static","mixing":{"by":"informative","memory":16}})", 2);
    saw(plan, 0, 16, 2);
    end(plan);
    EXPECT_EQ(plan.mixes()[0].recent, (informative_counts{8, 8}));
    for (int step = 0; step < 20; ++step) {
        saw(plan, 0, 16, 0);
        end(plan);
    }
    EXPECT_EQ(plan.mixes()[0].recent.informative, 0);
    EXPECT_EQ(plan.totals()[0].of_groups, (informative_counts{21 * 16, 16})) << "totals forget nothing";
}

TEST(curriculum_mixing, by_progress_reads_what_changed_at_equal_levels) {
    curriculum plan =
        of_tasks(R"({"policy":"static","range":[0,9],"mixing":{"by":"progress","memory":8,"floor":100}})", 4);
    for (std::int32_t const correct : {1, 2}) {  // 1/4, then 2/4 of task 0; task 1 stays, task 2 is elsewhere
        saw(plan, 0, 8, correct);
        saw(plan, 1, 8, 2, 3);
        saw(plan, 2, 8, 2, 4 * correct);
        saw(plan, 3, 4, correct, 0);  // falls at d0 as it rises at d1
        saw(plan, 3, 4, 3 - correct, 1);
        end(plan);
    }
    EXPECT_EQ(plan.mixes()[0].moved, 65536 / 4);
    EXPECT_EQ(plan.mixes()[1].moved, 0);
    EXPECT_EQ(plan.mixes()[2].moved, -1) << "no level in common: not known, which is tried";
    EXPECT_EQ(plan.mixes()[3].moved, 0);
    EXPECT_EQ(permille(plan), (shares_t{475, 25, 475, 25}));
    saw(plan, 0, 8, 1);  // forgetting counts as much
    end(plan);
    EXPECT_EQ(plan.mixes()[0].moved, 65536 / 4);
}

TEST(curriculum_mixing, frozen_tasks_give_up_their_share_and_get_it_back) {
    curriculum plan = of_tasks(R"({"policy":"adaptive","mixing":{"by":"informative","memory":8,"floor":100}})", 2);
    for (int step = 0; step < 40; ++step) {
        saw(plan, 0, 16, 0, 0);
        saw(plan, 1, 16, 2, 1);
        end(plan);
    }
    EXPECT_EQ(plan.windows()[0].status, curriculum_status::stuck);
    EXPECT_EQ(permille(plan), (shares_t{50, 950}));
    for (int step = 0; step < 3; ++step) {
        saw(plan, 0, 64, 3, 0);
        end(plan);
    }
    EXPECT_EQ(plan.windows()[0].status, curriculum_status::learning);
    EXPECT_GT(permille(plan)[0], 400);
}

TEST(curriculum_mixing, keeps_quotas_of_groups_and_floors_of_tasks) {
    std::vector<curriculum_task> const tasks{{.name = "a", .labels = {"cells/a", "class:satisfy", "family:cells"}},
                                             {.name = "b", .weight = 3, .labels = {"class:satisfy", "family:cells"}},
                                             {.name = "rg/c"},
                                             {.name = "d", .labels = {"class:exact"}}};
    auto const with = [&](std::string const& mixing) {
        return curriculum(parse_curriculum_spec(R"({"policy":"static","mixing":)" + mixing + "}"), tasks, 7);
    };
    EXPECT_EQ(permille(with(R"({"groups":[{"tasks":"family:cells","share":400}]})")), (shares_t{100, 300, 300, 300}));
    EXPECT_EQ(permille(with(R"({"groups":[{"tasks":["rg/*","cells/a"],"share":400},{"tasks":"d","share":100}]})")),
              (shares_t{200, 500, 200, 100}));
    curriculum plan = with(R"({"by":"informative","memory":64,"floor":{"class:exact":500,"all":100},)"
                           R"("groups":[{"tasks":"class:satisfy","share":400}]})");
    for (std::int32_t t = 0; t < 4; ++t) {
        saw(plan, t, 1000, t % 2 == 0 ? 2 : 0);
    }
    end(plan);
    // Of 400: 10 and 30 by floor, the other 360 by 1 · 501 to 3 · 1. Of 600: 30 and 150, then 420 by 501 to 1.
    EXPECT_EQ(permille(plan), (shares_t{368, 32, 449, 151}));
    EXPECT_NE(refusal([&] {
                  with(R"({"groups":[{"tasks":"x*","share":400}]})");
              }).find("curriculum.mixing.groups[0].tasks: 'x*' names none of this curriculum's 4 tasks"),
              std::string::npos);
    EXPECT_NE(refusal([&] { with(R"({"by":"progress","floor":{"tag:graph":100}})"); }).find("'tag:graph' names none"),
              std::string::npos);
    EXPECT_NE(refusal([&] {
                  with(R"({"groups":[{"tasks":"a","share":4},{"tasks":"*a","share":4}]})");
              }).find("groups[1].tasks: a is in groups[0], too"),
              std::string::npos);
    EXPECT_NE(refusal([&] { with(R"({"groups":[{"tasks":["a","b"],"share":1000}]})"); }).find("leaves none for rg/c"),
              std::string::npos);
    EXPECT_NE(refusal([&] { with(R"({"groups":[{"tasks":"all","share":999}]})"); }).find("for the other 1"),
              std::string::npos);
    EXPECT_NE(refusal([&] { with(R"({"groups":[{"tasks":"all","share":1000}]})"); }).find("changes nothing"),
              std::string::npos);
    EXPECT_NE(refusal([&] { of_tasks(R"({"mixing":"progress"})", 1); }).find("nothing to mix"), std::string::npos);
}

TEST(curriculum_mixing, counts_groups_by_their_attempts) {
    using enum rollout_outcome;
    auto const counted = [](char const* spec, std::vector<rollout_outcome> const& group) {
        curriculum plan = of_tasks(spec, 2);
        plan.observe(0, difficulty::scale(0), group);
        return plan.delta(0).cells[0].of_groups;
    };
    char const* const apart = R"({"mixing":"informative"})";
    EXPECT_EQ(counted(apart, {correct, wrong}), (informative_counts{1, 1}));
    EXPECT_EQ(counted(apart, {wrong, wrong, truncated}), (informative_counts{1, 0}));
    EXPECT_EQ(counted(apart, {correct, truncated, aborted}), (informative_counts{0, 0})) << "one attempt is no group";
    EXPECT_EQ(counted(R"({"truncated":"as_wrong","mixing":"informative"})", {correct, truncated}),
              (informative_counts{1, 1}));
    EXPECT_EQ(counted(R"({"mixing":{"groups":[{"tasks":"a","share":9}]}})", {correct, wrong}),
              (informative_counts{0, 0}))
        << "shares that do not move need none";
}

TEST(curriculum_mixing, state_reads_back_and_what_is_malformed_is_refused) {
    curriculum plan = of_tasks(R"({"policy":"mixed","mixing":{"by":"progress","memory":8}})", 2);
    for (int step = 0; step < 3; ++step) {
        saw(plan, 0, 6, step, step);
        end(plan);
    }
    saw(plan, 1, 2, 1);
    plan.merge(plan.delta(0));
    std::string const good = plan.state_dict();
    ASSERT_NE(good.find(R"("mix":{"groups":6,"informative":6,"moved":-1,"span":[["d2",24,12]],)"
                        R"("before":[["d0",24,0],["d1",24,6]]})"),
              std::string::npos)
        << good;
    ASSERT_NE(good.find(R"("arrived":[[1,"d0",8,2,0,0,2,2]])"), std::string::npos) << good;
    curriculum other = of_tasks(R"({"policy":"mixed","mixing":{"by":"progress","memory":8}})", 2);
    other.load_state_dict(good);
    EXPECT_EQ(other.state_dict(), good);
    EXPECT_EQ(other.shares(), plan.shares());
    auto const wrong = [&](std::string const& from, std::string const& to, char const* place) {
        std::string text = good;
        std::size_t const at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        EXPECT_NE(refusal([&] { other.load_state_dict(text.replace(at, from.size(), to)); }).find(place),
                  std::string::npos)
            << place;
    };
    wrong(R"("moved":-1)", R"("moved":65537)", "state.tasks[0].mix.moved: 65537 is not an integer from -1 to 65536");
    wrong(R"("informative":6)", R"("informative":7)", "state.tasks[0].mix.informative");
    wrong(R"(["d2",24,12])", R"(["d2",24,25])", "state.tasks[0].mix.span[0]: 25 correct of 24 attempts");
    wrong(R"(["d2",24,12])", R"(["d2",0,0])", "state.tasks[0].mix.span[0][1]: 0 is not an integer from 1");
    wrong(R"(["d2",24,12])", R"(["d2",24])", "state.tasks[0].mix.span[0]: expected 3 entries");
    wrong(R"(["d0",24,0],["d1",24,6])", R"(["d1",24,6],["d0",24,0])", "state.tasks[0].mix.before[1]");
    wrong(R"("mix":{)", R"("mux":{)", "state.tasks[0]: expected an object with the field mix");
    wrong(R"(8,2,0,0,2,2])", R"(8,2,0,0,2,3])", "state.arrived[0]: 3 informative of 2 groups");
    wrong(R"("optgap_curriculum":2)", R"("optgap_curriculum":1)", "1 was saved, this curriculum has 2");
    EXPECT_EQ(other.state_dict(), good) << "a refused text changes nothing";
    curriculum plain = of_tasks("mixed", 2);
    EXPECT_NE(refusal([&] { plain.load_state_dict(good); }).find("2 was saved, this curriculum has 1"),
              std::string::npos);
}

TEST(curriculum_mixing, does_not_touch_a_curriculum_without_it) {
    curriculum plan = of_tasks(R"({"policy":"static","level":"d3","mixing":{"by":"uniform"}})", 3);
    EXPECT_EQ(to_json(plan.spec()).find("mixing"), std::string::npos);
    EXPECT_EQ(plan.shares(), (shares_t{1, 1, 1}));
    saw(plan, 0, 4, 2);
    end(plan);
    EXPECT_NE(plan.state_dict().find(R"("totals":[[0,"d0",16,8,0,0]])"), std::string::npos) << plan.state_dict();
    // Frozen: the draws of this curriculum before mixing was added.
    shares_t drawn;
    for (std::int64_t i = 0; i < 12; ++i) {
        drawn.push_back(plan.draw(i).task);
    }
    EXPECT_EQ(drawn, (shares_t{1, 0, 1, 2, 0, 0, 1, 1, 0, 2, 2, 1}));
}

TEST(curriculum_mixing, shares_of_the_largest_numbers_stay_exact) {
    std::vector<curriculum_task> tasks;
    for (std::int32_t t = 0; t < 2000; ++t) {
        tasks.push_back({.name = "t" + std::to_string(t), .weight = t % 2 == 0 ? 1'000'000 : 1});
    }
    curriculum plan(parse_curriculum_spec(R"({"policy":"static","mixing":{"by":"progress","floor":900,"memory":8}})"),
                    tasks, 1);
    std::int64_t const most = 1'000'000'000'000;
    for (std::int64_t const correct : {std::int64_t(0), most}) {
        plan.merge({plan.current_step(), 0, {{5, difficulty::scale(0), {most, correct, 0, 0}, {most, 0}}}});
        plan.step();
    }
    EXPECT_EQ(plan.mixes()[5].moved, 65536);
    std::int64_t sum = 0;
    for (std::int64_t const share : plan.shares()) {
        EXPECT_GE(share, 1);
        sum += share;
    }
    EXPECT_LE(sum, (std::int64_t(1) << 32) + 2000);
}

TEST(curriculum_mixing, spends_fewer_groups_on_tasks_that_cannot_learn) {
    simulation_options options;
    options.uneven = true;
    options.steps = 150;
    options.seeds = 2;
    auto const run = [&](char const* spec) { return simulate(parse_curriculum_spec(spec), options); };
    simulation_result const even = run("adaptive");
    for (char const* const spec :
         {R"({"policy":"adaptive","mixing":"informative"})", R"({"policy":"adaptive","mixing":"progress"})"}) {
        simulation_result const moved = run(spec);
        EXPECT_GT(moved.teaching, even.teaching) << spec;
        EXPECT_GT(moved.informative, even.informative) << spec;
        EXPECT_GT(moved.lowest, even.highest) << spec;
    }
}

}  // namespace
}  // namespace optgap
