#pragma once
// Shared by files of flow shops and of job shops: comments starting with #, a description before the numbers, and a
// head with the numbers of jobs and machines, which has two numbers in one layout and more in the other. Host only.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/text/file_words.hpp"

namespace optgap {

class shop_lines : public file_lines {
public:
    explicit shop_lines(std::string_view text) : file_lines(text) {}

    /// Goes to the next line that is not a comment.
    bool next() {
        while (file_lines::next()) {
            if (line().front() != '#') {
                return true;
            }
        }
        return false;
    }
    /// The first line of numbers: jobs, machines, possibly more.
    std::vector<std::int64_t> read_head() {
        while (next()) {
            if (char const first = line().front(); first >= '0' && first <= '9') {
                std::vector<std::int64_t> head = integers("a number of the head", -1, INT64_MAX);
                if (head.size() < 2) {
                    fail("expected a line with the numbers of jobs and of machines");
                }
                return head;
            }
        }
        fail("there is no line with the numbers of jobs and of machines");
    }
    /// Goes to the next of `count` lines.
    void need_line(std::int64_t count, std::string const& noun) {
        if (!next()) {
            fail("the file ended; expected " + std::to_string(count) + " lines of " + noun);
        }
    }
    void need_heading(std::string const& heading) {
        if (!next() || !line().starts_with(heading)) {
            fail("expected the heading '" + heading + "', found '" + file_words::shown(line()) + "'");
        }
    }
    void need_end() {
        if (next()) {
            fail("there is a line behind the last times; a file holds one instance");
        }
    }
    [[nodiscard]] std::int64_t within(std::int64_t value, char const* noun, std::int64_t low, std::int64_t high) const {
        if (value < low || value > high) {
            fail(std::string(noun) + " must be in " + std::to_string(low) + " ... " + std::to_string(high));
        }
        return value;
    }
};

}  // namespace optgap
