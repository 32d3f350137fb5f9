// Certificates for optima of euclid_game (docs/certificates.md; the checker's side:
// tools/certificates/tasks/euclid_game.py).

#include "kernels/text/certificate.hpp"

extern optgap::certificate_form const optgap_certificate_euclid_game;
optgap::certificate_form const optgap_certificate_euclid_game{.computed = true};
