#include "optgap/rubrics/expressions.hpp"

namespace optgap::rubrics {

expression_engine const* linked_expressions() { return nullptr; }

}  // namespace optgap::rubrics
