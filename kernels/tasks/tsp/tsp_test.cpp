#include "kernels/tasks/tsp/tsp.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/core/thread_team.hpp"
#include "kernels/tasks/tsp/tsp_fixture.hpp"
#include "kernels/tasks/tsp/tsp_reference.hpp"
#include "kernels/text/task_text.hpp"
#include "tests/support/instance_json.hpp"

extern optgap::task_text const optgap_text_tsp;

namespace {

using namespace optgap;
using namespace optgap::tsp_fixture;
using tasks::tsp::task;

constexpr draw example_source{7, 0xA11CE};

words paper_instance() {
    return optgap::testing::read_instance(optgap_text_tsp,
                                          R"({"distances":[[0,10,15,20],[10,0,35,25],[15,35,0,30],[20,25,30,0]]})");
}

template <class Team>
words generated(Team& team, draw source, difficulty level) {
    words out(std::size_t(task::instance_words(source, level)));
    words scratch(std::size_t(task::generate_scratch_words(source, level)), -1);
    task::generate(team, source, level, out.data(), scratch.data());
    return out;
}

words generated(std::uint64_t seed, difficulty level) {
    solo team;
    return generated(team, {seed, 0xA11CE}, level);
}

verdict verified(words const& instance, words const& block) {
    solo team;
    words scratch(std::size_t(task::scratch_words(view(instance))), -1);
    return task::verify(team, view(instance), view_answer(view(block)), scratch.data());
}

words flat(words cities) {
    cities.insert(cities.begin(), answer_flat);
    return cities;
}

words greedy(words const& instance) {
    solo team;
    words block(std::size_t(task::answer_words(view(instance))));
    words scratch(std::size_t(task::scratch_words(view(instance))), -1);
    block.resize(std::size_t(task::greedy(team, view(instance), block.data(), scratch.data())));
    return block;
}

struct improved {
    improve_result result;
    words block;
};

improved improve(words const& instance, words block, std::int64_t steps, draw source = example_source) {
    solo team;
    std::size_t const size = block.size();
    block.resize(std::max(size, std::size_t(task::answer_words(view(instance)))));
    words scratch(std::size_t(task::improve_scratch_words(view(instance))), -1);
    improve_result const result = task::improve(
        team, view(instance), block.data(), {.answer_words = std::int64_t(size)}, {0, steps}, source, scratch.data());
    block.resize(std::size_t(result.answer_words));
    return {result, block};
}

words small_matrix(std::int32_t n, std::uint32_t seed, std::int32_t low = 1, std::int32_t high = 30) {
    words instance{0, n};
    draw_stream stream({seed, 1}, 0);
    for (std::int32_t k = 0; k < n * (n - 1) / 2; ++k) {
        instance.push_back(stream.uniform(low, high));
    }
    return instance;
}

words ascending(std::int32_t n) {
    words cities(std::size_t(n), 0);
    std::iota(cities.begin(), cities.end(), 0);
    return cities;
}

TEST(tsp, accepts_the_papers_tour_with_and_without_its_closing_city) {
    words const instance = paper_instance();
    EXPECT_EQ(verified(instance, flat({0, 1, 3, 2, 0})), (verdict{code_ok, -1, 80, 0, 8}));
    EXPECT_EQ(verified(instance, flat({0, 1, 3, 2})), (verdict{code_ok, -1, 80, 0, 8}));
    EXPECT_EQ(reference::tsp::optimum(instance), 80);
}

TEST(tsp, rejects_a_repeated_city) {
    words const instance = paper_instance();
    EXPECT_EQ(verified(instance, flat({0, 1, 1, 2})), (verdict{code_repeated, 2, 0, 2, 8}));
    EXPECT_EQ(verified(instance, flat({3, 3, 3, 3})), (verdict{code_repeated, 1, 0, 4, 8}));
    EXPECT_EQ(verified(instance, flat({0, 1, 2, 0})), (verdict{code_repeated, 3, 0, 2, 8}));
    EXPECT_EQ(verified(instance, flat({0, 1, 2, 2, 0})), (verdict{code_repeated, 3, 0, 2, 8}));
    EXPECT_EQ(verified(instance, flat({0, 1, 3, 2, 0, 1})).code, code_repeated);
    EXPECT_EQ(verified(instance, flat(words(100'000, 2))).where, 1);
}

TEST(tsp, rejects_a_city_outside_the_graph_before_anything_else) {
    words const instance = paper_instance();
    EXPECT_EQ(verified(instance, flat({0, 0, 4, -1})), (verdict{code_out_of_range, 2, 0, 8, 8}));
    EXPECT_EQ(verified(instance, flat({INT32_MIN, 1, 2, 3})), (verdict{code_out_of_range, 0, 0, 8, 8}));
    EXPECT_EQ(verified(instance, flat({0, 1, 2, INT32_MAX})), (verdict{code_out_of_range, 3, 0, 8, 8}));
    EXPECT_EQ(verified(instance, flat({9, 1, 2, 3, 9})), (verdict{code_out_of_range, 0, 0, 8, 8}));
}

TEST(tsp, rejects_a_tour_that_leaves_cities_out) {
    words const instance = paper_instance();
    EXPECT_EQ(verified(instance, flat({2})), (verdict{code_wrong_length, -1, 0, 3, 8}));
    EXPECT_EQ(verified(instance, flat({0, 2, 1})), (verdict{code_wrong_length, -1, 0, 1, 8}));
}

TEST(tsp, rejects_words_lists_of_lists_and_the_empty_list) {
    words const instance = paper_instance();
    EXPECT_EQ(verified(instance, {answer_word, 0}), (verdict{code_unparsable, -1, 0, 8, 8}));
    EXPECT_EQ(verified(instance, {1, 4, 0, 1, 3, 2}), (verdict{code_bad_depth, -1, 0, 8, 8}));
    EXPECT_EQ(verified(instance, {2, 0, 0}), (verdict{code_bad_depth, -1, 0, 8, 8}));
    EXPECT_EQ(verified(instance, {answer_flat}), (verdict{code_empty, -1, 0, 8, 8}));
    EXPECT_EQ(verified(instance, {0}), (verdict{code_empty, -1, 0, 8, 8}));
}

TEST(tsp, agrees_with_the_reference_on_tours_and_near_tours) {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        words const instance = small_matrix(3 + std::int32_t(seed % 9), seed);
        draw_stream stream({seed, 2}, 0);
        words cities = ascending(instance[1]);
        shuffle(stream, cities.data(), instance[1]);
        if (stream.chance(300)) {
            cities.push_back(cities[0]);
        }
        for (std::int32_t fault = stream.uniform(0, 3); fault > 0; --fault) {
            cities[std::size_t(stream.uniform(0, std::int32_t(cities.size()) - 1))] = stream.uniform(-1, instance[1]);
        }
        if (stream.chance(200)) {
            cities.resize(std::size_t(stream.uniform(1, 2 * instance[1])), 1);
        }
        words const block = flat(cities);
        EXPECT_EQ(verified(instance, block), reference::tsp::verify(instance, block)) << "seed " << seed;
    }
}

TEST(tsp, keeps_the_papers_sizes_and_weights) {
    std::int32_t const low[] = {10, 20, 35, 45};
    std::int32_t const high[] = {20, 30, 45, 55};
    for (std::int32_t level = 0; level < 4; ++level) {
        std::set<std::int32_t> sizes;
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            words const instance = generated(seed, {level - 4});
            sizes.insert(instance[1]);
            EXPECT_EQ(task::check(view(instance)), nullptr);
            EXPECT_GE(*std::min_element(instance.begin() + 2, instance.end()), 10);
            EXPECT_LE(*std::max_element(instance.begin() + 2, instance.end()), 100);
        }
        EXPECT_EQ(*sizes.begin(), low[level]);
        EXPECT_EQ(*sizes.rbegin(), high[level]);
    }
}

TEST(tsp, never_shrinks_along_the_scale) {
    std::int32_t last = 0;
    for (std::int32_t d = 0; d < 3000; ++d) {
        tasks::tsp::scale_step const step(d);
        EXPECT_GE(step.n, std::max(last, 5));
        last = step.n;
    }
    EXPECT_EQ(tasks::tsp::scale_step(0).n, 5);
    EXPECT_EQ(tasks::tsp::scale_step(28).n, 47);
    EXPECT_EQ(last, 1997);
    EXPECT_EQ(tasks::tsp::scale_step(max_scale_step).n, 1997);
    EXPECT_EQ(tasks::tsp::scale_step(max_scale_step).structured, 849);
    for (std::int32_t const d : {0, 1, 2, 10, 45}) {
        words const instance = generated(3, difficulty::scale(d));
        EXPECT_EQ(task::check(view(instance)), nullptr);
        EXPECT_EQ(instance[1], tasks::tsp::scale_step(d).n);
        EXPECT_GE(*std::min_element(instance.begin() + 2, instance.end()), 10);
        EXPECT_LE(*std::max_element(instance.begin() + 2, instance.end()), 100);
    }
}

TEST(tsp, repeats_its_draws_and_changes_them_with_seed_and_domain) {
    solo team;
    difficulty const level = difficulty::benchmark();
    EXPECT_EQ(generated(5, level), generated(5, level));
    EXPECT_NE(generated(5, level), generated(6, level));
    EXPECT_NE(generated(team, {5, 1}, level), generated(team, {5, 2}, level));
}

TEST(tsp, starts_from_the_constant_tour_and_the_nearest_neighbours) {
    solo team;
    words const instance = paper_instance();
    words block(5);
    EXPECT_EQ(task::floor(team, view(instance), block.data(), nullptr), 5);
    EXPECT_EQ(block, flat({0, 1, 2, 3}));
    EXPECT_EQ(greedy(instance), flat({0, 1, 3, 2}));
    EXPECT_EQ(greedy({0, 4, 5, 5, 5, 5, 5, 5}), flat({0, 1, 2, 3})) << "ties go to the smaller index";
}

TEST(tsp, improves_small_instances_to_their_optimum) {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        words const instance = small_matrix(3 + std::int32_t(seed % 8), seed);
        improved const found = improve(instance, greedy(instance), 400);
        EXPECT_EQ(found.result.objective, *reference::tsp::optimum(instance)) << "seed " << seed;
        EXPECT_EQ(verified(instance, found.block).objective, found.result.objective);
    }
}

TEST(tsp, never_loses_by_more_steps_and_reports_what_it_wrote) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        words const instance = generated(seed, difficulty::medium());
        words const start = greedy(instance);
        std::int64_t last = verified(instance, start).objective;
        for (std::int64_t const steps : {0, 1, 2, 3, 5, 8, 13, 30, 31, 60}) {
            improved const found = improve(instance, start, steps);
            EXPECT_EQ(found.result.start_objective, verified(instance, start).objective);
            EXPECT_LE(found.result.objective, last);
            EXPECT_LE(found.result.moves, steps);
            EXPECT_EQ(verified(instance, found.block),
                      (verdict{code_ok, -1, found.result.objective, 0, 2 * instance[1]}));
            last = found.result.objective;
        }
    }
}

TEST(tsp, makes_each_move_at_the_price_it_was_rated_at) {
    for (std::int32_t n = 4; n < 24; ++n) {
        for (std::uint32_t seed = 0; seed < 6; ++seed) {
            words const instance = small_matrix(n, seed);
            solo team;
            words memory(std::size_t(tasks::tsp::square_search<16>::words(n)), -1);
            tasks::tsp::square_search<16> search(view(instance), memory.data());
            words near(std::size_t(tasks::tsp::neighbour_search::words(n)), -1);
            search.load(team, view(instance));
            std::iota(search.tour.at, search.tour + n, 0);
            search.permute(team, 0, n - 1);
            std::int64_t evaluations = 0;
            for (auto move = search.scan(team, evaluations); move.delta < 0; move = search.scan(team, evaluations)) {
                std::int64_t const length = search.length(team);
                search.apply(team, move);
                EXPECT_EQ(search.length(team), length + move.delta);
                EXPECT_TRUE(verified(instance, flat(words(search.tour.at, search.tour + n))).feasible());
            }
            if (n < 10) {
                continue;
            }
            tasks::tsp::neighbour_search listed(view(instance), near.data());
            listed.load(team, view(instance));
            std::iota(listed.tour, listed.tour + n, 0);
            listed.permute(team, 0, n - 1);
            for (auto move = listed.scan(team, evaluations); move.delta < 0; move = listed.scan(team, evaluations)) {
                std::int64_t const length = listed.length(team);
                listed.apply(team, move);
                EXPECT_EQ(listed.length(team), length + move.delta);
                EXPECT_TRUE(verified(instance, flat(words(listed.tour, listed.tour + n))).feasible());
            }
        }
    }
}

TEST(tsp, finds_the_best_of_all_moves) {
    for (std::int32_t n = 4; n < 14; ++n) {
        words const instance = small_matrix(n, std::uint32_t(n));
        solo team;
        words memory(std::size_t(tasks::tsp::square_search<16>::words(n)), -1);
        tasks::tsp::square_search<16> search(view(instance), memory.data());
        search.load(team, view(instance));
        std::iota(search.tour.at, search.tour + n, 0);
        search.permute(team, 0, n - 1);
        std::int64_t const length = search.length(team);
        words const tour = ascending(n);
        std::int64_t best = 0;
        auto const rate = [&](words const& cities) {
            best = std::min(best, reference::tsp::verify(instance, flat(cities)).objective - length);
        };
        for (std::ptrdiff_t i = 0; i < n; ++i) {
            for (std::ptrdiff_t j = i + 1; j < n; ++j) {
                words reversed = tour;
                std::reverse(reversed.begin() + i, reversed.begin() + j + 1);
                rate(reversed);
            }
            for (std::ptrdiff_t size = 1; size <= std::min(3, n - 2); ++size) {
                words rotated = tour;
                std::rotate(rotated.begin(), rotated.begin() + i, rotated.end());
                words segment(rotated.begin(), rotated.begin() + size);
                for (int turned = 0; turned < 2; ++turned) {
                    for (std::ptrdiff_t place = 0; place <= n - size; ++place) {
                        words moved(rotated.begin() + size, rotated.end());
                        moved.insert(moved.begin() + place, segment.begin(), segment.end());
                        rate(moved);
                    }
                    std::reverse(segment.begin(), segment.end());
                }
            }
        }
        std::int64_t evaluations = 0;
        EXPECT_EQ(search.scan(team, evaluations).delta, best) << "n = " << n;
    }
}

TEST(tsp, leaves_an_infeasible_start_as_it_is) {
    words const instance = paper_instance();
    improved const found = improve(instance, flat({0, 1, 1, 2}), 50);
    EXPECT_EQ(found.block, flat({0, 1, 1, 2}));
    EXPECT_EQ(found.result, (improve_result{.answer_words = 5}));
}

TEST(tsp, improves_more_cities_than_the_matrix_search_takes) {
    words const instance = small_matrix(tasks::tsp::matrix_cities + 30, 3, 10, 1000);
    words const start = greedy(instance);
    improved const found = improve(instance, start, 120);
    EXPECT_LT(found.result.objective, found.result.start_objective);
    EXPECT_EQ(verified(instance, found.block).objective, found.result.objective);
    EXPECT_LE(improve(instance, start, 60).result.start_objective, found.result.start_objective);
}

TEST(tsp, gives_the_same_bytes_for_a_team_of_five) {
    for (difficulty const level : {difficulty::easy(), difficulty::scale(4)}) {
        words const instance = generated(11, level);
        words const start = greedy(instance);
        improved const alone = improve(instance, start, 6);
        verdict const bad = verified(instance, flat({1, 0, 1, 3, 3}));
        words shared_instance(instance.size());
        words shared_scratch(std::size_t(task::improve_scratch_words(view(instance))), -1);
        words shared_start(start.size());
        words shared_block = start;
        words const repeated = flat({1, 0, 1, 3, 3});
        std::int64_t objective = 0;
        verdict fault;
        improve_result result;
        run_as_team<5>([&](auto& team) {
            task::generate(team, {11, 0xA11CE}, level, shared_instance.data(), shared_scratch.data());
            task::greedy(team, view(instance), shared_start.data(), shared_scratch.data());
            verdict const tour = task::verify(team, view(instance), view_answer(view(start)), shared_scratch.data());
            team.sync();
            verdict const other =
                task::verify(team, view(instance), view_answer(view(repeated)), shared_scratch.data());
            team.sync();
            improve_result const mine =
                task::improve(team, view(instance), shared_block.data(), {.answer_words = std::int64_t(start.size())},
                              {0, 6}, example_source, shared_scratch.data());
            if (team.rank() == 3) {
                objective = tour.objective;
                fault = other;
                result = mine;
            }
        });
        EXPECT_EQ(shared_instance, instance);
        EXPECT_EQ(shared_start, start);
        EXPECT_EQ(objective, verified(instance, start).objective);
        EXPECT_EQ(fault, bad);
        EXPECT_EQ(result, alone.result);
        EXPECT_EQ(shared_block, alone.block);
    }
}

TEST(tsp, proves_small_instances) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        words const instance = small_matrix(3 + std::int32_t(seed % 9), seed, 0, seed % 3 == 0 ? 3 : 40);
        words scratch(std::size_t(task::exact_scratch_words(view(instance))), -1);
        words block(std::size_t(task::answer_words(view(instance))));
        solve_result const found = task::exact(view(instance), task::default_budget, block.data(), scratch.data());
        ASSERT_EQ(found.status, baseline_status::optimal) << "seed " << seed;
        EXPECT_EQ(found.objective, *reference::tsp::optimum(instance));
        EXPECT_EQ(found.bound, found.objective);
        block.resize(std::size_t(found.answer_words));
        EXPECT_EQ(verified(instance, block).objective, found.objective);
    }
}

}  // namespace
