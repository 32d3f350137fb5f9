#pragma once
// The digest that a file keeps of each stored row, by which a number that was changed outside the engine is found when
// it is read.

#include "host/sqlite/sqlite.hpp"
#include "host/store/row.hpp"

namespace optgap::store {

/// A user's own instance.
struct own_instance {
    std::string name;  ///< of its file or row; may be empty
    std::vector<std::int32_t> words;
};

/// XXH3-128 over all that a file keeps of a row: key, hash of its words, objective, bound, kind, answer, anchors, and
/// their origins.
[[nodiscard]] instance_hash digest_of(row const& one);
[[nodiscard]] instance_hash digest_of(row_key const& key, own_instance const& own);

/// A row that does not match its digest.
class damaged_row : public sqlite::failure {
public:
    damaged_row(std::string const& path, row_key const& key, instance_hash hash, std::string const& what);
    /// Its key.
    [[nodiscard]] std::string const& name() const noexcept { return name_; }

private:
    std::string name_;
};

}  // namespace optgap::store
