#pragma once
// The instances that programs are run on, and who judges what they print.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/programs/input_form.hpp"
#include "host/programs/sandbox.hpp"
#include "optgap/verdict.hpp"

namespace optgap::programs {

class instance_set {
public:
    virtual ~instance_set() = default;
    [[nodiscard]] virtual std::int64_t size() const = 0;
    /// The stdin of an instance. It stays where it is as long as the set lives.
    [[nodiscard]] virtual std::string const& input(std::int64_t instance, input_form form) = 0;
    /// One verdict per run, of any end. `instance_of` has an entry per run.
    [[nodiscard]] virtual std::vector<verdict> verify(std::span<run_result const> ended,
                                                      std::span<std::int64_t const> instance_of) = 0;
};

}  // namespace optgap::programs
