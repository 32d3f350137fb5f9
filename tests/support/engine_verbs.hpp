#pragma once
// Every public verb that uses the engine's device, on one small batch of all tasks, with results that compare.

#include <cstdint>
#include <span>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap::testing {

struct verb_outcome {
    csr_words words;
    std::vector<verdict> verdicts;
    std::vector<std::int64_t> numbers;
    std::vector<float> reals;
    friend bool operator==(verb_outcome const&, verb_outcome const&) = default;
};

struct engine_verb {
    char const* name;
    verb_outcome (*run)(engine const&);
};

/// generate, verify, greedy, improve, score, advantages, ranks. A failed GPU is not reported by the last two.
std::span<engine_verb const> engine_verbs();

}  // namespace optgap::testing
