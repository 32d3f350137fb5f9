// Certificates for optima of sudoku (docs/certificates.md; the checker's side: tools/certificates/tasks/sudoku.py).

#include "kernels/text/certificate.hpp"

namespace sudoku_certificate {

std::int64_t bound(optgap::instance_fields const& instance) { return 3 * std::int64_t(instance.rows("grid").size()); }

}  // namespace sudoku_certificate

extern optgap::certificate_form const optgap_certificate_sudoku;
optgap::certificate_form const optgap_certificate_sudoku{.bound = sudoku_certificate::bound};
