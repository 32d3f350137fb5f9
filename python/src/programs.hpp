#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include <nanobind/nanobind.h>

#include "optgap/programs/runner.hpp"
#include "python/src/values/arrays.hpp"

namespace optgap::python {

/// A problem of programs, read once and run any number of times.
struct bound_program_problem {
    std::shared_ptr<program_problem const> of;
};

/// Columns of a batch by name. Cells are rows of `width` each, padded: code -1, no objective.
nb::dict program_columns(program_batch&& found);

/// optgap::program_runner with Python's texts, interrupts and the end of the interpreter.
class bound_program_runner {
public:
    bound_program_runner(std::shared_ptr<engine const> by, program_runner_options options);
    ~bound_program_runner();
    bound_program_runner(bound_program_runner const&) = delete;
    bound_program_runner& operator=(bound_program_runner const&) = delete;

    nb::dict run(nb::kwargs const& arguments);
    /// Ends what runs, and returns when no call is under way; later ones throw.
    void close();
    [[nodiscard]] std::int32_t slots() const { return runner_->slots(); }
    std::string isolation(std::string_view language);
    [[nodiscard]] nb::dict counts() const;
    /// For a scheduler, which then shares its slots; keeps the engine alive.
    [[nodiscard]] std::shared_ptr<program_runner> const& shared() const { return runner_; }
    /// Requested by `close`.
    [[nodiscard]] std::stop_token ends() const { return stop_.get_token(); }

private:
    class call;

    std::shared_ptr<engine const> by_;
    std::uint32_t process_;
    std::stop_source stop_;
    std::mutex lock_;
    std::condition_variable ended_;
    std::int32_t calls_ = 0;
    std::shared_ptr<program_runner> runner_;
};

/// Of keyword arguments isolation, slots, server and languages.
program_runner_options program_runner_options_of(nb::kwargs const& given);

}  // namespace optgap::python
