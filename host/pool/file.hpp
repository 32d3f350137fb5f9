#pragma once
// The file of a pool: entries in the order of their ids, outcomes by step, and a chain of hashes with one link per
// step.

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

/// The settings of a pool, which never change.
struct settings {
    std::uint64_t seed = 0;      ///< of its draws
    policy by = policy::signal;  ///< unless a draw names another
    std::int64_t window = 8;     ///< the number of newest steps that count as new
    std::int64_t capacity = 0;   ///< entries of a task that are drawn; 0: all
    friend bool operator==(settings const&, settings const&) = default;
};

/// A step as stored in a file.
struct step_record {
    std::int64_t number = 0;
    std::vector<entry> entries;  ///< in the order of their ids
    std::vector<instance_hash> digests;
    std::vector<outcome> outcomes;   ///< by entry
    std::vector<std::int64_t> gone;  ///< ids of entries that left, ascending
};

/// The first link of the chain, and the link that a step adds.
[[nodiscard]] instance_hash first_link(settings const& of);
[[nodiscard]] instance_hash next_link(instance_hash before, step_record const& step);

class file {
public:
    /// Makes a fresh file; throws sqlite::failure where the path exists.
    static void make(std::string const& path, settings const& of);
    /// Throws sqlite::failure for a file that is no pool or has another schema. A writer holds the file's lock.
    file(std::string const& path, bool writes);

    [[nodiscard]] std::string const& path() const { return base_.path(); }
    [[nodiscard]] sqlite::database const& base() const { return base_; }
    [[nodiscard]] settings const& made_with() const { return settings_; }

    /// Visits the steps from `from` on, whose first entry has the id `first`, each with its link in the file. The
    /// caller has a snapshot or transaction, since a writer may end a step meanwhile.
    void each_step(std::int64_t from, std::int64_t first,
                   std::function<void(step_record const&, instance_hash link)> const& take) const;
    /// The link of the chain at the end of a step; none where it has not ended.
    [[nodiscard]] std::optional<instance_hash> link_after(std::int64_t step) const;
    /// Throws sqlite::failure{damaged} for an id that the file does not have.
    [[nodiscard]] entry read(std::int64_t id) const;
    /// The digest of a part that a step took in.
    [[nodiscard]] std::optional<instance_hash> part_digest(part_name const& name) const;

    /// Writes a step in one transaction. `first` is the id of its first entry.
    void write(step_record const& step, instance_hash link, std::int64_t first, delta const& parts);
    /// Removes the steps from `from` on, whose first entry has the id `first`. The caller has a transaction.
    void drop(std::int64_t from, std::int64_t first);

private:
    [[noreturn]] void damaged(std::string const& sentence) const;

    std::unique_ptr<sqlite::writer_lock> lock_;  ///< first: taken before the file is opened
    sqlite::database base_;
    settings settings_;
    std::unique_ptr<sqlite::statement> reading_;  ///< of one entry
};

}  // namespace optgap::pool
