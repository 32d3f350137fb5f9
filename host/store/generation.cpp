#include "host/store/generation.hpp"

#include <fmt/format.h>

#include "host/store/canonical.hpp"

namespace optgap::store {
namespace {

/// A number that changes with every transaction of another connection that this one would see.
std::int64_t state_of(file const& one) { return one.base().integer("PRAGMA data_version"); }

}  // namespace

generation::generation(std::string const& path, engine const& by, std::string version)
    : path_(path), search_{by, std::move(version)} {
    for (std::string const& name : files_of(path)) {
        files_.push_back({std::make_unique<file>(name, sqlite::access::read), 0});
        files_.back().state = state_of(*files_.back().of);
    }
    hash_ = hash_of(path, by);
    for (pinned_file const& one : files_) {
        if (state_of(*one.of) != one.state) {
            throw sqlite::failure(sqlite::problem::busy, one.of->path(),
                                  "was written to while it was read: expected a store that nobody writes to now, or a "
                                  "snapshot of it (`optgap store snapshot`)");
        }
    }
}

/// The row of each file is read in one transaction with the count of changes to the file.
std::optional<row> generation::row_of(row_key const& key) {
    std::optional<row> out;
    for (pinned_file const& one : files_) {
        sqlite::snapshot const moment(one.of->base());
        if (state_of(*one.of) != one.state) {
            changed_ = true;
            return std::nullopt;
        }
        if (std::optional<row> const found = one.of->find(key)) {
            out = out ? join(*out, *found, direction_of(search_.by, key.task)) : *found;
        }
    }
    return out;
}

std::optional<baseline> generation::find(std::int32_t task, instance_spec const& spec,
                                         std::span<std::int32_t const> words) {
    std::lock_guard const locked(lock_);
    if (!changed_) {
        snapshot_counts const before = search_.counts;
        std::optional<baseline> const found = search_.find(
            path_, [this](row_key const& key) { return row_of(key); }, task, spec, words);
        if (!changed_) {
            return found;
        }
        search_.counts = before;  // part of the row was read after the change
    }
    ++missed_;
    return std::nullopt;
}

snapshot_counts generation::counts() const {
    std::lock_guard const locked(lock_);
    return search_.counts;
}

bool generation::has_changed() const {
    std::lock_guard const locked(lock_);
    return changed_;
}

std::string generation::sentence() const {
    std::lock_guard const locked(lock_);
    std::string out =
        fmt::format("{} (content {} when it was opened){}", path_, hash_.substr(0, 8), search_.sentence());
    if (changed_) {
        out += fmt::format("; it has been written to since, and {} instance{} solved", missed_,
                           missed_ == 1 ? " was" : "s were");
    }
    return out;
}

}  // namespace optgap::store
