// Certificates for optima of multiplication (docs/certificates.md; the checker's side:
// tools/certificates/tasks/multiplication.py).

#include "kernels/text/certificate.hpp"

extern optgap::certificate_form const optgap_certificate_multiplication;
optgap::certificate_form const optgap_certificate_multiplication{.computed = true};
