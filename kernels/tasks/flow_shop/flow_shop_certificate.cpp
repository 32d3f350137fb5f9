// Certificates for optima of flow_shop (docs/certificates.md; the checker's side:
// tools/certificates/tasks/flow_shop.py).

#include <algorithm>
#include <numeric>

#include "kernels/text/certificate.hpp"

namespace flow_shop_certificate {

using optgap::number_rows;
using optgap::numbers;

struct job_on_two {
    std::int64_t first, lag, second;
    std::size_t job;
};

struct two_machines {
    std::size_t u, v;
    std::vector<job_on_two> line;  ///< Johnson's order
};

/// A case: which jobs are left, when each machine is free, and how long a job takes from each machine on.
struct shop {
    number_rows times;
    std::vector<two_machines> pairs = {};

    explicit shop(number_rows const& given) : times(given) {
        for (std::size_t u = 0; u < times[0].size(); ++u) {
            for (std::size_t v = u + 1; v < times[0].size(); ++v) {
                two_machines own{u, v, {}};
                for (std::size_t job = 0; job < times.size(); ++job) {
                    auto const& row = times[job];
                    own.line.push_back(
                        {row[u], std::accumulate(row.data() + u + 1, row.data() + v, std::int64_t(0)), row[v], job});
                }
                std::stable_sort(own.line.begin(), own.line.end(), [](job_on_two const& a, job_on_two const& b) {
                    bool const a_grows = a.first < a.second;
                    bool const b_grows = b.first < b.second;
                    return a_grows != b_grows ? a_grows
                           : a_grows          ? a.first + a.lag < b.first + b.lag
                                              : a.lag + a.second > b.lag + b.second;
                });
                pairs.push_back(std::move(own));
            }
        }
    }

    [[nodiscard]] std::int64_t* front(numbers& one) const { return one.data() + times.size(); }
    [[nodiscard]] std::int64_t* back(numbers& one) const { return front(one) + times[0].size(); }

    [[nodiscard]] std::int64_t least(numbers one) const {
        std::int64_t const* const ahead = front(one);
        std::int64_t const* const behind = back(one);
        std::int64_t most = 0;
        for (std::size_t k = 0; k < times[0].size(); ++k) {
            std::int64_t through = ahead[k] + behind[k];
            for (std::size_t job = 0; job < times.size(); ++job) {
                through += one[job] * times[job][k];
            }
            most = std::max(most, through);
        }
        // Without remaining jobs, the sums of the machines are the end.
        bool const open =
            std::any_of(one.begin(), one.begin() + std::ptrdiff_t(times.size()), [](auto x) { return x != 0; });
        for (two_machines const& of : pairs) {
            std::int64_t now = ahead[of.u];
            std::int64_t end = ahead[of.v];
            for (job_on_two const& own : of.line) {
                if (one[own.job] != 0) {
                    now += own.first;
                    end = std::max(end, now + own.lag) + own.second;
                }
            }
            most = open ? std::max(most, end + behind[of.v]) : most;
        }
        return most;
    }

    [[nodiscard]] numbers with(numbers one, std::size_t job, bool at_back) const {
        one[job] = 0;
        std::size_t const machines = times[0].size();
        std::int64_t now = 0;
        for (std::size_t i = 0; i < machines; ++i) {
            std::size_t const k = at_back ? machines - 1 - i : i;
            std::int64_t& machine = (at_back ? back(one) : front(one))[k];
            machine = now = std::max(now, machine) + times[job][k];
        }
        return one;
    }
};

std::int64_t cases(optgap::instance_fields const& instance, optgap::certificate_form::goal objective,
                   std::int64_t most) {
    shop const on(instance.rows("times"));
    auto const step = [&](numbers const& one, number_rows& next) {
        std::int64_t sums[2] = {};
        std::vector<std::pair<std::int64_t, numbers>> sides[2];
        for (std::size_t job = 0; job < on.times.size(); ++job) {
            for (int side = 0; one[job] != 0 && side < 2; ++side) {
                numbers after = on.with(one, job, side == 1);
                std::int64_t const least = on.least(after);
                sums[side] += least;
                sides[side].emplace_back(least, std::move(after));
            }
        }
        for (auto& [least, after] : sides[sums[1] > sums[0] ? 1 : 0]) {
            if (least < *objective) {
                next.push_back(std::move(after));
            }
        }
        return !sides[0].empty();
    };
    numbers first(on.times.size() + 2 * on.times[0].size());
    std::fill_n(first.begin(), on.times.size(), 1);
    return objective ? optgap::walked(first, step, most) : most + 1;
}

}  // namespace flow_shop_certificate

extern optgap::certificate_form const optgap_certificate_flow_shop;
optgap::certificate_form const optgap_certificate_flow_shop{.cases = flow_shop_certificate::cases};
