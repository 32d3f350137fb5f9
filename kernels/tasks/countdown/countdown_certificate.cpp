// Certificates for optima of countdown (docs/certificates.md; the checker's side:
// tools/certificates/tasks/countdown.py).

#include <algorithm>
#include <cstdlib>

#include "kernels/text/certificate.hpp"

namespace countdown_certificate {

using optgap::numbers;

std::int64_t bound(optgap::instance_fields const& instance) {
    static_cast<void>(instance);
    return 1;
}

/// A case: the available values, in rising order.
std::int64_t cases(optgap::instance_fields const& instance, optgap::certificate_form::goal objective,
                   std::int64_t most) {
    std::int64_t const target = instance.number("target");
    numbers first = instance.list("numbers");
    std::sort(first.begin(), first.end());
    auto const step = [&](numbers const& one, optgap::number_rows& next) {
        for (std::int64_t const value : one) {
            if (std::abs(value - target) + 1 < *objective) {
                return false;
            }
        }
        for (std::size_t i = 0; i < one.size(); ++i) {
            for (std::size_t j = i + 1; j < one.size(); ++j) {
                std::int64_t const a = one[j];
                std::int64_t const b = one[i];
                for (std::int64_t const value : {a + b, a - b, a * b, a % b == 0 ? a / b : 0}) {
                    if (value < 1 || value > INT32_MAX) {
                        continue;
                    }
                    numbers made{value};
                    for (std::size_t k = 0; k < one.size(); ++k) {
                        if (k != i && k != j) {
                            made.push_back(one[k]);
                        }
                    }
                    std::sort(made.begin(), made.end());
                    next.push_back(std::move(made));
                }
            }
        }
        return true;
    };
    return objective ? optgap::walked(first, step, most) : most + 1;
}

}  // namespace countdown_certificate

extern optgap::certificate_form const optgap_certificate_countdown;
optgap::certificate_form const optgap_certificate_countdown{.bound = countdown_certificate::bound,
                                                            .cases = countdown_certificate::cases};
