#include "host/chain/checks.hpp"
#include "host/chain/checks/expression.hpp"
#include "optgap/status.hpp"

namespace optgap::chain {

bool has_patterns() { return false; }

std::shared_ptr<expression const> expression::compile(std::string const& text, bool, std::string const& where) {
    misuse(where + ": '" + text + "' is a regular expression (pattern), and this build has no RE2");
}

}  // namespace optgap::chain
