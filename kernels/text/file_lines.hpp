#pragma once
// A file whose layout its lines tell: those that are not blank, one after the other, each with its number.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/text/file_words.hpp"

namespace optgap {

class file_lines {
public:
    explicit file_lines(std::string_view text) : rest_(text) {}

    /// Goes to the next line that is not blank; false where there is none, and stays behind the last one.
    bool next() {
        while (!rest_.empty()) {
            line_ = rest_.substr(0, rest_.find('\n'));
            rest_.remove_prefix(std::min(line_.size() + 1, rest_.size()));
            ++number_;
            line_ = line_.substr(0, line_.find('\r'));
            line_ = file_words::trimmed(line_);
            if (!line_.empty()) {
                return true;
            }
        }
        line_ = {};
        return false;
    }

    /// Without blanks at its ends; empty behind the last line.
    [[nodiscard]] std::string_view line() const { return line_; }
    [[nodiscard]] file_words words() const { return file_words(line_, number_); }
    [[nodiscard]] std::int64_t number() const { return number_ > 0 ? number_ : 1; }
    /// How many words the line has.
    [[nodiscard]] std::int64_t count() const {
        std::int64_t found = 0;
        for (file_words all = words(); !all.next_word().empty();) {
            ++found;
        }
        return found;
    }
    /// All numbers of the line, each within low … high.
    [[nodiscard]] std::vector<std::int64_t> integers(char const* noun, std::int64_t low, std::int64_t high) const {
        std::vector<std::int64_t> found;
        for (file_words all = words(); !all.at_end();) {
            found.push_back(all.next_integer(noun, low, high));
        }
        return found;
    }
    /// The same of a line that must have so many.
    [[nodiscard]] std::vector<std::int64_t> integers(char const* noun, std::int64_t low, std::int64_t high,
                                                     std::int64_t expected) const {
        if (count() != expected) {
            fail("expected " + std::to_string(expected) + " numbers in the line, found " + std::to_string(count()));
        }
        return integers(noun, low, high);
    }

    [[noreturn]] void fail(std::string rule) const {
        throw field_error("line " + std::to_string(number()), std::move(rule));
    }

private:
    std::string_view rest_;
    std::string_view line_;
    std::int64_t number_ = 0;
};

}  // namespace optgap
