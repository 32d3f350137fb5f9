// Job shops in the formats of JSPLIB and of Taillard (1993).

#include <string_view>
#include <vector>

#include "kernels/tasks/job_shop/job_shop.hpp"
#include "kernels/text/files/shop_lines.hpp"

namespace optgap::text::job_shop {
namespace {

using optgap::tasks::job_shop::shop_layout;

constexpr std::int64_t most = 1'000'000;  ///< limit for numbers that no rule of the task covers

class shop_reader {
public:
    explicit shop_reader(std::string_view text) : lines_(text) {}

    std::vector<std::int32_t> read() {
        std::vector<std::int64_t> const head = lines_.read_head();
        jobs_ = lines_.within(head[0], "the number of jobs", 1, shop_layout[1].high.plus);
        machines_ = lines_.within(head[1], "the number of machines", 1, shop_layout[0].high.plus);
        words_ = {std::int32_t(machines_), std::int32_t(jobs_), std::int32_t(machines_)};
        words_.resize(std::size_t(3 + 2 * jobs_ * machines_));
        if (head.size() == 2) {
            read_pairs();
        } else {
            read_matrices();
        }
        lines_.need_end();
        return std::move(words_);
    }

private:
    std::int32_t& machine(std::int64_t job, std::int64_t stage) {
        return words_[std::size_t(3 + job * machines_ + stage)];
    }
    std::int32_t& time(std::int64_t job, std::int64_t stage) {
        return words_[std::size_t(3 + (jobs_ + job) * machines_ + stage)];
    }

    /// One line for each job: machine, from 0, and time of each operation.
    void read_pairs() {
        for (std::int64_t job = 0; job < jobs_; ++job) {
            lines_.need_line(jobs_, "machines and times, one a job");
            std::vector<std::int64_t> const row = lines_.integers("a machine or a time", 0, most, 2 * machines_);
            for (std::int64_t stage = 0; stage < machines_; ++stage) {
                machine(job, stage) =
                    std::int32_t(lines_.within(row[std::size_t(2 * stage)], "a machine", 0, machines_ - 1));
                time(job, stage) = std::int32_t(lines_.within(row[std::size_t(2 * stage + 1)], "a time", 1, most));
            }
        }
    }
    /// One line for each job with its times, and another with its machines, from 1; each block follows a heading.
    void read_matrices() {
        read_block("Times", "times, one a job", 1, most, [&](std::int64_t job, std::int64_t stage, std::int64_t value) {
            time(job, stage) = std::int32_t(value);
        });
        read_block("Machines", "machines, one a job", 1, machines_,
                   [&](std::int64_t job, std::int64_t stage, std::int64_t value) {
                       machine(job, stage) = std::int32_t(value - 1);
                   });
    }
    template <class Put>
    void read_block(char const* heading, char const* noun, std::int64_t low, std::int64_t high, Put const& put) {
        lines_.need_heading(heading);
        for (std::int64_t job = 0; job < jobs_; ++job) {
            lines_.need_line(jobs_, noun);
            std::vector<std::int64_t> const row = lines_.integers("an entry", low, high, machines_);
            for (std::int64_t stage = 0; stage < machines_; ++stage) {
                put(job, stage, row[std::size_t(stage)]);
            }
        }
    }

    shop_lines lines_;
    std::int64_t jobs_ = 0;
    std::int64_t machines_ = 0;
    std::vector<std::int32_t> words_;
};

}  // namespace

std::vector<std::int32_t> read_shop(std::string_view text) { return shop_reader(text).read(); }

}  // namespace optgap::text::job_shop
