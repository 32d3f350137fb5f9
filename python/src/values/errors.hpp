#pragma once
// How C++ exceptions reach Python: as optgap.Error with .status, .field and .rule.

#include <string>

#include "optgap/status.hpp"

namespace optgap::python {

/// Misuse of one argument of a Python call.
class argument_error : public error {
public:
    argument_error(std::string field, std::string rule)
        : error(status::invalid_argument, field + ": " + rule), field_(std::move(field)), rule_(std::move(rule)) {}
    [[nodiscard]] std::string const& field() const noexcept { return field_; }
    [[nodiscard]] std::string const& rule() const noexcept { return rule_; }

private:
    std::string field_;
    std::string rule_;
};

void translate_errors();

}  // namespace optgap::python
