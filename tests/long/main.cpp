// Long checks: hundreds of millions of answers and completions, the engine against every task's C++ reference and the
// reference of scanner and grammar. tests/long/run.py starts it and sums up (tools/oracle.sh --long); docs/evidence.md.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/long/cases.hpp"

namespace optgap::long_checks {
namespace {

struct options {
    std::int64_t rows = 100'000;
    std::uint64_t seed = 1;
    int threads = 1;
    std::vector<check> checks;
    std::vector<std::string> tasks;
    plant fault = plant::none;
    std::string log;
    std::string only;
    bool quiet = false;
};

[[noreturn]] void refuse(std::string const& reason) {
    fmt::print(stderr, "optgap_long_checks: {}\n", reason);
    std::exit(2);
}

std::int64_t whole(std::string const& name, std::string const& text, std::int64_t least) {
    char* end = nullptr;
    long long const value = std::strtoll(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0' || value < least) {
        refuse(fmt::format("{}: expected a whole number from {} on, got '{}'", name, least, text));
    }
    return value;
}

template <std::size_t N>
std::int32_t named(std::string const& option, std::string const& text, char const* const (&names)[N]) {
    auto const* const at = std::find(std::begin(names), std::end(names), text);
    if (at == std::end(names)) {
        refuse(fmt::format("{}: expected one of {}, got '{}'", option, fmt::join(names, ", "), text));
    }
    return std::int32_t(at - names);
}

options read_options(int count, char** given) {
    options out;
    for (int i = 1; i < count; ++i) {
        std::string const name = given[i];
        if (name == "--quiet") {
            out.quiet = true;
            continue;
        }
        if (i + 1 == count) {
            refuse(name + ": no such option, or its value is missing");
        }
        std::string const value = given[++i];
        if (name == "--rows") {
            out.rows = whole(name, value, 1);
        } else if (name == "--seed") {
            out.seed = std::uint64_t(whole(name, value, 0));
        } else if (name == "--threads") {
            out.threads = int(std::min<std::int64_t>(whole(name, value, 1), 1024));
        } else if (name == "--check") {
            out.checks.push_back(check(named(name, value, check_names)));
        } else if (name == "--task") {
            out.tasks.push_back(value);
        } else if (name == "--plant") {
            out.fault = plant(named(name, value, plant_names));
        } else if (name == "--log") {
            out.log = value;
        } else if (name == "--only") {
            out.only = value;
        } else {
            refuse(name + ": no such option");
        }
    }
    if (out.checks.empty()) {
        out.checks = {check::answers, check::completions};
    }
    return out;
}

engine one_thread() { return engine({.where = device::cpu, .threads = 1, .server = "off"}); }

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// The settings of the run. A log of other settings is not continued.
std::string head_line(options const& given) {
    std::vector<char const*> checks;
    for (check const one : given.checks) {
        checks.push_back(check_names[std::int32_t(one)]);
    }
    return fmt::format(R"({{"seed": {}, "checks": ["{}"], "tasks": ["{}"], "plant": "{}"}})", given.seed,
                       fmt::join(checks, "\", \""), fmt::join(given.tasks, "\", \""),
                       plant_names[std::int32_t(given.fault)]);
}

/// A file of lines: the head, then one per finished chunk, with a chunk's mismatches before its line.
class chunk_log {
public:
    chunk_log(std::string const& path, std::string const& head) {
        if (path.empty()) {
            fmt::print("{}\n", head);
            return;
        }
        std::ifstream before(path);
        std::string line;
        std::uintmax_t whole_bytes = 0;
        for (bool first = true; std::getline(before, line) && !before.eof(); first = false) {
            if (first && line != head) {
                refuse(fmt::format("--log: {} is of another run: expected its first line to be {}", path, head));
            }
            long long chunk = -1;
            if (std::sscanf(line.c_str(), "{\"chunk\": %lld,", &chunk) == 1) {
                long long rows = 0;
                auto const at = line.find("\"rows\": ");
                std::sscanf(line.c_str() + (at == std::string::npos ? line.size() : at), "\"rows\": %lld", &rows);
                done_.insert(chunk);
                rows_ += rows;
                mismatches_ += line.find("\"mismatches\": 0,") == std::string::npos ? 1 : 0;
            }
            whole_bytes += line.size() + 1;
        }
        // A line that was cut off belongs to a chunk that is repeated.
        if (before.is_open()) {
            before.close();
            std::filesystem::resize_file(path, whole_bytes);
        }
        file_ = std::fopen(path.c_str(), "a");
        if (file_ == nullptr) {
            refuse(fmt::format("--log: {} cannot be written", path));
        }
        if (whole_bytes == 0) {
            fmt::print(file_, "{}\n", head);
        }
    }

    [[nodiscard]] bool has(std::int64_t chunk) const { return done_.contains(chunk); }
    [[nodiscard]] std::int64_t rows_before() const { return rows_; }
    [[nodiscard]] bool mismatched_before() const { return mismatches_ > 0; }

    void write(std::string const& lines) {
        std::FILE* const to = file_ != nullptr ? file_ : stdout;
        fmt::print(to, "{}", lines);
        std::fflush(to);
    }

private:
    std::FILE* file_ = nullptr;
    std::set<std::int64_t> done_;
    std::int64_t rows_ = 0;
    std::int64_t mismatches_ = 0;
};

class run {
public:
    explicit run(options const& given)
        : given_(given),
          log_(given.log, head_line(given)),
          rows_(log_.rows_before()),
          mismatched_(log_.mismatched_before()) {}

    bool all_agree() {
        auto const begun = std::chrono::steady_clock::now();
        std::vector<std::thread> workers;
        for (int t = 0; t < given_.threads; ++t) {
            workers.emplace_back([this, begun] { work(begun); });
        }
        for (std::thread& worker : workers) {
            worker.join();
        }
        if (!given_.quiet) {
            fmt::print(stderr, "\n");
        }
        return !mismatched_;
    }

private:
    void work(std::chrono::steady_clock::time_point begun) {
        engine const by = one_thread();
        for (;;) {
            std::int64_t chunk = 0;
            {
                std::lock_guard const lock(lock_);
                while (log_.has(next_)) {
                    ++next_;
                }
                if (rows_ + under_way_ >= given_.rows) {
                    return;
                }
                chunk = next_++;
                under_way_ += rows_a_chunk_;
            }
            place one;
            auto const checks = std::int64_t(given_.checks.size());
            auto const tasks = std::int64_t(given_.tasks.size());
            one.what = given_.checks[std::size_t(chunk % checks)];
            one.task = given_.tasks[std::size_t(chunk / checks % tasks)];
            one.seed = given_.seed;
            one.chunk = chunk / checks / tasks;
            found_rows found;
            double const before = cpu_seconds();
            for (one.which = 0; one.which < cases_per_chunk; ++one.which) {
                check_case(by, one, given_.fault, found);
            }
            double const seconds = cpu_seconds() - before;
            std::string lines;
            for (std::string const& mismatch : found.mismatches) {
                lines += mismatch + "\n";
            }
            lines += fmt::format(
                R"({{"chunk": {}, "check": "{}", "task": "{}", "rows": {}, "feasible": {}, "mismatches": {}, )"
                "\"cpu_seconds\": {:.3f}}}\n",
                chunk, check_names[std::int32_t(one.what)], one.task, found.rows, found.feasible,
                found.mismatches.size(), seconds);
            std::lock_guard const lock(lock_);
            log_.write(lines);
            rows_ += found.rows;
            fresh_ += found.rows;
            under_way_ -= rows_a_chunk_;
            rows_a_chunk_ = found.rows;
            mismatched_ = mismatched_ || !found.mismatches.empty();
            show_progress(begun);
        }
    }

    void show_progress(std::chrono::steady_clock::time_point begun) const {
        double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        if (!given_.quiet) {
            double const rate = double(fresh_) / std::max(seconds, 1e-3);
            int const filled = int(std::min<std::int64_t>(30, 30 * rows_ / given_.rows));
            fmt::print(stderr, "\r[{:<30}] {} of {} rows, {:.0f} rows/s, {:.0f} s left, {}   ",
                       std::string(std::size_t(filled), '#'), rows_, given_.rows, rate,
                       double(std::max<std::int64_t>(0, given_.rows - rows_)) / std::max(rate, 1e-9),
                       mismatched_ ? "MISMATCHES" : "all agree");
        }
    }

    options const& given_;
    std::mutex lock_;
    chunk_log log_;
    std::int64_t rows_;
    std::int64_t fresh_ = 0;
    std::int64_t next_ = 0;
    std::int64_t under_way_ = 0;
    /// The assumed size of a running chunk. A chunk's own number determines its rows, so the number of concurrent
    /// chunks changes none of them. The last chunks may differ by as many as there are threads.
    std::int64_t rows_a_chunk_ = 4000;
    bool mismatched_;
};

int show_only(options const& given, engine const& by) {
    place one;
    if (!read_key(given.only, one)) {
        refuse(fmt::format("--only: expected CHECK:TASK:SEED:CHUNK:CASE:ROW, got '{}'", given.only));
    }
    static_cast<void>(by.task_index(one.task));
    found_rows found;
    check_case(by, one, given.fault, found, one.row);
    if (one.row >= found.rows) {
        refuse(fmt::format("--only: the case has {} rows, there is no row {}", found.rows, one.row));
    }
    fmt::print("{}{} of the case's {} rows differ\n", found.shown, found.mismatches.size(), found.rows);
    return found.mismatches.empty() ? 0 : 1;
}

int checked(int count, char** arguments) {
    options given = read_options(count, arguments);
    engine const by = one_thread();
    if (!given.only.empty()) {
        return show_only(given, by);
    }
    for (std::string const& name : given.tasks) {
        static_cast<void>(by.task_index(name));
    }
    if (given.tasks.empty()) {
        for (task_info const& info : by.tasks()) {
            given.tasks.emplace_back(info.name);
        }
    }
    return run(given).all_agree() ? 0 : 1;
}

}  // namespace
}  // namespace optgap::long_checks

int main(int count, char** arguments) {
    try {
        return optgap::long_checks::checked(count, arguments);
    } catch (std::exception const& thrown) {
        fmt::print(stderr, "optgap_long_checks: {}\n", thrown.what());
        return 2;
    }
}
