#pragma once
// The state of a store at the time it was opened, though others may still write to it.

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/store/snapshot.hpp"

namespace optgap::store {

/// Gives the rows that its files held when it was opened; once one of the files has been written to, it gives nothing
/// any more. A run thus never sees two states of a store. Any thread may use it.
class generation {
public:
    /// `path` is a file or a folder of `*.db`; `version` as of a snapshot. Reads all rows once, for the content hash.
    /// Throws sqlite::failure for a path that is no store, or is being written to. `by` must outlive it.
    generation(std::string const& path, engine const& by, std::string version);

    /// The content hash that `optgap store snapshot` would print for it.
    [[nodiscard]] std::string const& hash() const { return hash_; }

    /// As snapshot::find; equal keys of several files are joined. A row that it gave once may be gone the next time.
    [[nodiscard]] std::optional<baseline> find(std::int32_t task, instance_spec const& spec,
                                               std::span<std::int32_t const> words);

    [[nodiscard]] snapshot_counts counts() const;
    /// Whether `find` has seen that it was written to since it was opened.
    [[nodiscard]] bool has_changed() const;
    /// As that of a snapshot; also names changes since.
    [[nodiscard]] std::string sentence() const;

private:
    /// An open file, and SQLite's count of the changes by others.
    struct pinned_file {
        std::unique_ptr<file> of;
        std::int64_t state = 0;
    };

    [[nodiscard]] std::optional<row> row_of(row_key const& key);

    std::string path_;
    std::string hash_;
    mutable std::mutex lock_;
    std::vector<pinned_file> files_;
    row_search search_;
    bool changed_ = false;
    std::int64_t missed_ = 0;  ///< instances that were requested since
};

}  // namespace optgap::store
