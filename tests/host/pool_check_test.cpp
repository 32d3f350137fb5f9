// Entries with right hashes and wrong claims, and the disk accesses of a step.

#include "host/pool/check.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <random>
#include <set>

#include "optgap/proposals/canonical.hpp"

#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#endif

namespace optgap::pool_tests {
namespace {

using pool::delta;
using pool::entry;
using pool::policy;

class pool_check_test : public ::testing::Test {
protected:
    void SetUp() override {
        if (!sqlite::available()) {
            GTEST_SKIP() << "this build has no SQLite";
        }
        folder_ = std::filesystem::temp_directory_path() / ("optgap_pool_check_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override {
        if (!folder_.empty()) {
            std::filesystem::remove_all(folder_);
        }
    }
    [[nodiscard]] std::string fresh(std::string const& name) const {
        std::string const path = (folder_ / name).string();
        std::filesystem::remove(path);
        pool::file::make(path, {});
        return path;
    }
    std::filesystem::path folder_;
};

engine const& judge() {
    static engine const one({.where = device::cpu, .threads = 1, .server = "off"});
    return one;
}

void end_step(pool::pool& into, std::vector<entry> entries) {
    delta all;
    all.add({{into.step(), 0, 0}, into.hash(), std::move(entries), {}});
    into.end_step(all);
}

/// Two tsp and two knapsack instances, and one of clique.
std::vector<entry> honest(pool::pool const& into) {
    std::vector<instance_spec> specs;
    for (char const* const task : {"tsp", "knapsack"}) {
        for (std::uint64_t seed = 0; seed < 2; ++seed) {
            specs.push_back({judge().task_index(task), difficulty::scale(3), split::train, seed});
        }
    }
    instance_batch const made = judge().generate(specs);
    pool::receiver receiver(judge(), into, -1);
    std::vector<pool::lineage> const from(specs.size());
    receiver.take(made.view(), from);
    return receiver.entries();
}

TEST_F(pool_check_test, proofs_that_are_brought_make_the_entries_that_proofs_made_here_make) {
    pool::pool const into(fresh("known.db"));
    std::vector<instance_spec> specs;
    for (char const* const task : {"tsp", "knapsack"}) {
        for (std::uint64_t seed : {0, 1, 0}) {  // the last is a duplicate
            specs.push_back({judge().task_index(task), difficulty::scale(3), split::train, seed});
        }
    }
    instance_batch const made = judge().generate(specs);
    std::vector<pool::lineage> const from(specs.size());
    solved_batch const known = judge().solve(made.view());
    pool::receiver proving(judge(), into, -1), told(judge(), into, -1);
    proving.take(made.view(), from);
    told.take(made.view(), from, &known);
    ASSERT_EQ(told.entries().size(), 4u);
    for (std::size_t i = 0; i < told.entries().size(); ++i) {
        EXPECT_EQ(digest_of(told.entries()[i]), digest_of(proving.entries()[i]));
    }
    std::vector<std::function<void(solved_batch&)>> const lies{
        [](solved_batch& one) { one.rows[1].objective = one.rows[1].bound -= 1; },
        [](solved_batch& one) { one.rows[2].status = baseline_status::bounded; },
        [](solved_batch& one) { one.rows[3].status = baseline_status::infeasible; },
        [](solved_batch& one) { one.rows.pop_back(); },
        [](solved_batch& one) { one.answers.words[0] = one.answers.words[1]; },
    };
    for (auto const& lie : lies) {
        solved_batch wrong = known;
        lie(wrong);
        pool::receiver careful(judge(), into, -1);
        EXPECT_THROW(careful.take(made.view(), from, &wrong), field_error);
        EXPECT_TRUE(careful.entries().empty());
    }
}

TEST_F(pool_check_test, every_claim_that_is_not_true_is_found_though_its_hashes_are_right) {
    struct forgery {
        char const* said;
        std::function<void(entry&)> change;
        bool by_proof = false;
    };
    std::vector<forgery> const forgeries{
        {"but its answer is worth", [](entry& one) { one.objective -= 1; }},
        {"its answer is not feasible", [](entry& one) { one.answer.pop_back(); }},
        {"its canonical hash is", [](entry& one) { one.canonical.low ^= 1; }},
        {"its canonical hash is", [](entry& one) { one.coarse = true; }},
        {"is no instance", [](entry& one) { one.words.pop_back(); }},
        {"which this build does not have", [](entry& one) { one.version += 1; }},
        {"which this build does not have", [](entry& one) { one.task = "no_such"; }},
        {"its optimum is not what its proof says", [](entry& one) { one.infeasible = true; }},
        {"its origin is none", [](entry& one) { one.kind = pool::origin(9); }},
        {"another proof says otherwise",
         [](entry& one) {
             one.infeasible = true;
             one.objective = no_objective;
             one.answer.clear();
         },
         true},
        {"another proof says otherwise",
         [](entry& one) {  // a feasible answer that is not the best: the floor's
             one.objective = one.floor;
             std::sort(one.answer.begin() + 1, one.answer.end());
         },
         true},
        {"proves nothing now", [](entry& one) { one.budget = 1; }, true},
        {"its floor or greedy value", [](entry& one) { one.greedy = one.objective; }, true},
        {"its floor or greedy value", [](entry& one) { one.floor = no_objective; }, true},
    };
    std::vector<entry> const sound = honest(pool::pool(fresh("sound.db")));
    ASSERT_EQ(sound.size(), 4u);
    for (forgery const& wrong : forgeries) {
        pool::pool open(fresh("forged.db"), true);
        std::vector<entry> entries = sound;
        entry& one = *std::ranges::find_if(entries, [](entry const& each) {
            return each.task == "tsp" && each.objective != each.greedy && each.objective != each.floor;
        });
        wrong.change(one);
        delta parts;
        parts.add({{0, 0, 0}, open.hash(), entries, {}});
        try {
            pool::require_sound(judge(), parts, -1);
            ADD_FAILURE() << "a merge takes it: " << wrong.said;
        } catch (field_error const& said) {
            EXPECT_NE(std::string(said.what()).find(wrong.said), std::string::npos) << said.what();
        }
        open.end_step(parts);  // writes the file without the checks
        pool::check_report const found = pool::check(judge(), open, -1);
        ASSERT_EQ(found.wrong, 1) << wrong.said;
        EXPECT_NE(found.sentences[0].find(wrong.said), std::string::npos) << found.sentences[0];
        bool const by_form = std::string(wrong.said) == "its canonical hash is";
        EXPECT_EQ(pool::check(judge(), open, 0).wrong, wrong.by_proof || by_form ? 0 : 1)
            << "what is seen without proofs: " << wrong.said;
    }
}

TEST_F(pool_check_test, a_sample_is_chosen_by_the_hash_and_every_entry_can_be_in_it) {
    std::vector<std::int64_t> times(20);
    for (std::uint64_t key = 0; key < 2000; ++key) {
        std::vector<std::int64_t> const chosen = pool::keyed_sample({key, ~key}, 4, 20);
        ASSERT_EQ(chosen.size(), 4u);
        ASSERT_EQ(chosen, pool::keyed_sample({key, ~key}, 4, 20));
        for (std::size_t i = 0; i < 4; ++i) {
            ASSERT_TRUE(i == 0 || chosen[i - 1] < chosen[i]);
            ++times[std::size_t(chosen[i])];
        }
    }
    for (std::int64_t const count : times) {
        EXPECT_NEAR(double(count), 400, 4.5 * 18);  // binomial of 2000 and 1/5
    }
    EXPECT_EQ(pool::keyed_sample({1, 2}, 9, 3), (std::vector<std::int64_t>{0, 1, 2}));
}

TEST_F(pool_check_test, what_is_posed_is_the_same_problem_under_other_labels) {
    std::set<std::string> hashes;
    for (entry const& one : honest(pool::pool(fresh("posed.db")))) {
        for (std::uint64_t seed = 0; seed < 5; ++seed) {
            pool::posed const shown = pool::pose(judge(), one, seed);
            EXPECT_TRUE(shown.relabelled);
            EXPECT_EQ(shown.words, pool::pose(judge(), one, seed).words);
            EXPECT_EQ(canonical_of(judge(), shown.task, shown.words).hash, one.canonical);
            hashes.insert(hex32(hash_words(shown.words)));
        }
    }
    EXPECT_GE(hashes.size(), 18u);
}

#if __has_include(<sqlite3.h>)

/// SQLite's own disk accesses, counted.
struct disk_counts {
    std::int64_t file_syncs = 0, journal_syncs = 0, file_writes = 0;
};
disk_counts counted;
sqlite3_vfs* plain = nullptr;
sqlite3_io_methods const* plain_file = nullptr;
sqlite3_io_methods const* plain_journal = nullptr;
sqlite3_io_methods counting_file, counting_journal;

int open_counted(sqlite3_vfs*, char const* name, sqlite3_file* made, int flags, int* out) {
    int const code = plain->xOpen(plain, name, made, flags, out);
    if (made->pMethods == nullptr) {
        return code;
    }
    if ((flags & SQLITE_OPEN_MAIN_DB) != 0) {
        plain_file = made->pMethods;
        counting_file = *plain_file;
        counting_file.xSync = [](sqlite3_file* of, int how) {
            ++counted.file_syncs;
            return plain_file->xSync(of, how);
        };
        counting_file.xWrite = [](sqlite3_file* of, void const* data, int size, sqlite3_int64 at) {
            ++counted.file_writes;
            return plain_file->xWrite(of, data, size, at);
        };
        made->pMethods = &counting_file;
    } else if ((flags & SQLITE_OPEN_MAIN_JOURNAL) != 0) {
        plain_journal = made->pMethods;
        counting_journal = *plain_journal;
        counting_journal.xSync = [](sqlite3_file* of, int how) {
            ++counted.journal_syncs;
            return plain_journal->xSync(of, how);
        };
        made->pMethods = &counting_journal;
    }
    return code;
}

TEST_F(pool_check_test, a_step_is_one_transaction_that_touches_the_end_of_the_file_however_large_it_is) {
    plain = sqlite3_vfs_find(nullptr);
    sqlite3_vfs counting = *plain;
    counting.zName = "counting";
    counting.xOpen = open_counted;
    ASSERT_EQ(sqlite3_vfs_register(&counting, 1), SQLITE_OK);
    std::mt19937_64 draws(1);
    auto const entries = [&](std::int64_t count) {
        std::vector<entry> out(static_cast<std::size_t>(count));
        for (entry& one : out) {
            one.task = "tsp";
            one.canonical = {draws(), draws()};
            one.words.assign(20, std::int32_t(draws() % 100));
            one.objective = 1;
            one.answer = {-1, 0};
        }
        return out;
    };
    std::vector<disk_counts> costs;
    for (std::int64_t const size : {1'000, 30'000}) {
        pool::pool open(fresh("large.db"), true);
        end_step(open, entries(size));
        counted = {};
        end_step(open, entries(128));
        costs.push_back(counted);
        EXPECT_EQ(open.entries(), size + 128);
    }
    sqlite3_vfs_unregister(&counting);
    for (disk_counts const& cost : costs) {
        EXPECT_EQ(cost.file_syncs, 1) << "one transaction";
        EXPECT_LE(cost.journal_syncs, 2);
        EXPECT_GE(cost.journal_syncs, 1);
        EXPECT_LE(cost.file_writes, 16) << "128 entries of some 200 bytes";
    }
    EXPECT_LE(costs[1].file_writes, costs[0].file_writes + 3);
}

#endif

}  // namespace
}  // namespace optgap::pool_tests
