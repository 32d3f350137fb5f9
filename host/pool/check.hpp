#pragma once
// Nothing that enters a pool or comes from a file is trusted: words are checked, canonical forms computed again,
// answers verified, proofs made again. The text that a solver sees is written anew from words, under labels of its
// draw.

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/pool/pool.hpp"
#include "host/pool/question.hpp"
#include "optgap/engine.hpp"

namespace optgap::pool {

/// The origin of a problem.
struct lineage {
    origin kind = origin::seed;
    instance_hash parent;
};

/// The result for a problem that was brought.
enum class reception : std::int32_t {
    ok = 0,
    duplicate = 1,    ///< the pool has it, or an earlier one of these
    unproven = 2,     ///< its budget ended before a proof
    low_quality = 3,  ///< judges find a question too poor
};
inline constexpr char const* reception_names[] = {"ok", "duplicate", "unproven", "low_quality"};

struct received {
    reception code = reception::ok;
    instance_hash canonical;
    bool coarse = false;
    std::int64_t duplicate_of = -1;  ///< entry; -1 where it is an earlier one of these
    baseline found;                  ///< of those that were solved
};

/// Turns problems into entries for the end of the pool's step: computes canonical forms, finds duplicates by them, and
/// proves the rest with `budget` steps (-1: each task's own).
class receiver {
public:
    receiver(engine const& by, pool const& into, std::int64_t budget) : by_(by), into_(into), budget_(budget) {}
    /// `from` has one entry per instance. `known`: proofs with their answers that this process has made of the same
    /// instances with this budget, so that they are not made twice; null: none. Their answers are verified. Throws
    /// field_error{"known"}, and takes nothing, for a proof whose answer does not match it.
    std::vector<received> take(instance_view instances, std::span<lineage const> from,
                               solved_batch const* known = nullptr);
    /// The same for a question in free text. `quality` is what judges say of it, 0 to 1, NaN for none; below `enough`
    /// it is low_quality. Throws field_error as question_entry does, and takes nothing.
    received take(question const& of, lineage from, double quality, double enough);
    /// The entries that were ok, in the order in which they came.
    [[nodiscard]] std::vector<entry>& entries() { return entries_; }

private:
    engine const& by_;
    pool const& into_;
    std::int64_t budget_;
    std::vector<entry> entries_;
    std::set<std::pair<std::int32_t, std::string>> had_;
};

/// A sentence on what is wrong with each entry; empty: nothing. Does not prove entries again, and does not compute
/// canonical forms again where `forms` is false.
std::vector<std::string> faults_of(engine const& by, std::span<entry const> all, bool forms = true);
/// The same for their proofs, which are made again from words alone, with their budgets.
std::vector<std::string> proof_faults_of(engine const& by, std::span<entry const> all);

struct check_report {
    std::int64_t entries = 0, wrong = 0, proved = 0;
    std::vector<std::string> sentences;  ///< of the first 20
};
/// Checks all entries of a pool, and the proofs and canonical forms of a sample of `proofs` (-1: of all) that the
/// pool's hash chooses.
check_report check(engine const& by, pool const& of, std::int64_t proofs);
/// Checks the content of a delta before a step takes it in; throws field_error{"delta"} for the first fault.
void require_sound(engine const& by, delta const& parts, std::int64_t proofs);

/// `count` different numbers below `all`, ascending, keyed by a hash.
std::vector<std::int64_t> keyed_sample(instance_hash key, std::int64_t count, std::int64_t all);

/// An entry as a solver sees it.
struct posed {
    std::int32_t task = 0;
    std::vector<std::int32_t> words;
    bool relabelled = false;  ///< false: its task has no other labels
};
posed pose(engine const& by, entry const& one, std::uint64_t label_seed);

}  // namespace optgap::pool
