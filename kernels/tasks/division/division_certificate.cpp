// Certificates for optima of division (docs/certificates.md; the checker's side: tools/certificates/tasks/division.py).

#include "kernels/text/certificate.hpp"

extern optgap::certificate_form const optgap_certificate_division;
optgap::certificate_form const optgap_certificate_division{.computed = true};
