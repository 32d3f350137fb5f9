#pragma once
// One file of stored baselines: a table clustered by key, the words of users' own instances, and what was asked for.

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

/// What a run asked a file for.
struct run_entry {
    std::string asked;      ///< its spec, or its inputs with their hash
    std::string shard;      ///< "3/64"
    std::int64_t rows = 0;  ///< that the shard has of it
    bool finished = false;
};

/// How long a file's rows took, summed over the transactions of one kind. Apart from the content: no export, merge or
/// snapshot has it.
struct time_entry {
    std::string task;   ///< "tsp@1"; "several" of a transaction with rows of several tasks
    std::string level;  ///< its name, "explicit" or "several"
    std::string engine;
    std::int64_t threads = 0;
    std::int64_t rows = 0, steps = 0, nanoseconds = 0;  ///< by the wall's clock, from commit to commit
};

class file {
public:
    /// Opens, or makes under access::create; throws sqlite::failure for what is no store, or one of a later schema.
    explicit file(std::string const& path, sqlite::access how, bool is_snapshot = false);

    [[nodiscard]] std::string const& path() const { return base_.path(); }
    [[nodiscard]] sqlite::database const& base() const { return base_; }

    /// Does it keep a digest of each row? Not one of schema 1 that is only read.
    [[nodiscard]] bool has_digests() const { return has_digests_; }

    /// All that read throw `damaged_row` for one that is not what its digest says.
    [[nodiscard]] std::optional<row> find(row_key const& key) const;
    /// All rows in the order of keys, without looking at their digests: `take` is told whether a row is what its says.
    void each(std::function<void(row const& one, bool whole)> const& take) const;
    /// Joins it with what is there; throws `alarm`. Returns whether anything changed. Within a transaction of the
    /// caller's.
    bool put(row const& one, sense direction);
    /// Writes it as it is: into a fresh file, in the order of keys.
    void append(row const& one);
    void put_instance(row_key const& key, own_instance const& own);
    [[nodiscard]] std::optional<own_instance> instance(row_key const& key) const;
    [[nodiscard]] std::int64_t rows() const { return base_.integer("SELECT count(*) FROM baselines"); }

    [[nodiscard]] std::string meta(std::string const& name) const;  ///< empty when there is none
    void set_meta(std::string const& name, std::string const& value);
    void note_run(run_entry const& run);
    [[nodiscard]] std::vector<run_entry> runs() const;
    /// Adds to what the file has of the kind. Within a transaction of the caller's.
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

/// Of several files, the rows of all in the order of keys; equal keys are joined.
class reader {
public:
    /// A file, or a folder of `*.db`; throws sqlite::failure that names what is none, or a folder without any.
    explicit reader(std::string const& path, bool is_snapshot = false);
    reader(std::vector<std::string> const& paths, bool is_snapshot);

    /// The next row; nullopt at the end. `direction_of(task)` says which values are better.
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
