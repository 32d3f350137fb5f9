#pragma once
// A stored baseline, and which of two is better. Joining rows is commutative, associative and idempotent, so nothing
// depends on the order in which they come: the answer and the bound are chosen independently, each by a total order,
// and a contradiction is an alarm.

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "optgap/baseline.hpp"
#include "optgap/key.hpp"
#include "optgap/status.hpp"
#include "optgap/verdict.hpp"

namespace optgap::store {

/// Two proofs that contradict each other, or an answer better than a bound: one of them is wrong, and nothing is
/// written.
class alarm : public error {
public:
    explicit alarm(std::string const& sentence) : error(status::internal, "ALARM: " + sentence) {}
};

/// The key of a row; its order is that of rows in a file. Seeds are ordered as signed numbers, as in SQLite.
struct row_key {
    std::string task;
    std::int32_t version = 1;
    std::int32_t part = 0;   ///< of optgap::split; explicit_part for a user's own instance
    std::int32_t level = 0;  ///< difficulty::code; 0 for a user's own
    std::int64_t seed = 0;   ///< its 64 bits; 0 for a user's own
    instance_hash own;       ///< of a user's own instance; else 0

    friend bool operator==(row_key const&, row_key const&) = default;
    friend std::strong_ordering operator<=>(row_key const& a, row_key const& b);
};

inline constexpr std::int32_t explicit_part = 3;

/// Throws field_error for a key that holds no hash of its own instance.
row_key key_of(instance_key const& key, instance_hash hash);
/// "tsp@1:train:hard:42#9f3a1c2e", "tsp@1:x:HASH32".
std::string to_string(row_key const& key, instance_hash hash);

/// The run that found a value, and its effort.
struct origin {
    std::int64_t steps = 0;
    std::int64_t budget = 0;  ///< of the run
    std::string solver;       ///< "exact", "improved", "import:NAME"
    std::string engine;       ///< its version
    friend auto operator<=>(origin const&, origin const&) = default;
};

struct row {
    row_key key;
    instance_hash hash;
    std::int64_t floor = no_objective;
    std::int64_t greedy = no_objective;
    // The answer: verified.
    std::int64_t objective = no_objective;  ///< no_objective: there is none
    std::vector<std::int32_t> answer;       ///< its block
    origin found;
    // The bound: computed by this engine.
    bool excluded = false;              ///< proven: no feasible answer exists
    std::int64_t bound = no_objective;  ///< no_objective: there is none
    std::string bound_kind;
    origin bounded;
    std::int64_t published = no_objective;  ///< by others, unverified: never a proof
    std::int64_t tried = 0;                 ///< largest budget that a run has spent; not part of the content

    [[nodiscard]] baseline_status status() const;
    [[nodiscard]] bool proven() const {
        return status() == baseline_status::optimal || status() == baseline_status::infeasible;
    }
};

/// |objective − bound| / |bound| of a row that is not proven; NaN where it is, or has no answer or no bound other than
/// 0.
[[nodiscard]] double relative_gap(row const& of);

/// Whether a's value is better than b's. no_objective is worse than any.
[[nodiscard]] bool better(sense direction, std::int64_t a, std::int64_t b);

/// The best of both; throws `alarm` where they contradict each other or themselves. The rows are of one key.
row join(row const& a, row const& b, sense direction);
/// Throws `alarm` for an answer better than the bound, or one to an instance that is proven to have none.
void require_sound(row const& one, sense direction);

/// Blocks as bytes: zigzag, then seven bits a byte, the lowest first.
std::vector<std::byte> pack(std::vector<std::int32_t> const& block);
/// Throws error{internal} for bytes that are not a block.
std::vector<std::int32_t> unpack(std::byte const* bytes, std::size_t size);

}  // namespace optgap::store
