#pragma once
// Every task's slow, simple reference (NAME_reference.hpp), in the registry's order. oracle.cpp.in gives a unit for
// each, tools/cmake/tests.cmake the list.

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
