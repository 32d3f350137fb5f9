#pragma once
// SQLite files, opened and used one way everywhere: rollback journal, never a write-ahead log; typed binds and reads;
// every failure names the file, what happened and what was expected. A file has one writer (writer_lock.hpp) and any
// number of readers beside it.
//
//   sqlite::database file("pool.db", {.how = sqlite::access::create});
//   sqlite::transaction all(file);
//   sqlite::statement put = file.prepare("INSERT INTO t (name, value) VALUES (?, ?)");
//   put.run("a", std::int64_t(1));
//   all.commit();
//   for (auto rows = file.prepare("SELECT name, value FROM t ORDER BY name"); rows.step();) { rows.text(0);
//   rows.integer(1); }

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/status.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace optgap::sqlite {

enum class problem {
    missing,      ///< this build has no SQLite
    cannot_open,  ///< no such file or folder, or no permission
    no_database,  ///< a file of another kind
    damaged,      ///< cut off, or in contradiction to its own header
    journal,      ///< in write-ahead mode, or an unfinished transaction lies beside a file that may not change
    busy,         ///< another process holds it for longer than the timeout
    full,         ///< no room: on the disk, in a quota or within the largest size of a file
    read_only,
    input_output,  ///< any other failure of the system
    wrong_type,    ///< a column holds another kind of value
    conflict,      ///< a constraint of the schema
    misuse,        ///< a bug of this library
};

/// A failure of a file. The sentence begins with its path.
class failure : public error {
public:
    failure(problem kind, std::string const& path, std::string const& sentence)
        : error(status::internal, path + ": " + sentence), kind_(kind) {}
    [[nodiscard]] problem kind() const noexcept { return kind_; }

private:
    problem kind_;
};

/// Whether this build has SQLite; without it `database` throws failure{missing}.
[[nodiscard]] bool available();
/// The version of SQLite, "3.40.1"; empty without it.
[[nodiscard]] std::string version();

enum class access {
    create,     ///< reads and writes; makes the file where there is none
    write,      ///< reads and writes a file that is there
    read,       ///< reads, beside a writer
    immutable,  ///< reads a file that never changes again: no locks are taken, no journal is looked for
};

struct open_options {
    access how = access::read;
    std::int32_t busy_milliseconds = 10'000;  ///< how long to wait for another process's transaction
    std::int64_t mapped_bytes = 0;            ///< of the file that is read through a memory map; 0: none
    std::int64_t cache_bytes = 0;             ///< of pages; 0: SQLite's own choice, 2 MB
};

using bytes = std::span<std::byte const>;

class database;

/// A prepared statement, with one bound value per `?`. Must not outlive its database. Bound texts and bytes are copied.
class statement {
public:
    statement(statement&& other) noexcept;
    statement& operator=(statement&&) = delete;
    ~statement();

    void bind(std::int32_t position, std::int64_t value);  ///< positions count from 1
    void bind(std::int32_t position, std::int32_t value) { bind(position, std::int64_t(value)); }
    void bind(std::int32_t position, double value);
    void bind(std::int32_t position, std::string_view value);
    void bind(std::int32_t position, char const* value) { bind(position, std::string_view(value)); }
    void bind(std::int32_t position, std::string const& value) { bind(position, std::string_view(value)); }
    void bind(std::int32_t position, bytes value);
    void bind(std::int32_t position, std::nullptr_t);

    /// Begins again with these values.
    template <class... Values>
    statement& with(Values const&... values) {
        reset();
        std::int32_t position = 0;
        (bind(++position, values), ...);
        return *this;
    }
    /// Begins again with these values and runs to the end; rows are skipped.
    template <class... Values>
    void run(Values const&... values) {
        with(values...);
        while (step()) {
        }
        reset();
    }
    /// Whether there is a next row. Its texts and bytes are valid until the next step.
    bool step();
    /// Makes the statement ready to run again; bound values stay.
    void reset();

    // Columns of the row, from 0. Throws failure{wrong_type} for a value of another kind.
    [[nodiscard]] bool is_null(std::int32_t column) const;
    [[nodiscard]] std::int64_t integer(std::int32_t column) const;
    [[nodiscard]] double real(std::int32_t column) const;
    [[nodiscard]] std::string_view text(std::int32_t column) const;
    [[nodiscard]] bytes blob(std::int32_t column) const;

private:
    friend class database;
    statement(database const& of, sqlite3_stmt* made) : of_(&of), made_(made) {}
    void require(std::int32_t column, std::int32_t type, char const* wanted) const;

    database const* of_;
    sqlite3_stmt* made_;
};

/// An open file. For one thread at a time.
class database {
public:
    explicit database(std::string path, open_options const& options = {});
    ~database();
    database(database const&) = delete;
    database& operator=(database const&) = delete;

    [[nodiscard]] std::string const& path() const { return path_; }
    [[nodiscard]] statement prepare(std::string_view sql) const;
    /// Runs one or several statements without values; rows are skipped.
    void execute(std::string const& sql) const;
    /// The only value of the only row; `fallback` when there is no row or it is null.
    [[nodiscard]] std::int64_t integer(std::string_view sql, std::int64_t fallback = 0) const;

    /// The number of the schema, which the caller sets and checks.
    [[nodiscard]] std::int64_t user_version() const { return integer("PRAGMA user_version"); }
    void set_user_version(std::int64_t number) const;
    /// Rows that the newest statement changed.
    [[nodiscard]] std::int64_t changes() const;
    /// Reads the whole file; throws failure{damaged} with SQLite's first message.
    void check_integrity() const;
    /// The kind of network file system it lies on (network_file_system); empty for a disk of this machine.
    [[nodiscard]] std::string const& network() const { return network_; }

    /// Throws the failure of one of SQLite's codes, with its meaning and the path.
    [[noreturn]] void fail(std::int32_t code, std::string const& doing) const;

private:
    std::string path_;
    std::string network_;
    sqlite3* made_ = nullptr;
};

/// Writes everything until `commit`, or nothing. The write lock is taken at once.
class transaction {
public:
    explicit transaction(database const& of);
    ~transaction();
    transaction(transaction const&) = delete;
    transaction& operator=(transaction const&) = delete;

    void commit();

private:
    database const& of_;
    bool open_ = true;
};

/// While it lives, all reads see one state, whatever another process writes meanwhile.
class snapshot {
public:
    explicit snapshot(database const& of);
    ~snapshot();
    snapshot(snapshot const&) = delete;
    snapshot& operator=(snapshot const&) = delete;

private:
    database const& of_;
};

/// "NFS", "Lustre", "GPFS", "CIFS", "SMB2", "Ceph", "BeeGFS", "FUSE" or "9p" when the path, or its folder, lies on one,
/// by statfs; else empty. On such a file system the whole file is locked at once.
[[nodiscard]] std::string network_file_system(std::string const& path);
/// The name for the magic number that statfs gives.
[[nodiscard]] std::string_view network_name(std::uint64_t magic);

}  // namespace optgap::sqlite
