#pragma once
// A store that others may still write to, as it was when it was opened.

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/store/snapshot.hpp"

namespace optgap::store {

/// Pinned: it gives what its files held when it was opened, and, once somebody has written to one of them, nothing any
/// more. A run thus never sees two states of a store. Any thread.
class generation {
public:
    /// `path` is a file or a folder of `*.db`; `version` as of a snapshot. Reads all rows once, for the content hash.
    /// Throws sqlite::failure for what is no store, or is being written to. `by` must outlive it.
    generation(std::string const& path, engine const& by, std::string version);

    /// Of its content: what `optgap store snapshot` would print of it.
    [[nodiscard]] std::string const& hash() const { return hash_; }

    /// As snapshot::find; equal keys of several files are joined. What it gave once may be gone the next time.
    [[nodiscard]] std::optional<baseline> find(std::int32_t task, instance_spec const& spec,
                                               std::span<std::int32_t const> words);

    [[nodiscard]] snapshot_counts counts() const;
    /// Was it written to since it was opened? As far as `find` has seen.
    [[nodiscard]] bool has_changed() const;
    /// As of a snapshot; says where it has changed since.
    [[nodiscard]] std::string sentence() const;

private:
    /// An open file, and SQLite's count of what others have written to it.
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
    std::int64_t missed_ = 0;  ///< instances that were asked for since
};

}  // namespace optgap::store
