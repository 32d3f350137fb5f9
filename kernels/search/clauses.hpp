#pragma once
// Clauses, with or without weights, and an index of the clauses of each variable. Literal v or -v, v from 1 on, is true
// when variable v - 1 has label 1 or 0. A clause is true if one of its literals is. A clause shorter than the longest
// one ends with zeros. Hard clauses must all be true and have no weight.

#include <cstdint>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

struct clause_set {
    std::int32_t n;
    std::int32_t m;
    std::int32_t k;  ///< literals of the longest clause
    std::int32_t const* literals;
    std::int32_t const* weights;         ///< nullptr: every weight is 1
    std::int32_t const* hard = nullptr;  ///< 1 for a hard clause, otherwise 0; nullptr: there are none

    [[nodiscard]] OPTGAP_HD std::int64_t size() const { return std::int64_t(m) * k; }
    [[nodiscard]] OPTGAP_HD std::int32_t const* clause(std::int64_t c) const { return literals + c * k; }
    [[nodiscard]] OPTGAP_HD bool is_hard(std::int64_t c) const { return hard != nullptr && hard[c] != 0; }
    [[nodiscard]] OPTGAP_HD std::int64_t weight(std::int64_t c, std::int64_t of_hard = 0) const {
        return is_hard(c) ? of_hard : weights == nullptr ? 1 : weights[c];
    }
    [[nodiscard]] OPTGAP_HD std::int32_t length(std::int64_t c) const {
        std::int32_t count = 0;
        while (count < k && clause(c)[count] != 0) {
            ++count;
        }
        return count;
    }

    /// Whether this is the first occurrence of the literal in its clause. A clause may repeat a literal.
    [[nodiscard]] OPTGAP_HD bool first(std::int64_t c, std::int32_t place) const {
        for (std::int32_t i = 0; i < place; ++i) {
            if (clause(c)[i] == clause(c)[place]) {
                return false;
            }
        }
        return true;
    }
    [[nodiscard]] OPTGAP_HD bool holds(std::int64_t c, std::int32_t const* labels) const {
        for (std::int32_t i = 0; i < k && clause(c)[i] != 0; ++i) {
            std::int32_t const literal = clause(c)[i];
            if (labels[(literal > 0 ? literal : -literal) - 1] == (literal > 0 ? 1 : 0)) {
                return true;
            }
        }
        return false;
    }
};

/// For each variable the clauses that contain it, once for each sign: c + 1 if the literal is positive, -(c + 1) if it
/// is negated.
struct clause_index {
    std::int32_t* start;
    std::int32_t* entries;

    OPTGAP_HD static std::int64_t words(clause_set const& set) { return set.n + 1 + set.size(); }
    OPTGAP_HD clause_index(clause_set const& set, std::int32_t* memory) : start(memory), entries(memory + set.n + 1) {}

    /// Called by one lane.
    OPTGAP_HD void build(clause_set const& set) const {
        for (std::int32_t v = 0; v <= set.n; ++v) {
            start[v] = 0;
        }
        for (std::int64_t c = 0; c < set.m; ++c) {
            each_of(set, c, [&](std::int32_t variable, bool) { ++start[variable]; });
        }
        for (std::int32_t v = 0, before = 0; v <= set.n; ++v) {
            before += start[v];
            start[v] = before;
        }
        // A variable's start moves from the end of its entries to their beginning.
        for (std::int64_t c = set.m - 1; c >= 0; --c) {
            each_of(set, c, [&](std::int32_t variable, bool positive) {
                entries[--start[variable]] = positive ? std::int32_t(c) + 1 : -std::int32_t(c) - 1;
            });
        }
    }

private:
    template <class Function>
    OPTGAP_HD static void each_of(clause_set const& set, std::int64_t c, Function const& function) {
        for (std::int32_t i = 0; i < set.k && set.clause(c)[i] != 0; ++i) {
            if (set.first(c, i)) {
                std::int32_t const literal = set.clause(c)[i];
                function((literal > 0 ? literal : -literal) - 1, literal > 0);
            }
        }
    }
};

}  // namespace search
OPTGAP_KERNELS_END
