#include "host/launch_pace.hpp"

#include <algorithm>
#include <bit>

namespace optgap {

namespace {

constexpr double most_rows = 1 << 30;

double steps_of(launch_work const& work) { return double(std::max<std::int64_t>(work.steps, 1)); }

}  // namespace

std::size_t launch_pace::place_of(launch_work const& work) const {
    std::size_t const size = std::size_t(std::bit_width(std::uint64_t(std::max<std::int64_t>(work.words, 0))));
    return (std::size_t(work.verb) * tasks_ + work.task) * sizes + std::min(size, sizes - 1);
}

std::int64_t launch_pace::rows(launch_work const& work) const {
    double const each = seconds_[place_of(work)] * steps_of(work);
    return each <= 0 ? 0 : std::int64_t(std::clamp(target_ / each, 1.0, most_rows));
}

void launch_pace::learn(launch_work const& work, std::int64_t rows, double seconds) {
    if (rows <= 0 || seconds <= 0) {
        return;
    }
    double const seen = seconds / (double(rows) * steps_of(work));
    double& known = seconds_[place_of(work)];
    known = seen >= known ? seen : (seen + known) / 2;
}

}  // namespace optgap
