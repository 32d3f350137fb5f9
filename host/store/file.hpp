#pragma once
// One file of stored baselines: a table clustered by key, the words of users' own instances, and the runs that filled
// it.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/sqlite/sqlite.hpp"
#include "host/sqlite/writer_lock.hpp"
#include "host/store/digest.hpp"
#include "host/store/row.hpp"

namespace optgap::store {

/// 2: every row has its digest. Files of schema 1 have none, and are only read.
inline constexpr std::int64_t schema_version = 2;

/// A run's request to a file.
struct run_entry {
    std::string asked;      ///< its spec, or its inputs with their hash
    std::string shard;      ///< "3/64"
    std::int64_t rows = 0;  ///< that belong to the shard
    bool finished = false;
};

/// The time that a file's rows took, summed over the transactions of one kind. It is not part of the content: no
/// export, merge or snapshot has it.
struct time_entry {
    std::string task;   ///< "tsp@1"; "several" for a transaction with rows of several tasks
    std::string level;  ///< its name, "explicit" or "several"
    std::string engine;
    std::int64_t threads = 0;
    std::int64_t rows = 0, steps = 0, nanoseconds = 0;  ///< of wall time, from commit to commit
};

class file {
public:
    /// Opens a file, or makes one under access::create; throws sqlite::failure for a file that is no store or has a
    /// later schema.
    explicit file(std::string const& path, sqlite::access how, bool is_snapshot = false);

    [[nodiscard]] std::string const& path() const { return base_.path(); }
    [[nodiscard]] sqlite::database const& base() const { return base_; }

    /// Whether it keeps a digest of each row. A file of schema 1 that is only read does not.
    [[nodiscard]] bool has_digests() const { return has_digests_; }

    /// All reading functions throw `damaged_row` for a row that does not match its digest.
    [[nodiscard]] std::optional<row> find(row_key const& key) const;
    /// Calls `take` for all rows in the order of keys. It does not throw for a damaged row; `whole` says whether the
    /// row matches its digest.
    void each(std::function<void(row const& one, bool whole)> const& take) const;
    /// Joins the row with the file's row of the same key; throws `alarm`. Returns whether anything changed. The caller
    /// has a transaction.
    bool put(row const& one, sense direction);
    /// Writes the row unchanged, into a fresh file, in the order of keys.
    void append(row const& one);
    void put_instance(row_key const& key, own_instance const& own);
    [[nodiscard]] std::optional<own_instance> instance(row_key const& key) const;
    [[nodiscard]] std::int64_t rows() const { return base_.integer("SELECT count(*) FROM baselines"); }

    [[nodiscard]] std::string meta(std::string const& name) const;  ///< empty when there is none
    void set_meta(std::string const& name, std::string const& value);
    void note_run(run_entry const& run);
    [[nodiscard]] std::vector<run_entry> runs() const;
    /// Adds to the file's times of the kind. The caller has a transaction.
    void add_time(time_entry const& spent);
    [[nodiscard]] std::vector<time_entry> times() const;

private:
    sqlite::database base_;
    bool has_digests_ = true;
    std::map<std::string, std::unique_ptr<sqlite::statement>, std::less<>> known_;
    sqlite::statement& prepared(char const* sql) const;
    void write(row const& one, char const* verb);
    void write_instance(row_key const& key, own_instance const& own);

    friend class reader;
    [[nodiscard]] sqlite::statement in_order() const;
    [[nodiscard]] row read_whole(sqlite::statement const& from) const;
};

/// Reads the rows of several files in the order of keys; equal keys are joined.
class reader {
public:
    /// `path` is a file, or a folder of `*.db`; throws sqlite::failure that names a file that is no store, or a folder
    /// without files.
    explicit reader(std::string const& path, bool is_snapshot = false);
    reader(std::vector<std::string> const& paths, bool is_snapshot);

    /// The next row; nullopt at the end. `direction_of(task)` gives the direction of better values.
    template <class Direction>
    std::optional<row> next(Direction const& direction_of) {
        std::optional<row> out;
        for (std::size_t i = 0; i < heads_.size(); ++i) {
            if (heads_[i] && (!out || heads_[i]->key < out->key)) {
                out = heads_[i];
            }
        }
        if (!out) {
            return out;
        }
        bool first = true;
        for (std::size_t i = 0; i < heads_.size(); ++i) {
            if (heads_[i] && heads_[i]->key == out->key) {
                out = first ? *heads_[i] : join(*out, *heads_[i], direction_of(out->key.task));
                first = false;
                advance(i);
            }
        }
        return out;
    }
    [[nodiscard]] std::optional<own_instance> instance(row_key const& key) const;
    [[nodiscard]] std::vector<std::unique_ptr<file>> const& files() const { return files_; }

private:
    void open(std::vector<std::string> const& paths, bool is_snapshot);
    void advance(std::size_t i);

    std::vector<std::unique_ptr<file>> files_;
    std::vector<sqlite::statement> rows_;
    std::vector<std::optional<row>> heads_;
};

/// The files of a store: itself, or a folder's `*.db` in their order.
std::vector<std::string> files_of(std::string const& path);

}  // namespace optgap::store
