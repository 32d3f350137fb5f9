#pragma once
// Oracle for sat, written from README.md.

#include "tests/support/reference_clauses.hpp"

namespace optgap::reference::sat {

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    return verify_clauses(clause_list(instance), answer_block);
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    return best_values(clause_list(instance));
}

}  // namespace optgap::reference::sat
