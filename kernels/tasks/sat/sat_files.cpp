// Formulas in DIMACS CNF.

#include "kernels/families/labels/clauses_files.hpp"

namespace optgap::text::sat {

std::vector<std::int32_t> read_cnf(std::string_view text) {
    return families::clause_reader(text, false).read().words();
}

}  // namespace optgap::text::sat
