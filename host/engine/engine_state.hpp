#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/calls/calls.hpp"
#include "host/cpu/cpu_pool.hpp"
#include "host/executor/executor.hpp"
#include "host/executor/guarded.hpp"
#include "host/process/trace.hpp"
#include "host/remote/remote.hpp"
#include "kernels/registry/registry.hpp"
#include "optgap/engine.hpp"
#include "optgap/server.hpp"

namespace optgap {

/// Throws error{invalid_argument}.
void require_host_memory(csr_view const& rows, char const* name);
/// Throws error{invalid_argument} unless each answer has an instance; with an empty `instance_of` row r is of instance
/// r.
void require_answers(instance_view instances, csr_view answers, std::span<std::int32_t const> instance_of);

/// Throws error{invalid_argument} unless every spec names a task and a level.
void require_specs(std::span<instance_spec const> specs);

struct engine::state {
    explicit state(engine_options const& options) : state(options, daemon_path(options)) {}
    state(engine_options const& options, std::string const& daemon);

    [[nodiscard]] task_entry const& entry(std::int32_t task) const { return registry()[std::size_t(task)]; }
    [[nodiscard]] task_kernels const& kernels(std::int32_t task) const {
        return *entry(task).builds[best_instruction_set()];
    }
    /// Throws error{invalid_argument} unless every task index and row of the batch can be read.
    void require_readable(instance_view instances) const;
    /// The same at the beginning of a verb that needs the engine's device; also throws the one error of a failed GPU.
    void require(instance_view instances) {
        require_readable(instances);
        guard.raise_failure();
    }
    /// Runs a public verb: in the daemon if that takes the call, else here.
    template <class Call>
    typename Call::result run(Call const& call) {
        trace::range const here(Call::which);
        require_call(call);
        if (typename Call::result made; daemon && daemon->run(call, made)) {
            return made;
        }
        return make(call);
    }
    /// The name of a verdict code.
    [[nodiscard]] std::string_view code_name(std::int32_t task, std::int32_t code) const;
    /// Objective of each block, no_objective where it is absent or infeasible.
    std::vector<std::int64_t> objectives(instance_view instances, csr_words const& answers);

    std::vector<task_info> tasks;
    cpu_pool pool;
    std::unique_ptr<executor> cpu;
    guarded<executor> guard;
    std::unique_ptr<serve::remote> daemon;  ///< null: every call is made here

private:
    /// Throws error{invalid_argument} unless the inputs are valid, and the one error of a failed GPU.
    template <class Call>
    void require_call(Call const& call) {
        if constexpr (requires { call.instances; }) {
            require_readable(call.instances);
        }
        if constexpr (is_among<Call, executor::calls>) {
            guard.raise_failure();
        }
        if constexpr (requires { call.specs; }) {
            require_specs(call.specs);
        }
        if constexpr (requires { call.steps; }) {
            require_steps(call.steps);
        }
        if constexpr (requires { call.answers; }) {
            require_answers(call.instances, call.answers, call.instance_of);
        }
        if constexpr (requires { call.starts; }) {
            require_starts(call);
        }
    }
    /// Throws unless there are as many rows as instances, or none, and every row is a block. `objectives_of_starts`
    /// verifies them.
    void require_starts(solve_call const& call) const;
    /// The objective of each start, no_objective where there is none; throws error{invalid_argument} that names a row
    /// that is not feasible.
    std::vector<std::int64_t> objectives_of_starts(solve_call const& call);
    static void require_steps(std::int64_t steps);

    template <class Call>
    typename Call::result make(Call const& call) {
        return guard.run(call);
    }
    solved_batch make(solve_call const& call);
    improved_batch make(improve_call const& call);
};

}  // namespace optgap
