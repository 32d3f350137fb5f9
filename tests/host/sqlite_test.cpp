#include "host/sqlite/sqlite.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "host/sqlite/writer_lock.hpp"

namespace optgap {
namespace {

using sqlite::access;
using sqlite::database;

class sqlite_test : public ::testing::Test {
protected:
    void SetUp() override {
        if (!sqlite::available()) {
            GTEST_SKIP() << "this build has no SQLite";
        }
        folder_ = std::filesystem::temp_directory_path() / ("optgap_sqlite_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override {
        if (!folder_.empty()) {
            std::filesystem::remove_all(folder_);
        }
    }
    [[nodiscard]] std::string file(char const* name) const { return (folder_ / name).string(); }
    void write(char const* name, std::string const& bytes) const {
        std::ofstream(file(name), std::ios::binary) << bytes;
    }

    /// The error of opening a file.
    sqlite::problem refusal(std::string const& path, access how) const {
        try {
            database const opened(path, {.how = how});
            opened.check_integrity();
        } catch (sqlite::failure const& found) {
            EXPECT_EQ(std::string(found.what()).find(path), 0u) << found.what();
            EXPECT_NE(std::string(found.what()).find("expected"), std::string::npos) << found.what();
            return found.kind();
        }
        ADD_FAILURE() << path << " was opened";
        return sqlite::problem::misuse;
    }
    /// A table of numbers 0 … rows - 1.
    [[nodiscard]] std::string numbers(char const* name, std::int64_t rows) const {
        database const made(file(name), {.how = access::create});
        made.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
        sqlite::transaction all(made);
        sqlite::statement put = made.prepare("INSERT INTO t VALUES (?, ?)");
        for (std::int64_t i = 0; i < rows; ++i) {
            put.run(i, "value " + std::to_string(i));
        }
        all.commit();
        return file(name);
    }

    std::filesystem::path folder_;
};

TEST_F(sqlite_test, values_come_back_as_they_went) {
    database const made(file("a?b#c %25.db"), {.how = access::create});
    made.execute("CREATE TABLE t (i INTEGER, r REAL, s TEXT, b BLOB, n)");
    std::vector<std::byte> const blob{std::byte(0), std::byte(255), std::byte(0)};
    sqlite::statement put = made.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?)");
    put.run(INT64_MIN, 0.5, std::string("a\0b", 3), sqlite::bytes(blob), nullptr);
    put.run(std::int64_t(7), -1.0, "", sqlite::bytes(), nullptr);
    EXPECT_EQ(made.changes(), 1);
    for (access const how : {access::read, access::immutable}) {
        database const read(made.path(), {.how = how, .mapped_bytes = 1 << 20});
        sqlite::statement rows = read.prepare("SELECT i, r, s, b, n FROM t ORDER BY i");
        ASSERT_TRUE(rows.step());
        EXPECT_EQ(rows.integer(0), INT64_MIN);
        EXPECT_EQ(rows.real(1), 0.5);
        EXPECT_EQ(rows.text(2), std::string_view("a\0b", 3));
        EXPECT_TRUE(std::ranges::equal(rows.blob(3), blob));
        EXPECT_TRUE(rows.is_null(4));
        ASSERT_TRUE(rows.step());
        EXPECT_EQ(rows.text(2), "");
        EXPECT_EQ(rows.blob(3).size(), 0u);
        EXPECT_FALSE(rows.step());
        EXPECT_THROW(read.execute("DELETE FROM t"), sqlite::failure);
    }
    sqlite::statement wrong = made.prepare("SELECT s FROM t");
    ASSERT_TRUE(wrong.step());
    EXPECT_THROW(static_cast<void>(wrong.integer(0)), sqlite::failure);
}

TEST_F(sqlite_test, a_transaction_is_kept_whole_or_not_at_all) {
    database const made(numbers("t.db", 3));
    database const writer(made.path(), {.how = access::write});
    sqlite::statement mode = writer.prepare("PRAGMA journal_mode");
    ASSERT_TRUE(mode.step());
    EXPECT_EQ(mode.text(0), "delete");
    mode.reset();
    {
        sqlite::transaction lost(writer);
        writer.execute("DELETE FROM t");
    }
    EXPECT_EQ(made.integer("SELECT count(*) FROM t"), 3);
    sqlite::transaction kept(writer);
    writer.execute("DELETE FROM t WHERE id = 0");
    EXPECT_EQ(made.integer("SELECT count(*) FROM t"), 3) << "a reader sees what was committed";
    kept.commit();
    EXPECT_EQ(made.integer("SELECT count(*) FROM t"), 2);
    EXPECT_FALSE(std::filesystem::exists(made.path() + "-wal"));
}

TEST_F(sqlite_test, what_is_wrong_with_a_file_is_named) {
    write("text.db", "key,objective\n" + std::string(200, 'x'));
    EXPECT_EQ(refusal(file("text.db"), access::read), sqlite::problem::no_database);
    EXPECT_EQ(refusal(file("none.db"), access::write), sqlite::problem::cannot_open);
    EXPECT_EQ(refusal(folder_.string(), access::read), sqlite::problem::cannot_open);
    EXPECT_EQ(refusal(file("no/folder.db"), access::create), sqlite::problem::cannot_open);

    std::string const cut = numbers("cut.db", 2000);
    std::filesystem::resize_file(cut, 8192);
    EXPECT_EQ(refusal(cut, access::read), sqlite::problem::damaged);

    std::string const flipped = numbers("flipped.db", 2000);
    {
        std::fstream bytes(flipped, std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(4096 * 3);
        bytes << std::string(64, '\xff');
    }
    EXPECT_EQ(refusal(flipped, access::read), sqlite::problem::damaged);

    std::string const ahead = numbers("wal.db", 1);
    {
        std::fstream bytes(ahead, std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(18);
        bytes << "\2\2";
    }
    EXPECT_EQ(refusal(ahead, access::read), sqlite::problem::journal);

    std::string const open = numbers("open.db", 1);
    write("open.db-journal", "pages");
    EXPECT_EQ(refusal(open, access::immutable), sqlite::problem::journal);
}

TEST_F(sqlite_test, a_full_disk_loses_the_open_transaction_alone) {
    std::string const path = numbers("full.db", 100);
    pid_t const child = fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit const little{40'000, 40'000};
        setrlimit(RLIMIT_FSIZE, &little);
        int code = 1;
        try {
            database const writer(path, {.how = access::write});
            sqlite::transaction all(writer);
            sqlite::statement put = writer.prepare("INSERT INTO t VALUES (?, ?)");
            for (std::int64_t i = 1000; i < 100'000; ++i) {
                put.run(i, std::string(100, 'x'));
            }
            all.commit();
        } catch (sqlite::failure const& found) {
            code = found.kind() == sqlite::problem::full ? 0 : 2;
        }
        _exit(code);
    }
    int how = 0;
    waitpid(child, &how, 0);
    EXPECT_TRUE(WIFEXITED(how) && WEXITSTATUS(how) == 0) << how;
    database const after(path);
    after.check_integrity();
    EXPECT_EQ(after.integer("SELECT count(*) FROM t"), 100);
}

TEST_F(sqlite_test, the_second_writer_is_told_who_the_first_is) {
    std::string const path = file("w.db");
    EXPECT_EQ(sqlite::writer_lock::holder(path), "");
    {
        sqlite::writer_lock const first(path);
        EXPECT_NE(sqlite::writer_lock::holder(path).find("pid " + std::to_string(getpid())), std::string::npos);
        try {
            sqlite::writer_lock const second(path);
            ADD_FAILURE() << "two writers";
        } catch (sqlite::failure const& found) {
            EXPECT_EQ(found.kind(), sqlite::problem::busy);
            EXPECT_NE(std::string(found.what()).find("host "), std::string::npos) << found.what();
        }
    }
    EXPECT_FALSE(std::filesystem::exists(path + "-writer"));
    write("w.db-writer", "left by one who was killed");
    sqlite::writer_lock const third(path);
}

TEST_F(sqlite_test, network_file_systems_are_known_by_their_numbers) {
    EXPECT_EQ(sqlite::network_name(0x6969), "NFS");
    EXPECT_EQ(sqlite::network_name(0xFF534D42), "CIFS");
    EXPECT_EQ(sqlite::network_name(0xEF53), "");  // ext4
    EXPECT_EQ(sqlite::network_file_system("/dev/null"), "");
}

}  // namespace
}  // namespace optgap
