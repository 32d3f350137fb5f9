#pragma once
// Rows of JSON, scored for clients as one run: what `optgap score` does, beside the node's baselines.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/rows/scorer_pool.hpp"
#include "host/serve/workplace.hpp"

namespace optgap::serve {

/// Thread-safe. What a daemon should not do for a client is refused, and the client does it: rows whose work is a
/// program's, options that name files.
class row_place {
public:
    /// Gives memory for that many bytes of results.
    using room = std::function<std::byte*(std::size_t)>;

    explicit row_place(workplace& at, std::vector<std::string> kinds = {}) : at_(at), kinds_(std::move(kinds)) {}

    /// Rows served. Throws wire_error, refused_request and error.
    std::int64_t serve(std::span<std::byte const> bytes, room const& out);

private:
    using pool = std::shared_ptr<rows::scorer_pool>;
    pool scorers_for(std::string const& options);
    void check_row(rows::scorer const& by, json_row const& row) const;
    void check_instance(json_row const& row) const;

    workplace& at_;
    std::vector<std::string> const kinds_;  ///< packages that clients may name
    std::mutex lock_;
    std::list<std::pair<std::string, pool>> known_;  ///< by their options; the least recently used last
};

}  // namespace optgap::serve
