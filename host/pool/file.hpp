#pragma once
// The file of a pool: entries in the order of their ids, outcomes by step, and a chain of hashes with a link a step.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/pool/delta.hpp"
#include "host/pool/weights.hpp"
#include "host/sqlite/sqlite.hpp"
#include "host/sqlite/writer_lock.hpp"

namespace optgap::pool {

inline constexpr std::int64_t schema_version = 1;

/// What a pool is made with, for good.
struct settings {
    std::uint64_t seed = 0;      ///< of its draws
    policy by = policy::signal;  ///< where a draw does not say another
    std::int64_t window = 8;     ///< how many newest steps count as new
    std::int64_t capacity = 0;   ///< entries of a task that are drawn; 0: all
    friend bool operator==(settings const&, settings const&) = default;
};

/// A step as a file keeps it.
struct step_record {
    std::int64_t number = 0;
    std::vector<entry> entries;  ///< in the order of their ids
    std::vector<instance_hash> digests;
    std::vector<outcome> outcomes;   ///< by entry
    std::vector<std::int64_t> gone;  ///< ids of entries that left, ascending
};

/// The chain's first link, and the one that a step adds.
[[nodiscard]] instance_hash first_link(settings const& of);
[[nodiscard]] instance_hash next_link(instance_hash before, step_record const& step);

class file {
public:
    /// A fresh one; throws sqlite::failure for a path where something is.
    static void make(std::string const& path, settings const& of);
    /// Throws sqlite::failure for what is no pool, or one of another schema. A writer holds the file's lock.
    file(std::string const& path, bool writes);

    [[nodiscard]] std::string const& path() const { return base_.path(); }
    [[nodiscard]] sqlite::database const& base() const { return base_; }
    [[nodiscard]] settings const& made_with() const { return settings_; }

    /// The steps from one on, whose first entry has the id `first`, each with the link that the file has of it. Within
    /// the caller's snapshot or transaction, since a writer may end a step meanwhile.
    void each_step(std::int64_t from, std::int64_t first,
                   std::function<void(step_record const&, instance_hash link)> const& take) const;
    /// The chain's link at the end of a step; none where it has not ended.
    [[nodiscard]] std::optional<instance_hash> link_after(std::int64_t step) const;
    /// Throws sqlite::failure{damaged} for an id that it has not.
    [[nodiscard]] entry read(std::int64_t id) const;
    /// The digest of a part that a step took in.
    [[nodiscard]] std::optional<instance_hash> part_digest(part_name const& name) const;

    /// A step in one transaction. `first` is the id of its first entry.
    void write(step_record const& step, instance_hash link, std::int64_t first, delta const& parts);
    /// Removes the steps from one on, whose first entry has the id `first`. Within the caller's transaction.
    void drop(std::int64_t from, std::int64_t first);

private:
    [[noreturn]] void damaged(std::string const& sentence) const;

    std::unique_ptr<sqlite::writer_lock> lock_;  ///< first: taken before the file is opened
    sqlite::database base_;
    settings settings_;
    std::unique_ptr<sqlite::statement> reading_;  ///< of one entry
};

}  // namespace optgap::pool
