// Job shops as JSPLIB has them, and as Taillard (1993) wrote his.

#include <string_view>
#include <vector>

#include "kernels/tasks/job_shop/job_shop.hpp"
#include "kernels/text/file_words.hpp"

namespace optgap::text::job_shop {
namespace {

using optgap::tasks::job_shop::shop_layout;

constexpr std::int64_t most = 1'000'000;  ///< of any number that no rule of the task says

class shop_reader {
public:
    explicit shop_reader(std::string_view text) : lines_(text) {}

    std::vector<std::int32_t> read() {
        skip_description();
        std::vector<std::int64_t> const head = lines_.integers("a number of the head", -1, INT64_MAX);
        if (head.size() < 2) {
            lines_.fail("expected a line with the numbers of jobs and of machines");
        }
        jobs_ = within(head[0], "the number of jobs", 1, shop_layout[1].high.plus);
        machines_ = within(head[1], "the number of machines", 1, shop_layout[0].high.plus);
        words_ = {std::int32_t(machines_), std::int32_t(jobs_), std::int32_t(machines_)};
        words_.resize(std::size_t(3 + 2 * jobs_ * machines_));
        if (head.size() == 2) {
            read_pairs();
        } else {
            read_matrices();
        }
        if (next()) {
            lines_.fail("there is a line behind the last job's; a file holds one instance");
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
    /// What stands before the numbers: lines that begin with a letter or a sign of their own.
    void skip_description() {
        while (next()) {
            if (char const first = lines_.line().front(); first >= '0' && first <= '9') {
                return;
            }
        }
        lines_.fail("there is no line with the numbers of jobs and of machines");
    }
    std::int64_t within(std::int64_t value, char const* noun, std::int64_t low, std::int64_t high) const {
        if (value < low || value > high) {
            lines_.fail(std::string(noun) + " must be in " + std::to_string(low) + " ... " + std::to_string(high));
        }
        return value;
    }
    void need_line(char const* of) {
        if (!next()) {
            lines_.fail("the file ended; expected " + std::to_string(jobs_) + " lines of " + of);
        }
    }
    std::int32_t& machine(std::int64_t job, std::int64_t stage) {
        return words_[std::size_t(3 + job * machines_ + stage)];
    }
    std::int32_t& time(std::int64_t job, std::int64_t stage) {
        return words_[std::size_t(3 + (jobs_ + job) * machines_ + stage)];
    }

    /// A line a job: machine, from 0, and time of each operation.
    void read_pairs() {
        for (std::int64_t job = 0; job < jobs_; ++job) {
            need_line("machines and times, one a job");
            std::vector<std::int64_t> const row = lines_.integers("a machine or a time", 0, most, 2 * machines_);
            for (std::int64_t stage = 0; stage < machines_; ++stage) {
                machine(job, stage) = std::int32_t(within(row[std::size_t(2 * stage)], "a machine", 0, machines_ - 1));
                time(job, stage) = std::int32_t(within(row[std::size_t(2 * stage + 1)], "a time", 1, most));
            }
        }
    }
    /// A line a job of its times, and another of its machines, from 1, each block behind its heading.
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
    void read_block(std::string_view heading, char const* of, std::int64_t low, std::int64_t high, Put const& put) {
        if (!next() || !lines_.line().starts_with(heading)) {
            lines_.fail("expected the heading " + std::string(heading) + ", found '" +
                        file_words::shown(lines_.line()) + "'");
        }
        for (std::int64_t job = 0; job < jobs_; ++job) {
            need_line(of);
            std::vector<std::int64_t> const row = lines_.integers("an entry", low, high, machines_);
            for (std::int64_t stage = 0; stage < machines_; ++stage) {
                put(job, stage, row[std::size_t(stage)]);
            }
        }
    }

    file_lines lines_;
    std::int64_t jobs_ = 0;
    std::int64_t machines_ = 0;
    std::vector<std::int32_t> words_;
};

}  // namespace

std::vector<std::int32_t> read_shop(std::string_view text) { return shop_reader(text).read(); }

}  // namespace optgap::text::job_shop
