#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/cpu/cpu_pool.hpp"
#include "host/executor/device_guard.hpp"
#include "host/executor/executor.hpp"
#include "host/remote/remote.hpp"
#include "kernels/registry/registry.hpp"
#include "optgap/engine.hpp"

namespace optgap {

struct engine::state {
    explicit state(engine_options const& options) : state(options, serve::daemon_path(options)) {}
    state(engine_options const& options, std::string const& daemon);

    [[nodiscard]] executor& run() { return guard; }
    [[nodiscard]] task_entry const& entry(std::int32_t task) const { return registry()[std::size_t(task)]; }
    [[nodiscard]] task_kernels const& kernels(std::int32_t task) const {
        return *entry(task).builds[best_instruction_set()];
    }
    /// Throws error{invalid_argument} unless every task index and row of the batch can be read.
    void require_readable(instance_view instances) const;
    /// The same at the beginning of a verb that wants the engine's device; throws a failed GPU's one error.
    void require(instance_view instances) {
        require_readable(instances);
        guard.raise_failure();
    }
    /// Verdicts of blocks that are known to be well formed, against instance instance_of[r].
    std::vector<verdict> verify(instance_view instances, csr_view answers, std::span<std::int32_t const> instance_of);
    /// Objective of each block, no_objective where it is absent or infeasible.
    std::vector<std::int64_t> objectives(instance_view instances, csr_words const& answers);

    std::vector<task_info> tasks;
    cpu_pool pool;
    std::unique_ptr<executor> cpu;
    device_guard guard;
    std::unique_ptr<serve::remote> daemon;  ///< none: every call is made here
};

/// `given`, or 0, 1, 2, … when it is empty; `storage` keeps the latter alive.
std::span<std::int32_t const> rows_or_identity(std::span<std::int32_t const> given, std::int64_t rows,
                                               std::vector<std::int32_t>& storage);

/// The instance of each answer, checked; throws error{invalid_argument}. As rows_or_identity for an empty `given`.
std::span<std::int32_t const> instances_of_answers(instance_view instances, csr_view answers,
                                                   std::span<std::int32_t const> given,
                                                   std::vector<std::int32_t>& storage);

}  // namespace optgap
