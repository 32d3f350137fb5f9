// Searches over columns in device memory give the host call's bytes, and sets generated on the GPU give the host's
// words.

#include <algorithm>
#include <span>
#include <string>

#include "tests/resident/queued_verbs.hpp"

namespace optgap::testing {
namespace {

using resident_search = resident_columns;

TEST_F(resident_search, improve_gives_the_host_call_s_bytes_on_every_task_and_what_it_found_is_verified_where_it_lies) {
    answered const all = all_tasks_answered(1, 2);
    std::int64_t const steps = 7;
    improved_batch const expected =
        cpu_engine().improve(all.instances.view(), all.answers.view(), steps, 3, all.instance_of);
    std::vector<verdict> const judged =
        cpu_engine().verify(all.instances.view(), expected.answers.view(), all.instance_of);
    engine const by = made();
    device_store store(by, {.memory = roomy});
    device_set const set = store.keep(all.specs);
    own_stream const mine;
    answers_there const there(all, mine.get());
    std::int64_t const rows = all.answers.rows();
    std::int64_t const room = room_for(set, all.answers);
    for (std::uint64_t seed = 0; seed < schedules() / 3; ++seed) {
        runtime::set_order(seed);
        found_there const found(rows, room);
        device_column<verdict> const out(judged.size());
        runtime::expect_nothing_waits(mine.get(), [&] {
            std::uint64_t const call = store.improve(set, there.view, steps, 3, found.view(rows, room), mine.get());
            EXPECT_EQ(store.verify(set, found.answers(rows, room, there.view.instance_of), out.get(), mine.get()),
                      call + 1);
        });
        expect_found(found, expected, mine.get(), "schedule " + std::to_string(seed));
        ASSERT_EQ(out.read(mine.get()), judged) << "schedule " << seed;
        ASSERT_EQ(runtime::complaints(), std::vector<std::string>()) << "schedule " << seed;
    }
    store.wait();
}

/// The store's memory holds what a search keeps from launch to launch. A task without a search takes one launch.
TEST_F(resident_search, a_search_cut_into_launches_of_any_number_of_steps_is_one_search_in_a_graph_too) {
    answered const all = all_tasks_answered(1, 2);
    std::int64_t const steps = 7;
    improved_batch const expected =
        cpu_engine().improve(all.instances.view(), all.answers.view(), steps, 3, all.instance_of);
    engine const by = made();
    std::span<task_info const> const tasks = by.tasks();
    std::int64_t const searches = std::ranges::count_if(tasks, [](task_info const& task) { return task.improves; });
    ASSERT_GT(searches, 10);
    own_stream const mine;
    answers_there const there(all, mine.get());
    std::int64_t const rows = all.answers.rows();
    std::int64_t uncut = 0;
    std::int64_t once_more = 0;  // cost of one further launch of every search
    for (std::int64_t const cut : {steps, steps - 1, std::int64_t(3), std::int64_t(1)}) {
        // Few pieces, since a blocked stream holds a thousand launches before queueing waits.
        device_store store(by, {.memory = 2 * roomy, .steps_a_launch = cut});
        device_set const set = store.keep(all.specs);
        std::int64_t const room = room_for(set, all.answers);
        found_there const found(rows, room);
        auto const search = [&] {
            return store.improve(set, there.view, steps, 3, found.view(rows, room), mine.get());
        };
        for (std::uint64_t seed = 0; seed < schedules() / 6; ++seed) {
            std::string const when = std::to_string(cut) + " steps, schedule " + std::to_string(seed);
            runtime::set_order(seed);
            runtime::expect_nothing_waits(mine.get(), [&] { search(); });
            std::int64_t const launches = runtime::calls("launch");
            uncut = cut == steps ? launches : uncut;
            once_more = cut == steps - 1 ? launches - uncut : once_more;
            ASSERT_EQ(launches - uncut, once_more * ((steps + cut - 1) / cut - 1)) << when;
            expect_found(found, expected, mine.get(), when);
            ASSERT_EQ(runtime::complaints(), std::vector<std::string>()) << when;
        }
        captured const graph(mine.get(), [&] { EXPECT_EQ(search(), 0u) << "recorded, not called"; });
        EXPECT_EQ(cudaMemsetAsync(found.words.get(), 1, std::size_t(rows * room) * sizeof(std::int32_t), mine.get()),
                  cudaSuccess);
        graph.launch(mine.get());
        expect_found(found, expected, mine.get(), "a graph of " + std::to_string(cut) + " steps a launch");
        EXPECT_EQ(runtime::complaints(), std::vector<std::string>());
        store.wait();
    }
    EXPECT_EQ(once_more >= searches, runtime::counts_calls());
    EXPECT_THROW(device_store(by, {.steps_a_launch = 0}), error);
}

/// The smallest store has room for few searches at a time. A piece's results follow those of the one before.
TEST_F(resident_search, a_long_call_goes_in_pieces) {
    engine const by = made();
    instance_batch const instances = small_instances(by.task_index("tsp"), 3);
    csr_words const greedy = cpu_engine().greedy(instances.view());
    answered all;
    for (std::int32_t r = 0; r < 2'000; ++r) {
        all.instance_of.push_back(r * 7 % 3);
        all.answers.append(greedy.row(r * 7 % 3));
    }
    device_store store(by, {.memory = 1 << 20});
    device_set const set = store.keep(instances.view());
    own_stream const mine;
    answers_there const there(all, mine.get());
    std::int64_t const room = set.answer_words();
    found_there const found(all.answers.rows(), room);
    improved_batch const expected = cpu_engine().improve(instances.view(), all.answers.view(), 2, 8, all.instance_of);
    runtime::forget_calls();
    store.improve(set, there.view, 2, 8, found.view(all.answers.rows(), room), mine.get());
    if (runtime::counts_calls()) {
        EXPECT_GT(runtime::calls("launch"), 10);
    }
    expect_found(found, expected, mine.get(), "in pieces");
    device_store cutting(by, {.memory = 1 << 20, .steps_a_launch = 1});
    device_set const same = cutting.keep(instances.view());
    cutting.improve(same, there.view, 2, 8, found.view(all.answers.rows(), room), mine.get());
    expect_found(found, expected, mine.get(), "in pieces, each in two launches");
    EXPECT_EQ(runtime::complaints(), std::vector<std::string>());
}

/// A few answers at a time move to their places, the largest ones in several parts. A row's place may have held an
/// earlier row.
TEST_F(resident_search, rows_are_searched_where_the_caller_s_words_are_however_many_each_has) {
    engine const by = made();
    device_store store(by, {.memory = 1 << 20});
    instance_batch const instances = small_instances(by.task_index("tsp"), 3);
    csr_words const greedy = cpu_engine().greedy(instances.view());
    answered all;
    for (std::int32_t r = 0; r < 70; ++r) {
        all.instance_of.push_back(r * 7 % 3);
        all.answers.append(greedy.row(r * 7 % 3));
    }
    device_set const set = store.keep(instances.view());
    own_stream const mine;
    answers_there const there(all, mine.get());
    improved_batch const expected = cpu_engine().improve(instances.view(), all.answers.view(), 3, 8, all.instance_of);
    for (std::int64_t const room : {set.answer_words(), std::int64_t(2049), std::int64_t(9000), std::int64_t(30'000)}) {
        found_there const found(70, room);
        std::string const when = std::to_string(room) + " words each";
        runtime::expect_nothing_waits(mine.get(),
                                      [&] { store.improve(set, there.view, 3, 8, found.view(70, room), mine.get()); });
        expect_found(found, expected, mine.get(), when);
        EXPECT_EQ(runtime::complaints(), std::vector<std::string>()) << when;
    }
    found_there const found(70, set.answer_words());
    device_searches over = found.view(70, set.answer_words());
    over.words = there.words.get() + all.answers.words.size() - 1;
    EXPECT_EQ(misuse_of([&] { store.improve(set, there.view, 3, 8, over, mine.get()); }),
              "out: its words are where the starts are; a search writes while others read");
}

TEST_F(resident_search, a_row_that_cannot_be_searched_is_left_out_and_the_next_call_names_it) {
    engine const by = made();
    answered all;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        all.specs.push_back({by.task_index("knapsack"), difficulty::easy(), split::train, seed});
    }
    instance_batch const instances = cpu_engine().generate(all.specs);
    all.answers = cpu_engine().greedy(instances.view());
    all.instance_of = {0, 1, 2, 3};
    device_store store(by, {.memory = 1 << 20});
    device_set const set = store.keep(instances.view());
    own_stream const mine;
    auto const told = [&] {
        answers_there const there(all, mine.get());
        std::int64_t const room = set.answer_words();
        found_there const found(4, room);
        store.improve(set, there.view, 5, 1, found.view(4, room), mine.get());
        std::vector<std::int64_t> const offsets = found.offsets.read(mine.get());
        EXPECT_EQ(offsets[1], offsets[2]) << "an empty answer";
        EXPECT_EQ(found.results.read(mine.get())[1].objective, no_objective);
        EXPECT_NE(found.results.read(mine.get())[2].objective, no_objective);
        try {
            store.wait();
        } catch (error const& wrong) {
            return std::string(wrong.what());
        }
        return std::string();
    };
    all.instance_of[1] = 4;
    EXPECT_EQ(told(), "instance_of: row 1 of an earlier call names no instance of its set");
    all.instance_of[1] = 1;
    csr_words longer;
    for (std::int64_t r = 0; r < 4; ++r) {
        std::vector<std::int32_t> row(all.answers.row(r).begin(), all.answers.row(r).end());
        row.resize(r == 1 ? std::size_t(set.answer_words() + 1) : row.size(), row.back());
        longer.append(row);
    }
    all.answers = longer;
    EXPECT_EQ(told(), "answers: row 1 of an earlier call is longer than the words that each row of the search has");
}

TEST_F(resident_search, what_does_not_fit_is_named) {
    engine const by = made();
    device_store store(by, {.memory = 1 << 20});
    device_set const set = store.keep(small_instances(by.task_index("tsp"), 2).view());
    own_stream const mine;
    std::int64_t offsets[3] = {0, 0, 0};
    std::int32_t word = 0;
    search_row rows[2];
    auto const said = [&](std::int64_t steps, device_searches const& out) {
        try {
            store.improve(set, {nullptr, 0, offsets, 2, nullptr}, steps, 0, out, mine.get());
        } catch (error const& told) {
            return std::string(told.what());
        }
        return std::string();
    };
    std::int64_t const enough = 2 * set.answer_words();
    EXPECT_EQ(said(-1, {&word, enough, offsets, rows}), "steps: expected 0 or more, got -1");
    EXPECT_EQ(said(1, {&word, enough - 1, offsets, rows}),
              "out_words: expected at least " + std::to_string(enough) + ", " + std::to_string(enough / 2) +
                  " for each row's answer, got " + std::to_string(enough - 1));
    EXPECT_EQ(said(1, {&word, enough, nullptr, rows}), "out: expected words, offsets, and a place for the results");
    EXPECT_EQ(said(1, {&word, enough, offsets, nullptr}), "out: expected words, offsets, and a place for the results");
    EXPECT_NE(said(1, {&word, std::int64_t(1) << 30, offsets, rows}).find("make words smaller"), std::string::npos);
    EXPECT_EQ(store.statistics().calls, 0);
}

TEST_F(resident_search, a_set_of_specs_is_generated_where_it_lies_with_the_host_s_words) {
    engine const by = made();
    std::vector<instance_spec> specs;
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
        for (std::size_t task = 0; task < by.tasks().size(); ++task) {
            for (difficulty const level : {difficulty::scale(0), difficulty::scale(3), difficulty::easy(),
                                           difficulty::medium(), difficulty::hard(), difficulty::benchmark()}) {
                specs.push_back({std::int32_t(task), level, seed == 0 ? split::train : split::test, seed << 33 | seed});
            }
        }
    }
    instance_batch const expected = cpu_engine().generate(specs);
    own_stream const mine;
    for (std::uint64_t seed = 0; seed < schedules() / 3; ++seed) {
        runtime::set_order(seed);
        device_store store(by, {.memory = seed % 2 == 0 ? 4 * roomy : roomy});
        device_set const set = store.keep(specs);
        device_instances const lent = set.lend();
        ASSERT_EQ(lent.rows, expected.size());
        ASSERT_EQ(lent.words_size, std::int64_t(expected.blocks.words.size()));
        std::vector<std::int32_t> words(expected.blocks.words.size());
        std::vector<std::int64_t> offsets(expected.blocks.offsets.size());
        std::vector<std::int32_t> task(expected.task.size());
        auto const read = [&](auto& to, void const* from) {
            EXPECT_EQ(cudaMemcpyAsync(to.data(), from, to.size() * sizeof to[0], cudaMemcpyDeviceToHost, mine.get()),
                      cudaSuccess);
        };
        read(words, lent.words);
        read(offsets, lent.offsets);
        read(task, lent.task);
        EXPECT_EQ(cudaStreamSynchronize(mine.get()), cudaSuccess);
        ASSERT_EQ(words, expected.blocks.words) << "schedule " << seed;
        ASSERT_EQ(offsets, expected.blocks.offsets);
        ASSERT_EQ(task, expected.task);
        ASSERT_EQ(runtime::complaints(), std::vector<std::string>()) << "schedule " << seed;
    }
    device_store small(by, {.memory = 1 << 20});
    std::vector<instance_spec> const wrong{{-1, difficulty::easy(), split::train, 0}};
    try {
        static_cast<void>(small.keep(wrong));
        ADD_FAILURE() << "nothing was thrown";
    } catch (error const& told) {
        EXPECT_STREQ(told.what(), "specs: row 0 names task index -1");
    }
}

}  // namespace
}  // namespace optgap::testing
