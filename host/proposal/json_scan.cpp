#include "host/proposal/json_scan.hpp"

#include <algorithm>

#include "optgap/proposals/proposal.hpp"

namespace optgap::proposals {
namespace {

constexpr std::int64_t largest = std::int64_t(1) << 31;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A cursor that stops at the first broken byte.
class json_scanner {
public:
    json_scanner(std::string_view text, std::int32_t depth, scanned_object& out)
        : text_(text), depth_(depth), out_(out) {}

    void run() {
        skip_blanks();
        if (peek() != '{') {
            fail("one JSON object");
        } else {
            read_top();
            skip_blanks();
            if (sound() && at_ < text_.size()) {
                fail("nothing behind the object");
            }
        }
    }

private:
    [[nodiscard]] bool sound() const { return out_.expected == nullptr; }
    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void fail(char const* expected) {
        if (sound()) {
            out_.broken = std::int64_t(at_);
            out_.expected = expected;
        }
    }
    void skip_blanks() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
            ++at_;
        }
    }
    bool take(char wanted) {
        skip_blanks();
        if (peek() != wanted || at_ == text_.size()) {
            return false;
        }
        ++at_;
        return true;
    }

    void read_top() {
        ++at_;
        if (take('}')) {
            return;
        }
        do {
            scanned_field field;
            skip_blanks();
            std::size_t const name = at_ + 1;
            read_string();
            if (!sound()) {
                return;
            }
            field.name = text_.substr(name, at_ - name - 1);
            if (!take(':')) {
                return fail("a colon");
            }
            skip_blanks();
            std::size_t const begin = at_;
            bool const counted = field.name != "seed";
            read_value(1, field, counted);
            if (!sound()) {
                return;
            }
            field.value = text_.substr(begin, at_ - begin);
            if (out_.count == scanned_object::most) {
                out_.more = true;
            } else {
                out_.fields[std::size_t(out_.count++)] = field;
            }
        } while (take(','));
        if (!take('}')) {
            fail("a comma or }");
        }
    }

    /// `inside`: brackets that are open around the value. Containers below the field's own are walked by a stack of
    /// as many entries as levels are allowed.
    void read_value(std::int32_t inside, scanned_field& field, bool counted) {
        struct level {
            char close;
            std::int64_t items;
        };
        std::array<level, most_proposal_depth> open{};
        std::int32_t depth = 0;
        for (;;) {
            skip_blanks();
            ++field.values;
            char const c = peek();
            bool ended = true;  // of the value that begins here
            if (c == '[' || c == '{') {
                if (inside + depth >= depth_ || depth == most_proposal_depth) {
                    return fail("at most 8 levels of brackets");
                }
                char const close = c == '[' ? ']' : '}';
                open[std::size_t(depth++)] = {close, 0};
                ++at_;
                if (take(close)) {
                    --depth;
                } else if (close == '}') {
                    read_name();
                    ended = false;
                } else {
                    ended = false;
                }
            } else if (c == '"') {
                read_string();
            } else if (c == '-' || is_digit(c)) {
                std::int64_t const number = read_number(counted);
                if (depth == 0) {
                    field.number = number;
                }
            } else if (!read_word()) {
                return fail("a value");
            }
            while (ended && sound()) {
                if (depth == 0) {
                    return;
                }
                level& here = open[std::size_t(depth - 1)];
                ++here.items;
                if (depth == 1) {
                    field.items = here.close == ']' ? here.items : 0;
                } else if (depth == 2) {
                    field.longest = std::max(field.longest, here.items);
                }
                if (take(',')) {
                    if (here.close == '}') {
                        read_name();
                    }
                    ended = false;
                } else if (take(here.close)) {
                    --depth;
                } else {
                    fail(here.close == ']' ? "a comma or ]" : "a comma or }");
                }
            }
            if (!sound()) {
                return;
            }
        }
    }
    void read_name() {
        skip_blanks();
        read_string();
        if (sound() && !take(':')) {
            fail("a colon");
        }
    }

    void read_string() {
        if (peek() != '"') {
            return fail("a name in quotes");
        }
        ++at_;
        while (at_ < text_.size() && text_[at_] != '"') {
            auto const c = static_cast<unsigned char>(text_[at_]);
            if (c < 0x20) {
                return fail("no control character in a string");
            }
            if (c == '\\') {
                read_escape();
            } else if (c >= 0x80) {
                read_wide();
            } else {
                ++at_;
            }
            if (!sound()) {
                return;
            }
        }
        if (at_ == text_.size()) {
            return fail("the string's end");
        }
        ++at_;
    }
    [[nodiscard]] std::int32_t hex_at(std::size_t begin) const {
        std::int32_t value = 0;
        for (std::size_t i = begin; i < begin + 4; ++i) {
            char const c = i < text_.size() ? text_[i] : '\0';
            std::int32_t const digit = is_digit(c)            ? c - '0'
                                       : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                       : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                              : -1;
            if (digit < 0) {
                return -1;
            }
            value = value * 16 + digit;
        }
        return value;
    }
    void read_escape() {
        char const c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
        if (c == 'u') {
            std::int32_t const unit = hex_at(at_ + 2);
            bool const high = unit >= 0xD800 && unit < 0xDC00;
            if (unit < 0 || (unit >= 0xDC00 && unit < 0xE000)) {
                return fail("an escape of four hex digits");
            }
            at_ += 6;
            if (high) {
                std::int32_t const low = text_.substr(at_, 2) == "\\u" ? hex_at(at_ + 2) : -1;
                if (low < 0xDC00 || low >= 0xE000) {
                    return fail("the second half of a surrogate pair");
                }
                at_ += 6;
            }
        } else if (c != '\0' && std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos) {
            at_ += 2;
        } else {
            fail("an escape");
        }
    }
    void read_wide() {
        auto const byte = [&](std::size_t i) {
            return at_ + i < text_.size() ? static_cast<unsigned char>(text_[at_ + i]) : 0U;
        };
        auto const tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80; };
        unsigned const c = byte(0);
        if (c >= 0xC2 && c < 0xE0 && tail(1)) {
            at_ += 2;
        } else if (c >= 0xE0 && c < 0xF0 && tail(1) && tail(2) && (c != 0xE0 || byte(1) >= 0xA0) &&
                   (c != 0xED || byte(1) < 0xA0)) {
            at_ += 3;
        } else if (c >= 0xF0 && c < 0xF5 && tail(1) && tail(2) && tail(3) && (c != 0xF0 || byte(1) >= 0x90) &&
                   (c != 0xF4 || byte(1) < 0x90)) {
            at_ += 4;
        } else {
            fail("UTF-8");
        }
    }

    /// The value of an integer from 0 on, clamped; -1 of any other number.
    std::int64_t read_number(bool counted) {
        std::size_t const begin = at_;
        bool const negative = peek() == '-';
        at_ += negative ? 1 : 0;
        std::int64_t value = 0;
        std::int64_t digits = 0;
        if (!is_digit(peek())) {
            fail("a digit");
            return -1;
        }
        bool const zero = peek() == '0';
        while (is_digit(peek())) {
            value = std::min(largest, value * 10 + (peek() - '0'));
            ++digits;
            ++at_;
            if (zero) {
                break;
            }
        }
        bool whole = true;
        bool exponent = false;
        if (peek() == '.') {
            whole = false;
            ++at_;
            digits += read_digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            exponent = true;
            ++at_;
            at_ += peek() == '+' || peek() == '-' ? 1 : 0;
            read_digits();
        }
        if (out_.long_number < 0 && counted && (exponent || digits > most_proposal_digits)) {
            out_.long_number = std::int64_t(begin);
        }
        return negative || !whole || exponent ? -1 : value;
    }
    std::int64_t read_digits() {
        std::size_t const begin = at_;
        while (is_digit(peek())) {
            ++at_;
        }
        if (at_ == begin) {
            fail("a digit");
        }
        return std::int64_t(at_ - begin);
    }
    bool read_word() {
        for (std::string_view const word : {"true", "false", "null"}) {
            if (text_.substr(at_, word.size()) == word) {
                at_ += word.size();
                return true;
            }
        }
        return false;
    }

    std::string_view text_;
    std::int32_t depth_;
    scanned_object& out_;
    std::size_t at_ = 0;
};

}  // namespace

void scan_object(std::string_view text, std::int32_t depth_left, scanned_object& out) {
    out.count = 0;
    out.more = false;
    out.long_number = out.broken = -1;
    out.expected = nullptr;
    json_scanner(text, depth_left, out).run();
}

}  // namespace optgap::proposals
