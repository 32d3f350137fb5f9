#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap::bench {

/// A group of sixteen answers to one instance, as a model in training writes them: the best known, near misses by local
/// changes, and a few infeasible ones.
constexpr std::int64_t group_size = 16;

/// Blocks for every instance, group_size each: row i * group_size + k.
csr_words perturbed_answers(engine const& by, instance_view instances, csr_words const& best, std::uint64_t seed);

/// The block as a model writes it: "[0, 3, 1]".
std::string answer_text(std::span<std::int32_t const> block);

/// A completion of about `bytes` bytes in the forge format: reasoning that weighs numbers, then the answer.
std::string completion(std::string const& answer, std::int64_t bytes, std::mt19937_64& random);

}  // namespace optgap::bench
