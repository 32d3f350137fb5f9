#pragma once

#include <memory>
#include <string_view>

#include "optgap/roles/proposer.hpp"
#include "python/src/values/arrays.hpp"

namespace optgap::python {

/// optgap::proposal_checker of completions. The GIL is released during work.
class bound_checker {
public:
    bound_checker(std::string_view options, std::int64_t budget);

    void hold_out(std::string_view canonical);
    [[nodiscard]] std::string save() const;
    void restore(std::string_view text);
    /// checked_columns of completions, in their order.
    nb::dict check(nb::handle texts, int32_in const& finished, std::int64_t step);
    /// For a scheduler, which may outlive this object.
    [[nodiscard]] std::shared_ptr<proposal_checker> const& shared() const { return checker_; }

private:
    std::shared_ptr<proposal_checker> checker_;
};

/// What gates and proofs say, a column each.
nb::dict checked_columns(proposal_batch&& found);

}  // namespace optgap::python
