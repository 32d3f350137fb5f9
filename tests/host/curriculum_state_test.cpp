// Ranks that see parts of the outcomes, in any order, killed and resumed, end in the same bytes.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "optgap/curriculum.hpp"
#include "optgap/status.hpp"
#include "tests/support/sample.hpp"

namespace optgap {
namespace {

std::vector<curriculum_task> three_tasks() { return {{.name = "a"}, {.name = "b"}, {.name = "c", .weight = 2}}; }

curriculum fresh(std::string const& spec) { return {parse_curriculum_spec(spec), three_tasks(), 11}; }

struct observed_group {
    curriculum_draw what;
    std::vector<rollout_outcome> rollouts;
};

/// The groups of a step: harder levels succeed less, some rollouts are cut off. Depends on the draws alone.
std::vector<observed_group> groups_of(curriculum const& plan) {
    std::vector<observed_group> out;
    for (std::int64_t i = 0; i < 150; ++i) {
        observed_group group{plan.draw(i), {}};
        std::mt19937_64 chance(group.what.seed);
        for (std::int32_t k = 0; k < 16; ++k) {
            std::int32_t const roll = std::int32_t(chance() % 1000);
            std::int32_t const ability = std::int32_t(plan.current_step() / 3 % 7);
            std::int32_t const limit = 985 - 60 * std::max(0, group.what.level.code - ability);
            group.rollouts.push_back(roll >= 995     ? rollout_outcome::aborted
                                     : roll >= 985   ? rollout_outcome::truncated
                                     : roll >= limit ? rollout_outcome::wrong
                                                     : rollout_outcome::correct);
        }
        out.push_back(std::move(group));
    }
    return out;
}

/// Runs `steps` steps over `ranks` processes that get the groups in random order. At every `kill_every`-th merge the
/// state is written to text and read by a new process.
std::string run(std::string const& spec, std::int32_t steps, std::size_t ranks, std::uint64_t order_seed,
                std::size_t kill_every) {
    std::mt19937_64 random(order_seed);
    curriculum shared = fresh(spec);
    std::size_t merges = 0;
    for (std::int32_t step = 0; step < steps; ++step) {
        std::vector<observed_group> groups = groups_of(shared);
        std::shuffle(groups.begin(), groups.end(), random);
        std::vector<std::string> deltas;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            curriculum process = fresh(spec);
            process.load_state_dict(shared.state_dict());
            for (std::size_t g = rank; g < groups.size(); g += ranks) {
                process.observe(groups[g].what.task, groups[g].what.level, groups[g].rollouts);
            }
            deltas.push_back(to_json(process.delta(std::int32_t(rank))));
        }
        std::shuffle(deltas.begin(), deltas.end(), random);
        for (std::string const& delta : deltas) {
            EXPECT_TRUE(shared.merge(parse_curriculum_delta(delta)));
            EXPECT_FALSE(shared.merge(parse_curriculum_delta(delta)));
            if (++merges % kill_every == 0) {
                std::string const saved = shared.state_dict();
                shared = fresh(spec);
                shared.load_state_dict(saved);
                EXPECT_FALSE(shared.merge(parse_curriculum_delta(delta)));
                EXPECT_EQ(shared.state_dict(), saved);
            }
        }
        shared.step();
    }
    return shared.state_dict();
}

TEST(curriculum_state, does_not_depend_on_sharding_order_or_restarts) {
    std::int32_t const steps = testing::repeats(20);
    for (char const* const spec :
         {"adaptive", R"({"policy":"adaptive","choice":"uniform"})", "window", "window_public_code", "stages", "static",
          R"({"policy":"static","range":[0,5]})", "beta", "replay",
          R"({"policy":"adaptive","mixing":{"by":"informative","memory":8,"groups":[{"tasks":"a","share":300}]}})",
          R"({"policy":"mixed","mixing":{"by":"progress","memory":8,"floor":{"b":500}}})",
          R"({"policy":"static","mixing":{"groups":[{"tasks":["a","b"],"share":900}]}})"}) {
        std::string const one = run(spec, steps, 1, 1, 1000);
        EXPECT_EQ(run(spec, steps, 4, 2, 7), one) << spec;
        EXPECT_EQ(run(spec, steps, 9, 3, 10), one) << spec;
    }
    for (char const* const spec : {"adaptive", "beta"}) {
        EXPECT_EQ(run(spec, steps, 64, 3, 100), run(spec, steps, 1, 1, 1000)) << spec;
    }
    std::string const moved = run("adaptive", steps, 1, 1, 1000);
    EXPECT_EQ(moved.find(R"("low":0,"high":3)"), std::string::npos) << "the windows should have moved: " << moved;
}

TEST(curriculum_state, a_delta_is_repeated_until_the_step_ends_and_later_outcomes_come_after_it) {
    curriculum plan = fresh("adaptive");
    std::vector<rollout_outcome> const right{rollout_outcome::correct};
    plan.observe(0, difficulty::scale(0), right);
    curriculum_delta const first = plan.delta(3);
    plan.observe(1, difficulty::scale(2), right);
    EXPECT_EQ(plan.delta(3), first);
    EXPECT_THROW(plan.delta(4), error);
    EXPECT_TRUE(plan.merge(first));
    EXPECT_FALSE(plan.merge(first));
    plan.step();
    EXPECT_THROW(plan.merge(first), error) << "it belongs to the step before";
    EXPECT_EQ(plan.delta(3), (curriculum_delta{1, 3, {{1, difficulty::scale(2), {1, 1, 0, 0}}}}));
    ASSERT_EQ(plan.totals().size(), 1U);
    EXPECT_EQ(plan.totals()[0].counts.correct, 1);
}

TEST(curriculum_state, many_groups_between_two_deltas_add_up) {
    curriculum plan = fresh("window");
    std::vector<rollout_outcome> const group(2, rollout_outcome::correct);
    for (std::int32_t i = 0; i < 20'000; ++i) {
        plan.observe(i % 3, difficulty::scale(i % 5), group);
    }
    std::int64_t sum = 0;
    for (curriculum_cell const& cell : plan.delta(0).cells) {
        sum += cell.counts.correct;
    }
    EXPECT_EQ(plan.delta(0).cells.size(), 15U);
    EXPECT_EQ(sum, 40'000);
}

void expect_refused(auto const& call, std::string const& place, std::string const& rule) {
    try {
        call();
        ADD_FAILURE() << "accepted: " << place;
    } catch (error const& refused) {
        EXPECT_EQ(refused.code(), status::invalid_argument);
        EXPECT_NE(std::string(refused.what()).find(place), std::string::npos) << refused.what();
        EXPECT_NE(std::string(refused.what()).find(rule), std::string::npos) << refused.what();
    }
}

std::string replaced(std::string text, std::string const& from, std::string const& to) {
    std::size_t const at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from << " in " << text;
    return text.replace(at, from.size(), to);
}

TEST(curriculum_state, that_is_malformed_is_refused_with_place_and_rule) {
    curriculum plan = fresh("adaptive");
    plan.merge({0, 5, {{0, difficulty::scale(1), {9, 4, 1, 0}}, {1, difficulty::scale(0), {9, 9, 0, 0}}}});
    plan.step();
    plan.merge({1, 2, {{0, difficulty::scale(1), {3, 3, 0, 0}}}});
    std::string const good = plan.state_dict();
    struct change {
        char const* from;
        char const* to;
        char const* place;
        char const* rule;
    };
    for (change const& c : std::vector<change>{
             {R"("step":1)", R"("step":-1)", "state.step", "-1 is not an integer"},
             {R"("step":1)", R"("step":1.5)", "state.step", "1.5 is not an integer"},
             {R"("step":1)", R"("stop":1)", "state", "field step"},
             {R"("seed":11)", R"("seed":12)", "state.seed", "12 was saved, this curriculum has 11"},
             {R"("width":4)", R"("width":5)", "state.spec", "was saved"},
             {R"("name":"b")", R"("name":"x")", "state.tasks[1].name", "\"x\" was saved"},
             {R"("optgap_curriculum":1)", R"("optgap_curriculum":2)", "state.optgap_curriculum", "2 was saved"},
             {R"("high":3)", R"("high":-3)", "state.tasks[0].high", "-3 is not an integer from 0"},
             {R"("high":3)", R"("high":4)", "state.tasks[0]", "more than the window's 4"},
             {R"("high":3)", R"("high":2)", "state.tasks[0].since", "expected 3 entries, got 4"},
             {R"("learning")", R"("asleep")", "state.tasks[0].status", "not one of learning"},
             {R"("merged":[2])", R"("merged":[2,2])", "state.merged[1]", "2 is not an integer from 3"},
             {R"([0,"d1",9,4,1,0])", R"([0,"d1",9,4,1])", "state.totals[0]", "expected 6 entries, got 5"},
             {R"([0,"d1",9,4,1,0])", R"([0,"d1",9,10,1,0])", "state.totals[0]", "10 correct of 9 attempts"},
             {R"([0,"d1",9,4,1,0])", R"([0,"d1",9,-4,1,0])", "state.totals[0][3]", "-4 is not an integer"},
             {R"([0,"d1",9,4,1,0])", R"([0,"d1",18446744073709551615,4,1,0])", "state.totals[0][2]", "not an integer"},
             {R"([0,"d1",9,4,1,0])", R"([0,"bad",9,4,1,0])", "state.totals[0][1]", "bad"},
             {R"([0,"d1",9,4,1,0])", R"([0,7,9,4,1,0])", "state.totals[0][1]", "7 is not the name of a level"},
             {R"([0,"d1",9,4,1,0])", R"([3,"d1",9,4,1,0])", "state.totals[0]", "task 3 is not one of 3"},
             {R"([0,"d1",9,4,1,0])", R"([1,"d1",9,4,1,0])", "state.totals[1]", "does not come after"},
             {R"("totals":[)", R"("totals":{"a":[)", "state", "JSON object"},
         }) {
        expect_refused([&] { plan.load_state_dict(replaced(good, c.from, c.to)); }, c.place, c.rule);
    }
    for (char const* const text : {"", "[]", "{", "7", "null"}) {
        expect_refused([&] { plan.load_state_dict(text); }, "state", "JSON object");
    }
    EXPECT_EQ(plan.state_dict(), good) << "a refused text changes nothing";
    for (std::size_t size = 0; size < good.size(); ++size) {
        EXPECT_THROW(plan.load_state_dict(good.substr(0, size)), error);
    }
    plan.load_state_dict(good);
    EXPECT_EQ(plan.state_dict(), good);
}

TEST(curriculum_state, of_a_range_keeps_to_it) {
    for (char const* const spec : {"beta", "replay"}) {
        curriculum plan(parse_curriculum_spec("{\"policy\":\"" + std::string(spec) + "\",\"range\":[1,2]}"),
                        three_tasks(), 11);
        plan.merge({0, 0, {{0, difficulty::scale(1), {9, 4, 1, 0}}, {1, difficulty::scale(2), {9, 9, 0, 0}}}});
        plan.step();
        std::string const good = plan.state_dict();
        auto const wrong = [&](char const* from, char const* to, char const* place, char const* rule) {
            expect_refused([&] { plan.load_state_dict(replaced(good, from, to)); }, place, rule);
        };
        wrong(R"("low":1)", R"("low":0)", "state.tasks[0].low", "0 was saved, this curriculum has 1");
        wrong(R"("high":2)", R"("high":1)", "state.tasks[0].high", "1 was saved");
        wrong(R"("since":[[9,4,1,0],[0,0,0,0]])", R"("since":[[9,4,1,0]])", "state.tasks[0].since", "expected 2");
        if (spec == std::string("replay")) {
            wrong(R"("seen":[0,-1])", R"("seen":[1,-1])", "state.tasks[0].seen[0]", "1 is not an integer from -1 to 0");
            wrong(R"("seen":[0,-1])", R"("seen":[0])", "state.tasks[0].seen", "expected 2 entries");
            wrong(R"("seen":[0,-1])", R"("been":[0,-1])", "state.tasks[0]", "field seen");
        }
        EXPECT_EQ(plan.state_dict(), good);
        plan.load_state_dict(good);
        EXPECT_EQ(plan.state_dict(), good);
    }
}

/// As written by the version before `choice` and `below`.
constexpr char const* state_before =
    R"({"optgap_curriculum":1,"spec":{"policy":"adaptive","rollouts":16,"samples":0,"accuracy":0.9,"width":4,)"
    R"("truncated":"apart","up":0.5,"down":0.1,"z":2.576,"memory":2048,"threshold":1.0,"max_prompt_chars":0},"seed":11,)"
    R"("step":3,"tasks":[{"name":"a","weight":1,"low":2,"high":5,"status":"learning","since":[[8,4,0,0],[0,0,0,0],)"
    R"([0,0,0,0],[0,0,0,0]]},{"name":"b","weight":1,"low":0,"high":3,"status":"learning","since":[[0,0,0,0],[0,0,0,0],)"
    R"([0,0,0,0],[0,0,0,0]]},{"name":"c","weight":2,"low":0,"high":3,"status":"learning","since":[[0,0,0,0],)"
    R"([0,0,0,0],[0,0,0,0],[0,0,0,0]]}],"merged":[],"arrived":[],"totals":[]})";

TEST(curriculum_state, of_the_version_before_continues) {
    curriculum plan = fresh("adaptive");
    plan.load_state_dict(state_before);
    EXPECT_EQ(plan.windows()[0].low, 2);
    EXPECT_EQ(plan.windows()[0].below, std::vector<rollout_counts>(2)) << "nothing is known of the steps below";
    for (std::int64_t i = 0; i < 200; ++i) {
        EXPECT_GE(plan.draw(i).level.code, plan.draw(i).task == 0 ? 2 : 0) << "so they are not given";
    }
    std::string const saved = plan.state_dict();
    plan.load_state_dict(saved);
    EXPECT_EQ(plan.state_dict(), saved);
    expect_refused([&] { plan.load_state_dict(replaced(saved, R"("below":[[0,0,0,0],)", R"("below":[)")); },
                   "state.tasks[0].below", "expected 2 entries, got 1");
    curriculum uniform = fresh(R"({"policy":"adaptive","choice":"uniform"})");
    expect_refused([&] { uniform.load_state_dict(state_before); }, "state.spec", "was saved");
}

TEST(curriculum_state, a_delta_that_breaks_a_rule_is_refused_whole) {
    curriculum plan = fresh("adaptive");
    std::string const before = plan.state_dict();
    auto const cell = [](std::int32_t task, std::int32_t d, rollout_counts counts) {
        return curriculum_cell{task, {d}, counts};
    };
    expect_refused([&] { plan.merge({1, 0, {}}); }, "delta.step", "at step 0");
    expect_refused([&] { plan.merge({0, -1, {}}); }, "delta.rank", "below 0");
    expect_refused([&] { plan.merge({0, 0, {cell(0, 0, {1, 1, 0, 0}), cell(3, 0, {})}}); }, "delta.cells[1]", "task 3");
    expect_refused([&] { plan.merge({0, 0, {cell(0, -5, {})}}); }, "delta.cells[0]", "level of code -5");
    expect_refused([&] { plan.merge({0, 0, {cell(0, 0, {1, 2, 0, 0})}}); }, "delta.cells[0]", "2 correct of 1");
    expect_refused([&] { plan.merge({0, 0, {cell(0, 0, {INT64_MAX, 2, 0, 0})}}); }, "delta.cells[0]", "counts");
    expect_refused([&] { plan.merge({0, 0, {cell(0, 1, {}), cell(0, 1, {})}}); }, "delta.cells[1]", "come after");
    expect_refused([&] { plan.observe(3, difficulty::scale(0), {}); }, "observe", "task 3");
    expect_refused([] { parse_curriculum_delta(R"({"step":0,"rank":0,"cells":[[0,"d1",1]]})"); }, "delta.cells[0]",
                   "6");
    EXPECT_EQ(plan.state_dict(), before);
}

TEST(curriculum_specs, read_back_to_themselves_and_name_what_is_wrong) {
    for (char const* const spec :
         {"static", "window", "window_public_code", "stages", "mixed", "adaptive", "beta", "replay",
          R"({"policy":"static","mixing":"informative"})",
          R"({"policy":"beta","mixing":{"by":"progress","memory":99,"floor":{"class:exact":300,"all":100}}})",
          R"({"policy":"window","mixing":{"groups":[{"tasks":["a*","b"],"share":400},{"tasks":"c","share":300}]}})",
          R"({"policy":"static","range":[3,9]})", R"({"policy":"adaptive","choice":"uniform"})",
          R"({"policy":"beta","range":[0,7],"target":0.4,"decay":0.9})",
          R"({"policy":"replay","range":[1,7],"stale":0.4,"rank_power":2})",
          R"({"policy":"window","accuracy":0.8,"width":7,"truncated":"as_wrong"})"}) {
        std::string const text = to_json(parse_curriculum_spec(spec));
        EXPECT_EQ(to_json(parse_curriculum_spec(text)), text);
    }
    EXPECT_EQ(parse_curriculum_spec("mixed").order, stage_order::mixed);
    EXPECT_EQ(parse_curriculum_spec("window_public_code").rule, window_rule::public_code);
    auto const wrong = [](char const* text, char const* place) {
        expect_refused([&] { parse_curriculum_spec(text); }, place, "");
    };
    wrong("fancy", "curriculum.policy");
    wrong(R"({"policy":"static","level":"silly"})", "curriculum.level");
    wrong(R"({"policy":"static","width":4})", "curriculum.width is not a field of the policy static");
    wrong(R"({"policy":"static","range":[0,20],"level":"d3"})", "a level or a range, not both");
    wrong(R"({"policy":"static","range":[5,4]})", "curriculum.range[1]");
    wrong(R"({"policy":"static","range":[-1,4]})", "curriculum.range[0]");
    wrong(R"({"policy":"static","range":7})", "curriculum.range");
    wrong(R"({"policy":"beta","range":[0,1000]})", "more than 1000 steps");
    wrong(R"({"policy":"window","range":[0,9]})", "curriculum.range is not a field of the policy window");
    wrong(R"({"policy":"beta","target":0})", "curriculum.target");
    wrong(R"({"policy":"beta","decay":1.1})", "curriculum.decay");
    wrong(R"({"policy":"beta","stale":0.1})", "curriculum.stale is not a field");
    wrong(R"({"policy":"replay","decay":0.1})", "curriculum.decay is not a field");
    wrong(R"({"policy":"replay","rank_power":41})", "curriculum.rank_power");
    wrong(R"({"policy":"adaptive","choice":"best"})", "curriculum.choice");
    wrong(R"({"policy":"window","up":0.5})", "curriculum.up");
    wrong(R"({"policy":"stages","mixture":[5,4]})", "curriculum.mixture");
    wrong(R"({"policy":"stages","mixture":[0,0,0]})", "curriculum.mixture");
    wrong(R"({"policy":"adaptive","up":0.1,"down":0.2})", "curriculum.down");
    wrong(R"({"policy":"adaptive","accuracy":1})", "curriculum.accuracy");
    wrong(R"({"policy":"adaptive","max_prompt_chars":-1})", "curriculum.max_prompt_chars");
    wrong(R"({"mixing":"fancy"})", "curriculum.mixing: \"fancy\" is not one of uniform, informative, progress");
    wrong(R"({"mixing":{"by":7}})", "curriculum.mixing.by");
    wrong(R"({"mixing":{"by":"uniform","floor":200}})", "curriculum.mixing.floor is not read where by is uniform");
    wrong(R"({"mixing":{"memory":64}})", "curriculum.mixing.memory is not read where by is uniform");
    wrong(R"({"mixing":{"by":"progress","speed":2}})", "curriculum.mixing.speed is not a field of mixing");
    wrong(R"({"mixing":{"by":"progress","floor":901}})", "curriculum.mixing.floor: 901 is not an integer from 10");
    wrong(R"({"mixing":{"by":"progress","floor":{"tag:graph":0}}})", "curriculum.mixing.floor.tag:graph: 0 is not");
    wrong(R"({"mixing":{"by":"progress","floor":{}}})", "curriculum.mixing.floor: names no task");
    wrong(R"({"mixing":{"by":"progress","memory":7}})", "curriculum.mixing.memory: 7 is not an integer from 8");
    wrong(R"({"mixing":{"groups":[]}})", "curriculum.mixing.groups: expected a list");
    wrong(R"({"mixing":{"groups":[{"tasks":"a"}]}})", "curriculum.mixing.groups[0]: expected both tasks and share");
    wrong(R"({"mixing":{"groups":[{"tasks":3,"share":9}]}})", "curriculum.mixing.groups[0].tasks: 3 is no name");
    wrong(R"({"mixing":{"groups":[{"tasks":"a","share":0}]}})", "curriculum.mixing.groups[0].share: 0 is not");
    wrong(R"({"mixing":{"groups":[{"tasks":"a","share":600},{"tasks":"b","share":600}]}})", "add up to 1200 permille");
}

}  // namespace
}  // namespace optgap
