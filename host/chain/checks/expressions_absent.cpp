#include "optgap/chains/expressions.hpp"

namespace optgap::chain {

expression_engine const* linked_expressions() { return nullptr; }

}  // namespace optgap::chain
