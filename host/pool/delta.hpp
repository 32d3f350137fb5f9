#pragma once
// The contributions of ranks to the end of a step. A part is one contribution of one rank; a delta is a set of parts.
// Joining deltas is the union of sets: commutative, associative, and a part that comes twice counts once.

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/pool/entry.hpp"

namespace optgap::pool {

struct part_name {
    std::int64_t step = 0;
    std::int32_t rank = 0;
    std::int32_t sequence = 0;  ///< of a rank's parts in a step
    friend auto operator<=>(part_name const&, part_name const&) = default;
};
/// "step 3, rank 0, part 1"
[[nodiscard]] std::string to_string(part_name const& name);

struct part {
    part_name name;
    /// The pool's hash when the step began: ids of entries mean nothing in another pool.
    instance_hash base;
    std::vector<entry> entries;
    std::vector<outcome> outcomes;
};
[[nodiscard]] instance_hash digest_of(part const& one);

class delta {
public:
    /// Returns false when the part is there already. Throws field_error{"delta"} for another part of the same name, or
    /// one of another pool.
    bool add(part one);
    void join(delta const& other);

    [[nodiscard]] std::map<part_name, part> const& parts() const { return parts_; }
    [[nodiscard]] bool empty() const { return parts_.empty(); }
    /// The parts of one step.
    [[nodiscard]] delta of_step(std::int64_t step) const;

private:
    std::map<part_name, part> parts_;
};

/// JSON lines: a head for each part, with the number of lines that follow and the digest of all, then its entries and
/// outcomes.
[[nodiscard]] std::string to_text(delta const& all);
/// Throws field_error{"line N"} for a text that is no delta, or is cut off.
[[nodiscard]] delta delta_from(std::string_view text);

}  // namespace optgap::pool
