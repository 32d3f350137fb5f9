// Sources of baselines: the order of places, one proof for all, freezing for a run, and damaged rows.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <latch>
#include <thread>

#include "host/baselines/baseline_source.hpp"
#include "host/store/canonical.hpp"
#include "host/store/generation.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap {
namespace {

using testing::cpu_engine;

/// Instances of a level with their specs, and the results of solving them.
struct posed_set {
    std::vector<instance_spec> specs;
    instance_batch batch;
    solved_batch solved;

    explicit posed_set(std::int64_t count, std::string const& task = "tsp", std::int64_t budget = 200) {
        for (std::int64_t seed = 0; seed < count; ++seed) {
            specs.push_back({cpu_engine().task_index(task), difficulty::easy(), split::test, std::uint64_t(seed)});
        }
        batch = cpu_engine().generate(specs);
        solved = cpu_engine().solve(batch.view(), budget, cpu_engine().planted(specs).view());
    }
    [[nodiscard]] baseline_query query(std::int64_t budget = 200) const {
        return {.instances = batch.view(), .specs = specs, .given = {}, .starts = {}, .budget = budget};
    }
    [[nodiscard]] baseline_question question(std::size_t row, std::int64_t budget = 200) const {
        return query(budget).question(std::int64_t(row));
    }
    [[nodiscard]] std::optional<baseline> recalled(baseline_source& by, std::size_t row) const {
        return by.recall(question(row), hash_words(batch.blocks.row(std::int64_t(row))));
    }
};

std::vector<baseline> values_of(std::vector<sourced_baseline> const& found) {
    std::vector<baseline> out;
    for (sourced_baseline const& one : found) {
        EXPECT_EQ(one.state, baseline_state::found);
        EXPECT_EQ(one.damage, "");
        out.push_back(one.value);
    }
    return out;
}

std::vector<baseline_from> places_of(std::vector<sourced_baseline> const& found) {
    std::vector<baseline_from> out;
    for (sourced_baseline const& one : found) {
        out.push_back(one.from);
    }
    return out;
}

/// A layer without instances that reports every request.
baseline_layer empty_layer(std::function<void()> asked) {
    baseline_layer out;
    out.find = [asked = std::move(asked)](std::int32_t, instance_spec const&,
                                          std::span<std::int32_t const>) -> std::optional<baseline> {
        asked();
        return std::nullopt;
    };
    return out;
}

TEST(baseline_source, proves_what_solving_says_once_an_instance) {
    posed_set const posed(6);
    baseline_source by(cpu_engine());
    EXPECT_EQ(values_of(by.prove(posed.query())), posed.solved.rows);
    std::vector<sourced_baseline> const again = by.prove(posed.query());
    EXPECT_EQ(values_of(again), posed.solved.rows);
    EXPECT_EQ(places_of(again), std::vector(6, baseline_from::memory));
    baseline_counts const n = by.counts();
    EXPECT_EQ(n.proven, 6);
    EXPECT_EQ(n.from_memory, 6);
    EXPECT_EQ(n.entries, 6);
    EXPECT_EQ(by.sentence(), "");
}

TEST(baseline_source, an_instance_that_stands_twice_in_a_call_is_proven_once) {
    posed_set posed(2);
    instance_batch twice;
    std::vector<instance_spec> specs;
    for (std::int64_t const r : {0, 1, 0, 0}) {
        twice.append(posed.batch.task[std::size_t(r)], posed.batch.blocks.row(r));
        specs.push_back(posed.specs[std::size_t(r)]);
    }
    baseline_source by(cpu_engine());
    std::vector<sourced_baseline> const found = by.prove({.instances = twice.view(), .specs = specs, .budget = 200});
    EXPECT_EQ(values_of(found),
              (std::vector{posed.solved.rows[0], posed.solved.rows[1], posed.solved.rows[0], posed.solved.rows[0]}));
    EXPECT_EQ(by.counts().proven, 2);
    EXPECT_EQ(by.counts().joined, 2);
}

TEST(baseline_source, asks_the_row_then_layers_in_their_order_then_proves) {
    posed_set const posed(4);
    baseline low, middle, high;
    low.objective = 1;
    middle.objective = 2;
    high.objective = 3;
    auto const has = [&](std::vector<std::int64_t> rows, baseline value, baseline_from from) {
        baseline_layer out;
        out.from = from;
        out.find = [&posed, rows, value](std::int32_t, instance_spec const&,
                                         std::span<std::int32_t const> words) -> std::optional<baseline> {
            bool const known = std::ranges::any_of(
                rows, [&](std::int64_t r) { return std::ranges::equal(posed.batch.blocks.row(r), words); });
            return known ? std::optional(value) : std::nullopt;
        };
        return out;
    };
    baseline_source by(cpu_engine(), {.layers = {has({0, 1}, middle, baseline_from::snapshot),
                                                 has({0, 1, 2}, high, baseline_from::store)}});
    std::vector<std::optional<baseline>> const given{low, std::nullopt, std::nullopt, std::nullopt};
    baseline_query query = posed.query();
    query.given = given;
    std::vector<sourced_baseline> const found = by.prove(query);
    EXPECT_EQ(values_of(found), (std::vector{low, middle, high, posed.solved.rows[3]}));
    EXPECT_EQ(places_of(found),
              (std::vector{baseline_from::given, baseline_from::snapshot, baseline_from::store, baseline_from::proof}));
    baseline_counts const n = by.counts();
    EXPECT_EQ(n.given + n.from_snapshot + n.from_store + n.proven, 4);
    // Baselines that a row brings apply to that row only.
    EXPECT_EQ(values_of(by.prove(posed.query()))[0], middle);
}

TEST(baseline_source, a_budget_a_key_and_a_start_are_part_of_the_question) {
    posed_set const posed(1);
    baseline_source by(cpu_engine());
    std::int64_t const own = cpu_engine().tasks()[std::size_t(posed.specs[0].task)].default_budget;
    static_cast<void>(by.prove(posed.query(0)));
    static_cast<void>(by.prove(posed.query(-1)));
    EXPECT_EQ(by.counts().proven, 2);
    static_cast<void>(by.prove(posed.query(own)));
    EXPECT_EQ(by.counts().proven, 2) << "-1 is the task's own budget";
    baseline_query bare = posed.query(0);
    bare.specs = {};
    static_cast<void>(by.prove(bare));
    EXPECT_EQ(by.counts().proven, 3);
    bare.starts = posed.solved.answers.view();
    baseline const begun = by.prove(bare)[0].value;
    EXPECT_EQ(by.counts().proven, 4);
    EXPECT_EQ(begun.objective, posed.solved.rows[0].objective) << "a start is never lost";
}

TEST(baseline_source, finding_proves_nothing_and_says_who_does) {
    posed_set const posed(1);
    std::latch begun(1), over(1);
    std::atomic<bool> blocks = false;
    baseline_source by(cpu_engine(), {.layers = {empty_layer([&] {
                                          if (blocks) {
                                              begun.count_down();
                                              over.wait();
                                          }
                                      })}});
    for (std::int32_t k = 0; k < 2; ++k) {
        EXPECT_EQ(by.find(posed.query())[0].state, baseline_state::absent);
    }
    EXPECT_EQ(by.counts().proven, 0);
    blocks = true;
    std::jthread const prover([&] { static_cast<void>(by.prove(posed.query(7))); });
    begun.wait();
    EXPECT_EQ(by.find(posed.query(7))[0].state, baseline_state::proving);
    EXPECT_EQ(by.find(posed.query())[0].state, baseline_state::absent) << "of another budget";
    over.count_down();
    EXPECT_EQ(by.prove(posed.query(7))[0].state, baseline_state::found);
    EXPECT_EQ(by.find(posed.query(7))[0].from, baseline_from::memory);
    EXPECT_EQ(by.counts().proven, 1);
}

TEST(baseline_source, a_layer_is_asked_once_an_instance) {
    posed_set const posed(3);
    std::int32_t asked = 0;
    baseline_source by(cpu_engine(), {.layers = {empty_layer([&] { ++asked; })}});
    static_cast<void>(by.find(posed.query()));
    static_cast<void>(by.find(posed.query()));
    EXPECT_EQ(values_of(by.prove(posed.query())), posed.solved.rows);
    static_cast<void>(by.prove(posed.query()));
    EXPECT_EQ(asked, 3);
}

TEST(baseline_source, callers_who_want_one_instance_share_its_proof) {
    posed_set const posed(3);
    constexpr std::int32_t callers = 8;
    // The first caller waits until all others wait for it.
    std::atomic<baseline_source*> asked = nullptr;
    baseline_source by(cpu_engine(), {.layers = {empty_layer([&] {
                                          while (asked.load()->counts().joined < 3 * (callers - 1)) {
                                              std::this_thread::yield();
                                          }
                                      })}});
    asked = &by;
    std::vector<std::jthread> threads;
    std::atomic<std::int32_t> same = 0;
    for (std::int32_t t = 0; t < callers; ++t) {
        threads.emplace_back([&] { same += values_of(by.prove(posed.query())) == posed.solved.rows; });
    }
    threads.clear();
    EXPECT_EQ(same, callers);
    EXPECT_EQ(by.counts().proven, 3);
    EXPECT_EQ(by.counts().claimed, 3);
}

TEST(baseline_source, what_one_call_leaves_unproven_another_proves) {
    posed_set const posed(2);
    std::atomic<std::int32_t> left = 1;
    std::atomic<baseline_source*> asked = nullptr;
    baseline_source by(cpu_engine(), {.layers = {empty_layer([&] {
                                          if (left-- > 0) {
                                              while (asked.load()->counts().joined < 2) {
                                                  std::this_thread::yield();
                                              }
                                              throw std::runtime_error("the disk is gone");
                                          }
                                      })}});
    asked = &by;
    std::jthread broken([&] { EXPECT_THROW(static_cast<void>(by.prove(posed.query())), std::runtime_error); });
    while (by.counts().claimed < 2) {
        std::this_thread::yield();
    }
    EXPECT_EQ(values_of(by.prove(posed.query())), posed.solved.rows);
    EXPECT_EQ(by.counts().proven, 2);
    EXPECT_EQ(by.counts().entries, 2);
}

TEST(baseline_source, forgets_the_least_recently_used_and_says_the_same_again) {
    posed_set const posed(40);
    baseline_source roomy(cpu_engine());
    static_cast<void>(roomy.prove(posed.query()));
    std::int64_t const each = roomy.counts().bytes / 40;
    baseline_source by(cpu_engine(), {.bytes = 10 * each});
    EXPECT_EQ(values_of(by.prove(posed.query())), posed.solved.rows);
    EXPECT_LE(by.counts().bytes, 10 * each);
    EXPECT_EQ(by.counts().entries, 10);
    EXPECT_EQ(by.counts().evicted, 30);
    EXPECT_FALSE(posed.recalled(by, 0));
    ASSERT_TRUE(posed.recalled(by, 30)) << "the oldest that is left, and now the newest";
    EXPECT_EQ(by.prove({.instances = {&posed.batch.task[0],
                                      {posed.batch.blocks.words.data(), posed.batch.blocks.offsets.data(), 1}},
                        .specs = std::span(posed.specs).first(1),
                        .budget = 200})[0]
                  .value,
              posed.solved.rows[0]);
    EXPECT_TRUE(posed.recalled(by, 30));
    EXPECT_FALSE(posed.recalled(by, 31));
    baseline_source none(cpu_engine(), {.bytes = 0});
    EXPECT_EQ(values_of(none.prove(posed.query())), posed.solved.rows);
    EXPECT_EQ(none.counts().entries, 0);
    EXPECT_EQ(none.counts().bytes, 0);
}

TEST(baseline_source, is_frozen_though_a_layer_changes) {
    posed_set const posed(20);
    std::int64_t said = 0;
    baseline_layer moving;
    moving.from = baseline_from::store;
    moving.fixed = false;
    moving.find = [&](std::int32_t, instance_spec const&, std::span<std::int32_t const>) {
        baseline out;
        out.objective = ++said;
        return std::optional(out);
    };
    baseline_source by(cpu_engine(), {.layers = {moving}, .bytes = 0});
    std::vector<baseline> const first = values_of(by.prove(posed.query()));
    EXPECT_EQ(values_of(by.prove(posed.query())), first);
    EXPECT_EQ(values_of(by.find(posed.query())), first);
    EXPECT_EQ(by.counts().from_store, 20);
    EXPECT_EQ(by.counts().evicted, 0) << "no room, and yet it stays";
}

TEST(baseline_source, a_whole_one_gives_answers) {
    posed_set const posed(5);
    baseline_source by(cpu_engine(), {.rows_per_turn = 2, .whole = true});
    for (std::int32_t k = 0; k < 2; ++k) {
        csr_words answers;
        EXPECT_EQ(values_of(by.prove(posed.query(), &answers)), posed.solved.rows);
        EXPECT_EQ(answers, posed.solved.answers);
    }
    EXPECT_EQ(by.counts().proven, 5);
}

/// A frozen file of baselines of a set's first rows.
class baseline_source_file : public ::testing::Test {
protected:
    void SetUp() override {
        if (!sqlite::available()) {
            GTEST_SKIP() << "SKIPPED: this build has no SQLite";
        }
        path_ =
            (std::filesystem::temp_directory_path() / ("optgap_source_" + std::to_string(getpid()) + ".db")).string();
        std::filesystem::remove(path_);
        write(0, 3, 1000, [](store::file& out, store::row const& one) { out.append(one); });
        store::file(path_, sqlite::access::write).set_meta("snapshot", "0123456789abcdef");
    }
    void TearDown() override { std::filesystem::remove(path_); }

    /// Rows [first, last) with objectives worse than solving finds by a given amount.
    template <class Put>
    void write(std::int64_t first, std::int64_t last, std::int64_t worse, Put const& put) const {
        store::file out(path_, sqlite::access::create);
        sqlite::transaction all(out.base());
        task_info const& info = cpu_engine().tasks()[std::size_t(posed_.specs[0].task)];
        for (std::int64_t r = first; r < last; ++r) {
            instance_hash const hash = hash_words(posed_.batch.blocks.row(r));
            store::row one;
            one.key = store::key_of(key_of(info, posed_.specs[std::size_t(r)], hash), hash);
            one.hash = hash;
            one.objective = posed_.solved.rows[std::size_t(r)].objective + worse;
            one.answer.assign(posed_.solved.answers.row(r).begin(), posed_.solved.answers.row(r).end());
            one.found = {7, 100, "exact", "1"};
            one.bound = 5;
            one.bound_kind = info.bound_kinds[0];
            one.bounded = one.found;
            put(out, one);
        }
        all.commit();
    }
    [[nodiscard]] std::shared_ptr<store::snapshot> opened() const {
        return std::make_shared<store::snapshot>(path_, cpu_engine(), "1");
    }

    posed_set posed_{5};
    std::string path_;
};

TEST_F(baseline_source_file, comes_before_memory_and_proof) {
    baseline_source by(cpu_engine(), {.layers = {layer_of(opened())}});
    std::vector<sourced_baseline> const found = by.prove(posed_.query());
    std::vector<baseline> const values = values_of(found);
    for (std::size_t r = 0; r < 5; ++r) {
        std::int64_t const proven = posed_.solved.rows[r].objective;
        EXPECT_EQ(values[r].objective, r < 3 ? proven + 1000 : proven);
        EXPECT_EQ(found[r].from, r < 3 ? baseline_from::snapshot : baseline_from::proof);
    }
    EXPECT_EQ(values_of(by.prove(posed_.query())), values);
    EXPECT_EQ(by.counts().from_snapshot, 3);
    EXPECT_TRUE(by.sentence().ends_with("(content 01234567): 3 baselines, 2 solved")) << by.sentence();
}

TEST_F(baseline_source_file, a_damaged_row_is_named_and_costs_its_neighbours_nothing) {
    sqlite::database(path_, {.how = sqlite::access::write})
        .execute("UPDATE baselines SET objective = objective + 1 WHERE seed = 1");
    baseline_source by(cpu_engine(), {.layers = {layer_of(opened())}, .bytes = 1 << 20});
    for (std::int32_t k = 0; k < 2; ++k) {
        std::vector<sourced_baseline> const found = k == 0 ? by.prove(posed_.query()) : by.find(posed_.query());
        for (std::size_t r = 0; r < 5; ++r) {
            EXPECT_EQ(found[r].state, baseline_state::found);
            if (r == 1) {
                EXPECT_NE(found[r].damage.find("tsp@1:test:easy:1#"), std::string::npos) << found[r].damage;
                EXPECT_NE(found[r].damage.find(path_), std::string::npos) << found[r].damage;
            } else {
                EXPECT_EQ(found[r].damage, "");
                EXPECT_NE(found[r].value.objective, no_objective);
            }
        }
        EXPECT_FALSE(posed_.recalled(by, 1)) << "it is no value";
    }
    EXPECT_EQ(by.counts().damaged, 1);
    EXPECT_EQ(by.counts().from_snapshot, 2);
    EXPECT_TRUE(by.sentence().ends_with("; 1 row damaged")) << by.sentence();
}

TEST_F(baseline_source_file, a_store_is_read_as_it_was_when_it_was_opened) {
    auto const pinned = std::make_shared<store::generation>(path_, cpu_engine(), "1");
    EXPECT_EQ(pinned->hash(), store::hash_of(path_, cpu_engine()));
    baseline_source by(cpu_engine(), {.layers = {layer_of(pinned)}, .bytes = 0});
    instance_batch first;
    first.append(posed_.batch.task[0], posed_.batch.blocks.row(0));
    baseline_query const one{.instances = first.view(), .specs = std::span(posed_.specs).first(1), .budget = 200};
    baseline const before = by.prove(one)[0].value;
    EXPECT_EQ(before.objective, posed_.solved.rows[0].objective + 1000);
    // Another process writes better rows, of old instances and of a new one.
    write(0, 4, 10, [](store::file& out, store::row const& row) { out.put(row, sense::minimise); });
    EXPECT_FALSE(pinned->find(posed_.specs[3].task, posed_.specs[3], posed_.batch.blocks.row(3)));
    EXPECT_TRUE(pinned->has_changed());
    std::vector<sourced_baseline> const after = by.prove(posed_.query());
    EXPECT_EQ(after[0].value, before) << "frozen, with no room at all";
    for (std::size_t r = 1; r < 5; ++r) {
        EXPECT_EQ(after[r].value, posed_.solved.rows[r]) << "neither state's: what was not asked for in time is proven";
    }
    EXPECT_EQ(by.counts().from_store, 1);
    EXPECT_NE(by.sentence().find("written to since, and 5 instances were solved"), std::string::npos) << by.sentence();
    auto const now = std::make_shared<store::generation>(path_, cpu_engine(), "1");
    EXPECT_NE(now->hash(), pinned->hash());
    EXPECT_EQ(now->find(posed_.specs[3].task, posed_.specs[3], posed_.batch.blocks.row(3))->objective,
              posed_.solved.rows[3].objective + 10);
}

}  // namespace
}  // namespace optgap
