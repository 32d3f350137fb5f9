// The splitter checks the whole line in one pass, without recursion.

#include <bit>
#include <cstring>

#include "host/rows/json/jsonl.hpp"
#include "host/rows/json/string_stop.hpp"

namespace optgap {
namespace {

constexpr std::size_t max_depth = 512;

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_decimal_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

class scanner {
public:
    explicit scanner(std::string_view text) : begin_(text.data()), p_(begin_), end_(begin_ + text.size()) {}

    bool object(std::vector<json_field>& fields) {
        blanks();
        if (!expect('{', "an object")) {
            return false;
        }
        blanks();
        if (p_ < end_ && *p_ == '}') {
            ++p_;
        } else {
            for (;;) {
                json_field field;
                if (!member(field)) {
                    return false;
                }
                fields.push_back(field);
                if (p_ < end_ && *p_ == ',') {
                    ++p_;
                    continue;
                }
                if (!expect('}', "',' or '}'")) {
                    return false;
                }
                break;
            }
        }
        blanks();
        return p_ == end_ || fail("nothing after the object");
    }

    [[nodiscard]] std::string rule() const {
        std::string text = "not a JSON object: expected ";
        text += expected_;
        text += p_ < end_ ? " at byte " + std::to_string(p_ - begin_ + 1) : " where the line ends";
        return text;
    }

private:
    bool fail(char const* expected) {
        expected_ = expected;
        return false;
    }
    bool expect(char c, char const* what) {
        if (p_ == end_ || *p_ != c) {
            return fail(what);
        }
        ++p_;
        return true;
    }
    void blanks() {
        while (p_ < end_ && (*p_ == ' ' || *p_ == '\t' || *p_ == '\r' || *p_ == '\n')) {
            ++p_;
        }
    }
    static std::string_view between(char const* from, char const* to) { return {from, std::size_t(to - from)}; }

    /// Reads "key" : value, with optional blanks around each.
    bool member(json_field& field) {
        blanks();
        char const* const key = p_;
        if (!string()) {
            return false;
        }
        field.key = between(key + 1, p_ - 1);
        blanks();
        if (!expect(':', "':'")) {
            return false;
        }
        blanks();
        char const* const value_begin = p_;
        if (!value()) {
            return false;
        }
        field.value = between(value_begin, p_);
        blanks();
        return true;
    }

    bool string() {
        if (!expect('"', "a string")) {
            return false;
        }
        for (;;) {
            p_ = string_stop<>(p_, end_);
            if (p_ == end_) {
                return fail("the string's closing quote");
            }
            if (*p_ == '"') {
                ++p_;
                return true;
            }
            if (*p_ != '\\') {
                return fail("no raw control character in a string");
            }
            if (!escape()) {
                return false;
            }
        }
    }

    bool escape() {
        char const c = end_ - p_ > 1 ? p_[1] : '\0';
        if (c == 'u') {
            for (int i = 2; i < 6; ++i) {
                if (end_ - p_ <= i || !is_hex(p_[i])) {
                    return fail("four hex digits in an escape");
                }
            }
            p_ += 6;
            return true;
        }
        if (c == '\0' || std::strchr("\"\\/bfnrt", c) == nullptr) {
            return fail("a JSON escape");
        }
        p_ += 2;
        return true;
    }

    bool digits() {
        if (p_ == end_ || !is_decimal_digit(*p_)) {
            return fail("a digit");
        }
        while (p_ < end_ && is_decimal_digit(*p_)) {
            ++p_;
        }
        return true;
    }

    bool number() {
        if (*p_ == '-') {
            ++p_;
        }
        if (p_ < end_ && *p_ == '0') {
            ++p_;
            if (p_ < end_ && is_decimal_digit(*p_)) {
                return fail("no leading zero");
            }
        } else if (!digits()) {
            return false;
        }
        if (p_ < end_ && *p_ == '.') {
            ++p_;
            if (!digits()) {
                return false;
            }
        }
        if (p_ < end_ && (*p_ == 'e' || *p_ == 'E')) {
            ++p_;
            if (p_ < end_ && (*p_ == '+' || *p_ == '-')) {
                ++p_;
            }
            return digits();
        }
        return true;
    }

    bool literal(std::string_view word) {
        if (!between(p_, end_).starts_with(word)) {
            return fail("a JSON value");
        }
        p_ += word.size();
        return true;
    }

    bool scalar() {
        switch (p_ < end_ ? *p_ : '\0') {
            case '"': return string();
            case 't': return literal("true");
            case 'f': return literal("false");
            case 'n': return literal("null");
            default: break;
        }
        if (p_ < end_ && (*p_ == '-' || is_decimal_digit(*p_))) {
            return number();
        }
        return fail("a JSON value");
    }

    /// Reads any value. `open_` holds the brackets that are not closed yet.
    bool value() {
        open_.clear();
        do {
            blanks();
            if (p_ < end_ && (*p_ == '[' || *p_ == '{')) {
                char const bracket = *p_++;
                if (open_.size() == max_depth) {
                    return fail("at most 512 nested brackets");
                }
                open_.push_back(bracket);
                blanks();
                if (p_ < end_ && *p_ == closing(bracket)) {
                    ++p_;
                    open_.pop_back();
                } else if (bracket == '{' && !name()) {
                    return false;
                } else {
                    continue;
                }
            } else if (!scalar()) {
                return false;
            }
            if (!close_or_continue()) {
                return false;
            }
        } while (!open_.empty());
        return true;
    }

    static char closing(char bracket) { return bracket == '[' ? ']' : '}'; }

    bool name() {
        blanks();
        if (!string()) {
            return false;
        }
        blanks();
        return expect(':', "':'");
    }

    /// Called after a value: closes brackets until a comma asks for the next value.
    bool close_or_continue() {
        while (!open_.empty()) {
            blanks();
            if (p_ < end_ && *p_ == ',') {
                ++p_;
                return open_.back() == '{' ? name() : true;
            }
            if (!expect(closing(open_.back()), open_.back() == '[' ? "',' or ']'" : "',' or '}'")) {
                return false;
            }
            open_.pop_back();
        }
        return true;
    }

    char const* begin_;
    char const* p_;
    char const* end_;
    char const* expected_ = "";
    std::string open_;
};

}  // namespace

bool json_row::split(std::string_view line, std::string& rule) {
    fields_.clear();
    scanner scan(line);
    if (!scan.object(fields_)) {
        fields_.clear();
        rule = scan.rule();
        return false;
    }
    note_escapes();
    return true;
}

}  // namespace optgap
