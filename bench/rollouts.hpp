#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap::bench {

/// The size of a group of answers to one instance, as a model in training writes them: the best known, near misses by
/// local changes, and a few infeasible ones.
constexpr std::int64_t group_size = 16;

/// Answer blocks for every instance, group_size each: row i * group_size + k.
csr_words perturbed_answers(engine const& by, instance_view instances, csr_words const& best, std::uint64_t seed);

/// A completion of about `bytes` bytes in the forge format: reasoning that weighs numbers, then the answer.
std::string completion(std::string const& answer, std::int64_t bytes, std::mt19937_64& random);

/// One training step's rollouts: instances of all tasks in turn, group_size completions each.
struct step {
    instance_batch instances;
    solved_batch solved;
    csr_words answers;
    std::vector<std::string> texts;
    std::vector<std::string_view> views;
    std::vector<std::int32_t> instance_of;
    std::vector<std::int32_t> task_of;
    double bytes = 0;

    /// Borrows from this step.
    [[nodiscard]] grade_request request() const;
};

/// The specs of a step: `groups` instances of the tasks that have prompts, in turn; only those in `tasks` where any are
/// named. Throws error{invalid_argument} where none of them has prompts.
std::vector<instance_spec> step_specs(engine const& by, difficulty level, std::int64_t groups,
                                      std::span<std::int32_t const> tasks = {});
/// `groups` instances of one level, completions of about `text_bytes` bytes.
step make_step(engine const& by, difficulty level, std::int64_t groups, std::int64_t text_bytes,
               std::span<std::int32_t const> tasks = {});

/// Host memory that a GPU has pinned. Throws error where there is no GPU.
std::shared_ptr<char> pinned_memory(std::size_t bytes);

}  // namespace optgap::bench
