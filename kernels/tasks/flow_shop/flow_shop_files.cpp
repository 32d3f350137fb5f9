// Flow shops in the format of Taillard (1993), one line for each machine, and in that of OR-Library and later
// collections, one line for each job.

#include <string_view>
#include <vector>

#include "kernels/tasks/flow_shop/flow_shop.hpp"
#include "kernels/text/files/shop_lines.hpp"

namespace optgap::text::flow_shop {
namespace {

using optgap::tasks::flow_shop::shop_layout;

constexpr std::int64_t most = 1'000'000;

class flow_reader {
public:
    explicit flow_reader(std::string_view text) : lines_(text) {}

    std::vector<std::int32_t> read() {
        std::vector<std::int64_t> const head = lines_.read_head();
        jobs_ = lines_.within(head[0], "the number of jobs", 1, shop_layout[0].high.plus);
        machines_ = lines_.within(head[1], "the number of machines", 1, shop_layout[1].high.plus);
        words_ = {std::int32_t(jobs_), std::int32_t(machines_)};
        words_.resize(std::size_t(2 + jobs_ * machines_));
        if (head.size() == 2) {
            read_jobs();
        } else {
            read_machines();
        }
        lines_.need_end();
        return std::move(words_);
    }

private:
    std::int32_t& time(std::int64_t job, std::int64_t machine) {
        return words_[std::size_t(2 + job * machines_ + machine)];
    }

    /// Behind a heading, one line for each machine with the time of each job.
    void read_machines() {
        lines_.need_heading("processing times");
        for (std::int64_t machine = 0; machine < machines_; ++machine) {
            lines_.need_line(machines_, "times, one a machine");
            std::vector<std::int64_t> const row = lines_.integers("a time", 0, most, jobs_);
            for (std::int64_t job = 0; job < jobs_; ++job) {
                time(job, machine) = std::int32_t(row[std::size_t(job)]);
            }
        }
    }
    /// One line for each job: machines 0, 1, … with their times.
    void read_jobs() {
        for (std::int64_t job = 0; job < jobs_; ++job) {
            lines_.need_line(jobs_, "machines and times, one a job");
            std::vector<std::int64_t> const row = lines_.integers("a machine or a time", 0, most, 2 * machines_);
            for (std::int64_t machine = 0; machine < machines_; ++machine) {
                if (row[std::size_t(2 * machine)] != machine) {
                    lines_.fail("a job's line must name the machines 0, 1, 2 and so on, each before its time");
                }
                time(job, machine) = std::int32_t(row[std::size_t(2 * machine + 1)]);
            }
        }
    }

    shop_lines lines_;
    std::int64_t jobs_ = 0;
    std::int64_t machines_ = 0;
    std::vector<std::int32_t> words_;
};

}  // namespace

std::vector<std::int32_t> read_flow(std::string_view text) { return flow_reader(text).read(); }

}  // namespace optgap::text::flow_shop
