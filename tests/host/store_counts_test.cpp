// Counts a store's disk accesses in a file system that forwards every call to SQLite's; no clock is involved. Left out
// of builds without SQLite (tools/cmake/tests.cmake).

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "host/store/snapshot.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap {
namespace {

struct disk_counts {
    std::int64_t opens = 0, reads = 0, writes = 0, syncs = 0, pages = 0;  ///< pages of the memory map
};
disk_counts counted;

/// SQLite's own file behind the counter.
struct counting_file {
    sqlite3_file head;
    sqlite3_file* real;
};
sqlite3_file* real(sqlite3_file* of) { return reinterpret_cast<counting_file*>(of)->real; }

sqlite3_io_methods const methods = {
    3,
    [](sqlite3_file* f) { return real(f)->pMethods->xClose(real(f)); },
    [](sqlite3_file* f, void* to, int size, sqlite3_int64 at) {
        ++counted.reads;
        return real(f)->pMethods->xRead(real(f), to, size, at);
    },
    [](sqlite3_file* f, void const* from, int size, sqlite3_int64 at) {
        ++counted.writes;
        return real(f)->pMethods->xWrite(real(f), from, size, at);
    },
    [](sqlite3_file* f, sqlite3_int64 size) { return real(f)->pMethods->xTruncate(real(f), size); },
    [](sqlite3_file* f, int flags) {
        ++counted.syncs;
        return real(f)->pMethods->xSync(real(f), flags);
    },
    [](sqlite3_file* f, sqlite3_int64* size) { return real(f)->pMethods->xFileSize(real(f), size); },
    [](sqlite3_file* f, int level) { return real(f)->pMethods->xLock(real(f), level); },
    [](sqlite3_file* f, int level) { return real(f)->pMethods->xUnlock(real(f), level); },
    [](sqlite3_file* f, int* out) { return real(f)->pMethods->xCheckReservedLock(real(f), out); },
    [](sqlite3_file* f, int what, void* with) { return real(f)->pMethods->xFileControl(real(f), what, with); },
    [](sqlite3_file* f) { return real(f)->pMethods->xSectorSize(real(f)); },
    [](sqlite3_file* f) { return real(f)->pMethods->xDeviceCharacteristics(real(f)); },
    nullptr,  // shared memory is for write-ahead logs
    nullptr,
    nullptr,
    nullptr,
    [](sqlite3_file* f, sqlite3_int64 at, int size, void** out) {
        ++counted.pages;
        return real(f)->pMethods->xFetch(real(f), at, size, out);
    },
    [](sqlite3_file* f, sqlite3_int64 at, void* page) { return real(f)->pMethods->xUnfetch(real(f), at, page); },
};

int open_counting(sqlite3_vfs* own, char const* name, sqlite3_file* out, int flags, int* given) {
    auto* const below = static_cast<sqlite3_vfs*>(own->pAppData);
    auto* const file = reinterpret_cast<counting_file*>(out);
    file->real = reinterpret_cast<sqlite3_file*>(file + 1);
    int const code = below->xOpen(below, name, file->real, flags, given);
    file->head.pMethods = file->real->pMethods != nullptr ? &methods : nullptr;
    ++counted.opens;
    return code;
}

/// Counts every file that SQLite opens while it lives.
class counting_disk {
public:
    counting_disk() : below_(sqlite3_vfs_find(nullptr)), own_(*below_) {
        own_.zName = "counting";
        own_.pAppData = below_;
        own_.szOsFile = int(sizeof(counting_file)) + below_->szOsFile;
        own_.xOpen = open_counting;
        sqlite3_vfs_register(&own_, 1);
        counted = {};
    }
    ~counting_disk() {
        sqlite3_vfs_unregister(&own_);
        sqlite3_vfs_register(below_, 1);
    }
    counting_disk(counting_disk const&) = delete;
    counting_disk& operator=(counting_disk const&) = delete;

private:
    sqlite3_vfs* below_;
    sqlite3_vfs own_;
};

class store_counts : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / ("optgap_counts_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    [[nodiscard]] std::string file(std::string const& name) const { return (folder_ / name).string(); }

    /// The label of a small instance, each time under another seed.
    static store::row labelled(std::int64_t seed) {
        static instance_spec const spec{testing::cpu_engine().task_index("tsp"), difficulty::easy(), split::test, 0};
        static instance_batch const made = testing::cpu_engine().generate({&spec, 1});
        static solved_batch const solved = testing::cpu_engine().solve(made.view());
        static instance_hash const hash = hash_words(made.blocks.row(0));
        task_info const& info = testing::cpu_engine().tasks()[std::size_t(spec.task)];
        store::row out;
        out.key = store::key_of(key_of(info, {spec.task, spec.level, spec.part, std::uint64_t(seed)}, hash), hash);
        out.hash = hash;
        out.objective = out.bound = solved.rows[0].objective;
        out.bound_kind = info.bound_kinds[std::size_t(solved.rows[0].bound_kind)];
        out.answer.assign(solved.answers.row(0).begin(), solved.answers.row(0).end());
        out.found = out.bounded = {solved.rows[0].steps, 1000, "exact", "counted"};
        return out;
    }
    /// The accesses of one transaction of `rows` rows into a file that has some.
    [[nodiscard]] disk_counts transaction_of(std::int64_t rows) const {
        store::file out(file(std::to_string(rows) + ".db"), sqlite::access::create);
        put(out, 0, 100);
        counted = {};
        put(out, 100, rows);
        return counted;
    }
    static void put(store::file& out, std::int64_t first, std::int64_t rows) {
        sqlite::transaction all(out.base());
        for (std::int64_t seed = first; seed < first + rows; ++seed) {
            out.put(labelled(seed), sense::minimise);
        }
        all.commit();
    }
    [[nodiscard]] std::string snapshot_of(std::int64_t rows) const {
        std::string path = file("frozen" + std::to_string(rows) + ".db");
        store::file out(path, sqlite::access::create);
        sqlite::transaction all(out.base());
        for (std::int64_t seed = 0; seed < rows; ++seed) {
            out.append(labelled(seed));
        }
        out.set_meta("snapshot", "counted");
        all.commit();
        return path;
    }

    counting_disk disk_;
    std::filesystem::path folder_;
};

TEST_F(store_counts, a_transaction_is_as_many_syncs_however_many_rows_it_has) {
    disk_counts const one = transaction_of(1), many = transaction_of(1024);
    EXPECT_GE(one.syncs, 2) << "the journal before the file, and the file before it is said to be done";
    EXPECT_LE(one.syncs, 4);
    EXPECT_EQ(many.syncs, one.syncs);
    // Rows in the order of keys fill pages one after another, so each page is written about once.
    EXPECT_LE(many.writes, 1024 / 8) << "a page of 4 KiB holds dozens of rows of 100 bytes";
}

TEST_F(store_counts, a_snapshot_opens_and_reads_a_few_pages_however_many_rows_it_has) {
    engine const& by = testing::cpu_engine();
    std::vector<disk_counts> opening, reading;
    for (std::int64_t const rows : {500, 50'000}) {
        std::string const path = snapshot_of(rows);
        counted = {};
        store::snapshot frozen(path, by, "counted");
        opening.push_back(counted);
        instance_spec const spec{by.task_index("tsp"), difficulty::easy(), split::test, 0};
        instance_batch const made = by.generate({&spec, 1});
        counted = {};
        for (std::int64_t k = 0; k < 100; ++k) {
            instance_spec one = spec;
            one.seed = std::uint64_t(k * 7919 % rows);
            ASSERT_TRUE(frozen.find(spec.task, one, made.blocks.row(0)));
        }
        reading.push_back(counted);
    }
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_LE(opening[k].reads + opening[k].pages, 40) << k;
        EXPECT_LE(reading[k].reads + reading[k].pages, 100 * 5) << "the depth of the tree " << k;
        EXPECT_EQ(opening[k].syncs + opening[k].writes + reading[k].syncs + reading[k].writes, 0) << "it never changes";
    }
    EXPECT_LE(opening[1].reads + opening[1].pages, opening[0].reads + opening[0].pages + 16) << "no walk over the rows";
    EXPECT_GT(reading[1].pages, 0) << "through the memory map";
}

}  // namespace
}  // namespace optgap
