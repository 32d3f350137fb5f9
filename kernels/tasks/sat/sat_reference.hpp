#pragma once
// Oracle for sat, written from README.md.

#include "tests/support/reference_clauses.hpp"

namespace optgap::reference::sat {

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    return verify_clauses(clause_list(instance), answer_block);
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    clause_list const on(instance);
    return best_labels(on.n, [&](std::vector<std::int32_t> const& values) { return on.worth(values); });
}

}  // namespace optgap::reference::sat
