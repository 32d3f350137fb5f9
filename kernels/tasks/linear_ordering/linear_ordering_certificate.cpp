// Certificates for optima of linear_ordering (docs/certificates.md; the checker's side:
// tools/certificates/tasks/linear_ordering.py).

#include <algorithm>

#include "kernels/text/certificate.hpp"

namespace linear_ordering_certificate {

std::int64_t sums(optgap::instance_fields const& instance) {
    auto const n = std::int64_t(instance.rows("matrix").size());
    return optgap::power(2, n) * n;
}

/// The index of the pair i < j among n items, in rising order.
std::int32_t place_of(std::int32_t i, std::int32_t j, std::int32_t n) { return i * n - i * (i + 1) / 2 + j - i - 1; }

/// In a circle of items, not every item comes before the next one (Groetschel, Juenger & Reinelt 1984).
optgap::linear_row circle(std::vector<std::int32_t> const& items, std::int32_t n) {
    optgap::linear_row row{optgap::row_name("circle", items), {}, 1 - std::int64_t(items.size())};
    for (std::size_t k = 0; k < items.size(); ++k) {
        std::int32_t const a = items[k];
        std::int32_t const b = items[(k + 1) % items.size()];
        row.terms.emplace_back(place_of(std::min(a, b), std::max(a, b), n), a < b ? -1 : 1);
        row.at_least += a < b ? 0 : 1;
    }
    return row;
}

/// The circles of three that the values violate most: only a few at a time, which keeps the table of the simplex method
/// small.
std::vector<optgap::linear_row> broken_circles(std::vector<double> const& values, std::int32_t n) {
    constexpr double hardly = 1e-4;
    std::vector<std::pair<double, std::vector<std::int32_t>>> found;
    for (std::int32_t i = 0; i < n; ++i) {
        for (std::int32_t j = i + 1; j < n; ++j) {
            for (std::int32_t k = j + 1; k < n; ++k) {
                double const forth = values[std::size_t(place_of(i, j, n))] + values[std::size_t(place_of(j, k, n))] -
                                     values[std::size_t(place_of(i, k, n))];
                if (forth > 1 + hardly) {
                    found.push_back({-forth, {i, j, k}});
                }
                if (forth < -hardly) {
                    found.push_back({forth - 1, {i, k, j}});
                }
            }
        }
    }
    std::sort(found.begin(), found.end());
    found.resize(std::min(found.size(), std::size_t(4 * n)));
    std::vector<optgap::linear_row> rows;
    for (auto const& [broken, items] : found) {
        rows.push_back(circle(items, n));
    }
    return rows;
}

/// One variable for each pair i < j: whether i comes before j. Larger instances are too large for the table of the
/// simplex method.
optgap::linear_model linear(optgap::instance_fields const& instance, optgap::certificate_form::goal objective) {
    optgap::number_rows const matrix = instance.rows("matrix");
    auto const n = std::int32_t(matrix.size());
    optgap::linear_model model;
    model.goal = -*objective;
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        for (std::size_t j = i + 1; j < matrix.size(); ++j) {
            model.costs.push_back(matrix[j][i] - matrix[i][j]);
            model.goal += matrix[j][i];
        }
    }
    model.separate = [n](std::vector<double> const& values) { return broken_circles(values, n); };
    return model;
}

}  // namespace linear_ordering_certificate

extern optgap::certificate_form const optgap_certificate_linear_ordering;
optgap::certificate_form const optgap_certificate_linear_ordering{.linear = linear_ordering_certificate::linear,
                                                                  .sums = linear_ordering_certificate::sums};
