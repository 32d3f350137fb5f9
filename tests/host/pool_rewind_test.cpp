// A pool that is rewound to an earlier step, and its concurrent readers.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "host/pool/delta.hpp"
#include "host/pool/pool.hpp"
#include "tests/host/pool_random.hpp"

namespace optgap::pool_tests {
namespace {

constexpr std::int64_t steps = 6;

std::string bytes_of(std::filesystem::path const& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The complete content of a pool: its hash, its entries, and the standing of each.
std::string told(pool::pool const& of) {
    std::string out = std::to_string(of.step()) + " " + hex32(of.hash());
    for (std::int64_t id = 0; id < of.entries(); ++id) {
        pool::standing const& one = of.standings()[std::size_t(id)];
        out += "\n" + hex32(pool::digest_of(of.read(id)));
        for (std::int64_t const value : {one.born, one.seen, std::int64_t(one.gone), one.sums.attempts, one.sums.solved,
                                         one.sums.quality, one.sums.quality_sq}) {
            out += " " + std::to_string(value);
        }
    }
    return out;
}

/// A pool of two tasks with room for 20 entries each, after `steps` steps that add duplicates and evict entries.
class pool_rewind_test : public ::testing::Test {
protected:
    void SetUp() override {
        if (!sqlite::available()) {
            GTEST_SKIP() << "this build has no SQLite";
        }
        folder_ = std::filesystem::temp_directory_path() / ("optgap_rewind_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        path_ = (folder_ / "pool.db").string();
        pool::file::make(path_, {7, pool::policy::signal, 3, 20});
        pool::pool open(path_, true);
        std::mt19937_64 draws(11);
        for (std::int64_t step = 0; step < steps; ++step) {
            told_.push_back(told(open));
            hashes_.push_back(open.hash());
            pool::delta all;
            for (std::int32_t rank = 0; rank < 2; ++rank) {
                pool::part one{{step, rank, 0}, open.hash(), {}, random_outcomes(draws, open.entries(), 30)};
                for (std::int32_t i = 0; i < 20; ++i) {
                    one.entries.push_back(random_entry(draws));
                }
                all.add(one);
            }
            parts_.push_back(all);
            pool::step_counts const did = open.end_step(all);
            repeated_ += did.repeated;
            gone_ += did.gone;
        }
        told_.push_back(told(open));
        hashes_.push_back(open.hash());
    }
    void TearDown() override {
        if (!folder_.empty()) {
            std::filesystem::remove_all(folder_);
        }
    }
    [[nodiscard]] std::string copy(std::string const& name) const {
        std::string const path = (folder_ / name).string();
        std::filesystem::copy_file(path_, path, std::filesystem::copy_options::overwrite_existing);
        return path;
    }

    std::filesystem::path folder_;
    std::string path_;
    std::vector<std::string> told_;      ///< by the number of ended steps
    std::vector<instance_hash> hashes_;  ///< likewise
    std::vector<pool::delta> parts_;     ///< by step
    std::int64_t repeated_ = 0, gone_ = 0;
};

TEST_F(pool_rewind_test, every_step_is_what_it_was_and_the_same_parts_lead_back) {
    EXPECT_GT(repeated_, 0);
    EXPECT_GT(gone_, 20);
    for (std::int64_t step = 0; step < steps; ++step) {
        std::string const path = copy("back.db");
        pool::pool open(path, true);
        pool::rewind_counts const did = open.rewind(step, hashes_[std::size_t(step)]);
        EXPECT_EQ(did.steps, steps - step);
        EXPECT_EQ(told(open), told_[std::size_t(step)]) << "what left is back, what came is gone";
        EXPECT_EQ(told(pool::pool(path)), told_[std::size_t(step)]) << "in the file, too";
        EXPECT_EQ(did.gone > 0, step > 0) << "entries that left are back";
        open.kept().base().check_integrity();
        for (std::int64_t again = step; again < steps; ++again) {
            open.end_step(parts_[std::size_t(again)]);
            EXPECT_EQ(told(open), told_[std::size_t(again) + 1]);
        }
    }
}

TEST_F(pool_rewind_test, what_was_dropped_is_kept_and_leads_back) {
    for (std::int64_t step = 0; step < steps; ++step) {
        std::string const path = copy("kept.db");
        pool::pool open(path, true);
        std::string const kept = open.rewind(step).kept;
        EXPECT_EQ(kept, path + ".dropped-" + std::to_string(step) + "-" + hex32(hashes_.back()).substr(0, 8));
        pool::delta const dropped = pool::delta_from(bytes_of(kept));
        for (std::int64_t again = step; again < steps; ++again) {
            open.end_step(dropped.of_step(again));
        }
        EXPECT_EQ(told(open), told_.back());
        EXPECT_EQ(open.rewind(step).kept, kept) << "once more, and the file is the same";
        std::filesystem::remove(kept);
    }
}

TEST_F(pool_rewind_test, a_step_that_is_none_and_another_runs_hash_are_refused) {
    pool::pool open(path_, true);
    std::string const before = bytes_of(path_);
    EXPECT_NE(refusal([&] { open.rewind(-1); }).find("step: -1: expected one from 0 to 6"), std::string::npos);
    EXPECT_NE(refusal([&] { open.rewind(7); }).find("step: 7: expected one from 0 to 6"), std::string::npos);
    EXPECT_NE(refusal([&] { open.rewind(2, hashes_[3]); }).find("another run's pool"), std::string::npos);
    EXPECT_NE(refusal([&] { open.rewind(6, hashes_[3]); }).find("another run's pool"), std::string::npos);
    pool::rewind_counts const nothing = open.rewind(6, hashes_[6]);
    EXPECT_EQ(nothing.steps, 0);
    EXPECT_EQ(nothing.kept, "");
    EXPECT_EQ(bytes_of(path_), before);
    EXPECT_EQ(told(open), told_.back());
}

TEST_F(pool_rewind_test, a_file_that_was_changed_beside_it_is_refused_as_it_is) {
    for (char const* const change :
         {"UPDATE entry SET objective=objective+1 WHERE id=3", "DELETE FROM entry WHERE step=4",
          "UPDATE outcome SET solved=0, attempts=attempts+1 WHERE step=1", "DELETE FROM gone WHERE step=5",
          "UPDATE step SET link=zeroblob(16) WHERE number=2", "UPDATE step SET link=zeroblob(16) WHERE number=1"}) {
        std::string const path = copy("changed.db");
        pool::pool open(path, true);
        sqlite::database(path, {.how = sqlite::access::write}).execute(change);
        std::string const before = bytes_of(path);
        EXPECT_NE(refusal([&] { open.rewind(3); }), "nothing was refused") << change;
        EXPECT_EQ(bytes_of(path), before) << change;
        EXPECT_EQ(open.step(), steps) << change;
    }
}

TEST_F(pool_rewind_test, nothing_is_dropped_that_cannot_be_kept) {
    pool::pool open(path_, true);
    std::string const kept = path_ + ".dropped-2-" + hex32(hashes_.back()).substr(0, 8);
    std::ofstream(kept) << "another's\n";
    EXPECT_NE(refusal([&] { open.rewind(2); }).find("is there with other content"), std::string::npos);
    EXPECT_EQ(told(open), told_.back());
    EXPECT_EQ(told(pool::pool(path_)), told_.back());
    std::filesystem::remove(kept);
    std::filesystem::create_directory(kept + ".new");
    EXPECT_NE(refusal([&] { open.rewind(2); }).find("cannot be written"), std::string::npos);
    EXPECT_EQ(told(pool::pool(path_)), told_.back());
}

TEST_F(pool_rewind_test, a_reader_beside_it_notices) {
    pool::pool writer(path_, true), reader(path_), late(path_);
    writer.rewind(2);
    EXPECT_FALSE(reader.refresh());
    EXPECT_EQ(told(reader), told_[2]);
    EXPECT_TRUE(reader.refresh());
    // As many steps as before, but other ones: `late` sees both changes at once.
    for (std::int64_t step = 2; step < steps; ++step) {
        pool::delta other;
        other.add({{step, 0, 0}, writer.hash(), {}, {}});
        writer.end_step(other);
    }
    EXPECT_TRUE(reader.refresh()) << "its own past went on";
    EXPECT_FALSE(late.refresh());
    EXPECT_EQ(told(reader), told(writer));
    EXPECT_EQ(told(late), told(writer));
    EXPECT_NE(told(late), told_.back());
}

}  // namespace
}  // namespace optgap::pool_tests
