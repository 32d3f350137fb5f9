#pragma once
// Shared by readers of instance files: lines, words and numbers, and the line number for errors.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "optgap/status.hpp"

namespace optgap {

/// Walks over a file's lines and words, and keeps track of its position.
class file_words {
public:
    explicit file_words(std::string_view text, std::int64_t first_line = 1) : text_(text), line_(first_line) {}

    [[noreturn]] void fail(std::string rule) const {
        throw field_error("line " + std::to_string(line_), std::move(rule));
    }

    /// The next line that is not blank, trimmed; empty at the end of the file.
    std::string_view next_line() {
        skip_blanks();
        std::size_t const begin = at_;
        at_ = std::min(text_.find_first_of("\r\n", begin), text_.size());
        return trimmed(text_.substr(begin, at_ - begin));
    }

    /// The next word, on any line; empty at the end of the file.
    std::string_view next_word() {
        skip_blanks();
        std::size_t const end = std::min(text_.find_first_of(" \t\r\n", at_), text_.size());
        std::string_view const word = text_.substr(at_, end - at_);
        at_ = end;
        return word;
    }

    std::int64_t next_integer(char const* what) {
        std::string_view const word = next_word();
        std::int64_t value = 0;
        auto const [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (word.empty() || status != std::errc() || end != word.data() + word.size()) {
            fail(std::string(what) + " must be an integer, found '" + shown(word) + "'");
        }
        return value;
    }
    /// The next integer, which must be within low … high.
    std::int64_t next_integer(char const* what, std::int64_t low, std::int64_t high) {
        std::int64_t const value = next_integer(what);
        if (value < low || value > high) {
            fail(std::string(what) + " must be in " + std::to_string(low) + " ... " + std::to_string(high));
        }
        return value;
    }
    [[nodiscard]] bool at_end() {
        skip_blanks();
        return at_ == text_.size();
    }

    static std::string shown(std::string_view word) {
        std::string out(word.substr(0, 40));
        std::ranges::replace_if(
            out, [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
        return word.empty() ? "the end of the file" : out;
    }
    static std::string_view trimmed(std::string_view line) {
        constexpr char const* blanks = " \t\r";
        std::size_t const begin = line.find_first_not_of(blanks);
        return begin == std::string_view::npos ? std::string_view{}
                                               : line.substr(begin, line.find_last_not_of(blanks) - begin + 1);
    }

private:
    void skip_blanks() {
        for (; at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n');
             ++at_) {
            line_ += text_[at_] == '\n' ? 1 : 0;
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::int64_t line_;
};

/// A file whose format is based on lines: those that are not blank, one after the other, each with its number.
class file_lines {
public:
    explicit file_lines(std::string_view text) : rest_(text) {}

    /// Goes to the next line that is not blank. Returns false if there is none, and then stays behind the last one.
    bool next() {
        while (!rest_.empty()) {
            line_ = rest_.substr(0, rest_.find('\n'));
            rest_.remove_prefix(std::min(line_.size() + 1, rest_.size()));
            ++number_;
            // A carriage return within a line separates words, so that nothing behind it is lost.
            line_ = file_words::trimmed(line_);
            if (!line_.empty()) {
                return true;
            }
        }
        line_ = {};
        return false;
    }

    /// Trimmed; empty behind the last line.
    [[nodiscard]] std::string_view line() const { return line_; }
    [[nodiscard]] file_words words() const { return file_words(line_, number_); }
    [[nodiscard]] std::int64_t number() const { return number_ > 0 ? number_ : 1; }
    /// The number of words on the line.
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
    /// The same for a line that must have `expected` numbers.
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
