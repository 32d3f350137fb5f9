// Certificates for optima of sorting (docs/certificates.md; the checker's side: tools/certificates/tasks/sorting.py).

#include "kernels/text/certificate.hpp"

extern optgap::certificate_form const optgap_certificate_sorting;
optgap::certificate_form const optgap_certificate_sorting{.computed = true};
