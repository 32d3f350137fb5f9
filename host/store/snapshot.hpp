#pragma once
// A frozen store from which baselines are read while answers are rewarded. It never changes, so its content hash
// identifies the baselines of the numbers.

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "host/store/file.hpp"
#include "optgap/engine.hpp"

namespace optgap::store {

/// The path of a snapshot and the hash of its content; empty: there is none.
struct snapshot_place {
    std::string path, hash;
};

/// `named` is a path, or "served": the snapshot with which the daemon listening at `daemon` was started; this process
/// then reads the same file. Empty for an empty name. Throws sqlite::failure for a file that is no snapshot, and error
/// for a daemon that is not there, or has none.
snapshot_place find_snapshot(std::string const& named, std::string const& daemon);

/// Counts of the baselines that a snapshot has given so far.
struct snapshot_counts {
    std::int64_t given = 0;       ///< instances whose baseline came from it
    std::int64_t absent = 0;      ///< instances without a row or a value in it
    std::int64_t of_engines = 0;  ///< rows skipped: another version of the engine made them
    std::int64_t of_tasks = 0;    ///< rows skipped: of tasks or versions that this build does not have
    friend bool operator==(snapshot_counts const&, snapshot_counts const&) = default;
};

/// Finds the baseline of an instance among rows: by its spec's key, or, where the spec has none (task -1) or there is
/// no row of it, as a user's own instance. Rows that another version of the engine made are skipped. Not thread-safe.
struct row_search {
    engine const& by;
    std::string version;  ///< this engine's
    snapshot_counts counts = {};
    std::set<std::string> engines = {};  ///< versions of the rows skipped

    /// `row_of` gives a key's row of the file or files at `path`. Returns nullopt where the instance has to be solved.
    /// Throws damaged_row for a row of this version with other words: a key always names the same instance.
    std::optional<baseline> find(std::string const& path,
                                 std::function<std::optional<row>(row_key const&)> const& row_of, std::int32_t task,
                                 instance_spec const& spec, std::span<std::int32_t const> words);
    /// ": 32 baselines, 4 solved; 3 rows passed over, made by engine 1.2.0, and this is 1.3.0".
    [[nodiscard]] std::string sentence() const;

private:
    std::optional<row> usable(std::string const& path, std::optional<row> found, row_key const& key, instance_hash hash,
                              bool& passed);
};

/// May be used by any thread.
class snapshot {
public:
    /// Throws sqlite::failure for a file that is no snapshot, with the command that makes one. `version` is this
    /// engine's; rows that another one made are skipped. `by` must outlive it.
    snapshot(std::string const& path, engine const& by, std::string version);

    /// Opens a snapshot; returns nullptr for an empty path.
    static std::unique_ptr<snapshot> opened(std::string const& path, engine const& by, std::string version) {
        return path.empty() ? nullptr : std::make_unique<snapshot>(path, by, std::move(version));
    }

    /// The content hash, as `optgap store snapshot` printed it.
    [[nodiscard]] std::string const& hash() const { return hash_; }

    /// As row_search. Throws damaged_row for a row that does not match its digest, too.
    [[nodiscard]] std::optional<baseline> find(std::int32_t task, instance_spec const& spec,
                                               std::span<std::int32_t const> words);

    [[nodiscard]] snapshot_counts counts() const;
    /// "frozen.db (content 9f3a1c2e): 32 baselines, 4 solved; 3 rows passed over, which engine 1.2.0 made".
    [[nodiscard]] std::string sentence() const;

private:
    std::string hash_;
    mutable std::mutex lock_;
    file file_;
    row_search search_;
    std::set<std::string> tasks_;  ///< "tsp@2", of the rows skipped
};

}  // namespace optgap::store
