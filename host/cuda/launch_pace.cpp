#include "host/cuda/launch_pace.hpp"

#include <algorithm>
#include <bit>

namespace optgap {

namespace {

constexpr double most = 1 << 30;

std::uint64_t magnitude(std::int64_t count) {
    return std::uint64_t(std::bit_width(std::uint64_t(std::max<std::int64_t>(count, 0))));
}

/// How many times `part` fits into the target, at least once.
std::int64_t times(double target, double part) { return std::int64_t(std::clamp(target / part, 1.0, most)); }

void believe(double& known, double seen) { known = seen >= known ? seen : (seen + known) / 2; }

}  // namespace

std::uint64_t launch_pace::place_of(launch_work const& work) {
    std::uint64_t const row = std::uint64_t(work.task) * (verb_count + 1) + std::uint64_t(work.which);
    return row << 16 | magnitude(work.words) << 8 | magnitude(work.at_once);
}

double launch_pace::seconds(launch_work const& work) const {
    auto const found = seconds_.find(place_of(work));
    return found == seconds_.end() ? 0 : found->second;
}

std::int64_t launch_pace::rows(launch_work const& work) const {
    double const each = seconds(work);
    return each <= 0 ? 0 : times(target_, each);
}

void launch_pace::learn(launch_work const& work, std::int64_t rows, double seconds) {
    if (rows > 0 && seconds > 0) {
        believe(seconds_[place_of(work)], seconds / double(rows));
    }
}

search_pace::search_pace(launch_pace const& known, launch_work const& work)
    : work_(work), target_(known.target()), block_(known.block_target()), each_(known.seconds(work)) {}

launch_cut search_pace::cut(std::int64_t steps) const {
    if (each_ <= 0) {
        return {work_.at_once, std::min<std::int64_t>(steps, 1), 0};
    }
    double const step_of_all = each_ * double(std::max<std::int64_t>(work_.at_once, 1));
    std::int64_t const taken = std::min(steps, times(block_, step_of_all));
    double const row = each_ * double(std::max<std::int64_t>(taken, 1));
    return {std::max(work_.at_once, times(target_, row)), taken, row};
}

void search_pace::learn(std::int64_t rows, std::int64_t steps, double seconds) {
    if (rows > 0 && seconds > 0) {
        believe(each_, seconds / (double(rows) * double(std::max<std::int64_t>(steps, 1))));
        total_ += seconds;
    }
}

}  // namespace optgap
