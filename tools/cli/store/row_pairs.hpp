#pragma once
// Two stores side by side, in the order of keys.

#include <functional>

#include "host/store/canonical.hpp"

namespace optgap::cli {

/// Calls `visit(old, now)` for every key of either; nullptr for the side that does not have it. `old` may be nullptr:
/// then nothing has.
void for_pairs(engine const& by, store::reader* old, store::reader& now,
               std::function<void(store::row const*, store::row const*)> const& visit);

/// What became of a row that both have.
struct row_change {
    bool same = false;  ///< in everything that is content
    bool better = false;
    bool worse = false;
    bool newly_proven = false;
    bool no_longer_proven = false;
    [[nodiscard]] bool otherwise() const { return !same && !better && !worse && !newly_proven && !no_longer_proven; }
};

row_change change_of(store::row const& old, store::row const& now, engine const& by);

}  // namespace optgap::cli
