#include "tools/cli/shell/progress.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/cli/shell/say.hpp"

namespace optgap::cli {
namespace {

/// 1234567 as "1.2M".
std::string short_count(double value) {
    constexpr char const* suffixes[] = {"", "k", "M", "G", "T"};
    std::size_t step = 0;
    while (value >= 1000 && step + 1 < std::size(suffixes)) {
        value /= 1000;
        ++step;
    }
    return fmt::format("{:.{}f}{}", value, step == 0 ? 0 : 1, suffixes[step]);
}

}  // namespace

progress::progress(std::string label, std::string unit, std::int64_t total, bool quiet)
    : label_(std::move(label)), unit_(std::move(unit)), total_(total), enabled_(!quiet && isatty(STDERR_FILENO) == 1) {}

progress::~progress() {
    if (drawn_) {
        say("\r\x1b[K");
    }
}

void progress::update(std::int64_t done) {
    auto const now = clock::now();
    if (!enabled_ || now - start_ < std::chrono::seconds(2) ||
        (drawn_ && now - last_ < std::chrono::milliseconds(100))) {
        return;
    }
    drawn_ = true;
    last_ = now;
    double const seconds = std::chrono::duration<double>(now - start_).count();
    double const rate = double(done) / seconds;
    if (total_ <= 0) {
        say(fmt::format("\r\x1b[K{}  {} {}  {}/s", label_, short_count(double(done)), unit_, short_count(rate)));
    } else {
        constexpr int width = 30;
        double const share = std::clamp(double(done) / double(total_), 0.0, 1.0);
        int const filled = int(share * width);
        double const left = rate > 0 ? std::max(0.0, double(total_ - done) / rate) : 0.0;
        say(fmt::format("\r\x1b[K{}  [{:#<{}}{:.<{}}] {:3.0f} %  {} {}/s  {:.0f} s left", label_, "", filled, "",
                        width - filled, share * 100, short_count(rate), unit_, left));
    }
    std::fflush(stderr);
}

}  // namespace optgap::cli
