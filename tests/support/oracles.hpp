#pragma once
// Every task's slow obvious twin (NAME_reference.hpp), in the registry's order; a unit for each is made from
// oracle.cpp.in, the list by tools/cmake/tests.cmake.

#include <cstdint>
#include <optional>
#include <span>

#include "optgap/verdict.hpp"

namespace optgap::testing {

struct oracle {
    char const* name;
    verdict (*verify)(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block);
    std::optional<std::int64_t> (*optimum)(std::span<std::int32_t const> instance);
};

std::span<oracle const* const> oracles();

}  // namespace optgap::testing
