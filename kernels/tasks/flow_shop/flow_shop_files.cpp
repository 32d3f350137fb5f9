// Flow shops as Taillard (1993) wrote his, a line a machine, and as OR-Library and later collections have them, a line
// a job.

#include <string_view>
#include <vector>

#include "kernels/tasks/flow_shop/flow_shop.hpp"
#include "kernels/text/file_words.hpp"

namespace optgap::text::flow_shop {
namespace {

using optgap::tasks::flow_shop::shop_layout;

constexpr std::int64_t most = 1'000'000;

class flow_reader {
public:
    explicit flow_reader(std::string_view text) : lines_(text) {}

    std::vector<std::int32_t> read() {
        skip_description();
        std::vector<std::int64_t> const head = lines_.integers("a number of the head", -1, INT64_MAX);
        if (head.size() < 2) {
            lines_.fail("expected a line with the numbers of jobs and of machines");
        }
        jobs_ = within(head[0], "the number of jobs", shop_layout[0].high.plus);
        machines_ = within(head[1], "the number of machines", shop_layout[1].high.plus);
        words_ = {std::int32_t(jobs_), std::int32_t(machines_)};
        words_.resize(std::size_t(2 + jobs_ * machines_));
        if (head.size() == 2) {
            read_jobs();
        } else {
            read_machines();
        }
        if (next()) {
            lines_.fail("there is a line behind the last times; a file holds one instance");
        }
        return std::move(words_);
    }

private:
    bool next() {
        while (lines_.next()) {
            if (lines_.line().front() != '#') {
                return true;
            }
        }
        return false;
    }
    void skip_description() {
        while (next()) {
            if (char const first = lines_.line().front(); first >= '0' && first <= '9') {
                return;
            }
        }
        lines_.fail("there is no line with the numbers of jobs and of machines");
    }
    std::int64_t within(std::int64_t value, char const* noun, std::int64_t high) const {
        if (value < 1 || value > high) {
            lines_.fail(std::string(noun) + " must be in 1 ... " + std::to_string(high));
        }
        return value;
    }
    std::int32_t& time(std::int64_t job, std::int64_t machine) {
        return words_[std::size_t(2 + job * machines_ + machine)];
    }

    /// Behind a heading, a line for each machine with the time of each job.
    void read_machines() {
        if (!next() || !lines_.line().starts_with("processing times")) {
            lines_.fail("expected the heading 'processing times :', found '" + file_words::shown(lines_.line()) + "'");
        }
        for (std::int64_t machine = 0; machine < machines_; ++machine) {
            if (!next()) {
                lines_.fail("the file ended; expected " + std::to_string(machines_) + " lines of times, one a machine");
            }
            std::vector<std::int64_t> const row = lines_.integers("a time", 0, most, jobs_);
            for (std::int64_t job = 0; job < jobs_; ++job) {
                time(job, machine) = std::int32_t(row[std::size_t(job)]);
            }
        }
    }
    /// A line for each job: machines 0, 1, … with the times there.
    void read_jobs() {
        for (std::int64_t job = 0; job < jobs_; ++job) {
            if (!next()) {
                lines_.fail("the file ended; expected " + std::to_string(jobs_) +
                            " lines of machines and times, one a job");
            }
            std::vector<std::int64_t> const row = lines_.integers("a machine or a time", 0, most, 2 * machines_);
            for (std::int64_t machine = 0; machine < machines_; ++machine) {
                if (row[std::size_t(2 * machine)] != machine) {
                    lines_.fail("a job's line must name the machines 0, 1, 2 and so on, each before its time");
                }
                time(job, machine) = std::int32_t(row[std::size_t(2 * machine + 1)]);
            }
        }
    }

    file_lines lines_;
    std::int64_t jobs_ = 0;
    std::int64_t machines_ = 0;
    std::vector<std::int32_t> words_;
};

}  // namespace

std::vector<std::int32_t> read_flow(std::string_view text) { return flow_reader(text).read(); }

}  // namespace optgap::text::flow_shop
