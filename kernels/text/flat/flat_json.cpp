#include "kernels/text/flat/flat_json.hpp"

#include <algorithm>

namespace optgap {
namespace {

constexpr std::int64_t largest = 1'000'000'000'000'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<flat_value> flat_value::find(std::string_view name) const {
    for (flat_value const member : *this) {
        if (member.name() == name) {
            return member;
        }
    }
    return std::nullopt;
}

/// A cursor that stops at the first invalid byte.
class flat_reader {
public:
    flat_reader(std::int32_t depth, bool whole, flat_json& out)
        : text_(out.text_), depth_(depth), whole_(whole), out_(out) {}

    void run() {
        skip_blanks();
        if (text_.size() > std::size_t(INT32_MAX)) {
            fail("less than 2 GiB");
        } else if (peek() != '{') {
            fail("one JSON object");
        } else {
            read_list('}', 0);
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
    flat_node& open(flat_kind kind) {
        flat_node& made = out_.nodes_.emplace_back();
        made.kind = kind;
        made.begin = std::int32_t(at_);
        return made;
    }
    void close(std::size_t place) {
        out_.nodes_[place].end = std::int32_t(at_);
        out_.nodes_[place].next = std::int32_t(out_.nodes_.size());
    }

    /// Reads a list or an object at its opening bracket, inside `inside` brackets.
    void read_list(char closing, std::int32_t inside) {
        if (inside >= depth_) {
            return fail("at most 8 levels of brackets");
        }
        std::size_t const place = out_.nodes_.size();
        open(closing == ']' ? flat_kind::list : flat_kind::object);
        ++at_;
        std::int32_t items = 0;
        if (!take(closing)) {
            do {
                std::size_t const member = out_.nodes_.size();
                std::size_t name_begin = 0;
                std::size_t name_end = 0;
                skip_blanks();
                if (closing == '}') {
                    name_begin = at_ + 1;
                    read_string();
                    name_end = at_ - 1;
                    if (sound() && !take(':')) {
                        fail("a colon");
                    }
                }
                if (!sound()) {
                    return;
                }
                read_value(inside + 1, inside > 0 || text_.substr(name_begin, name_end - name_begin) != "seed");
                if (!sound()) {
                    return;
                }
                ++items;
                if (closing == '}') {
                    out_.nodes_[member].name_begin = std::int32_t(name_begin);
                    out_.nodes_[member].name_end = std::int32_t(name_end);
                }
                bool const is_many = inside == 0 && items > flat_json::max_members;
                out_.more = out_.more || is_many;
                if (!whole_ && (is_many || inside > 0)) {
                    out_.nodes_.resize(member);
                }
            } while (take(','));
            if (!take(closing)) {
                return fail(closing == ']' ? "a comma or ]" : "a comma or }");
            }
        }
        out_.nodes_[place].items = items;
        close(place);
    }

    /// `counted`: whether a long number is reported.
    void read_value(std::int32_t inside, bool counted) {
        skip_blanks();
        std::size_t const place = out_.nodes_.size();
        char const c = peek();
        if (c == '-' || is_digit(c)) {
            read_number(open(flat_kind::integer), counted);
        } else if (c == '[' || c == '{') {
            return read_list(c == '[' ? ']' : '}', inside);
        } else if (c == '"') {
            open(flat_kind::text);
            read_string();
        } else if (char const* const word = word_here(); word != nullptr) {
            open(c == 'n' ? flat_kind::nothing : flat_kind::truth);
            at_ += std::string_view(word).size();
        } else {
            return fail("a value");
        }
        close(place);
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

    void read_number(flat_node& into, bool counted) {
        std::size_t const begin = at_;
        bool const negative = peek() == '-';
        at_ += negative ? 1 : 0;
        std::int64_t value = 0;
        std::int64_t digits = 0;
        if (!is_digit(peek())) {
            return fail("a digit");
        }
        if (peek() == '0') {
            ++digits;
            ++at_;
        } else {
            for (; is_digit(peek()); ++at_) {
                value = ++digits > 18 ? largest : value * 10 + (peek() - '0');
            }
        }
        into.integer = negative ? -value : value;
        bool exponent = false;
        if (peek() == '.') {
            into.kind = flat_kind::number;
            ++at_;
            digits += read_digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            into.kind = flat_kind::number;
            exponent = true;
            ++at_;
            at_ += peek() == '+' || peek() == '-' ? 1 : 0;
            read_digits();
        }
        if (out_.long_number < 0 && counted && (exponent || digits > flat_digits)) {
            out_.long_number = std::int64_t(begin);
        }
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
    [[nodiscard]] char const* word_here() const {
        for (char const* const word : {"true", "false", "null"}) {
            if (text_.substr(at_).starts_with(word)) {
                return word;
            }
        }
        return nullptr;
    }

    std::string_view text_;
    std::int32_t depth_;
    bool whole_;
    flat_json& out_;
    std::size_t at_ = 0;
};

void flat_json::read(std::string_view text, std::int32_t depth, bool whole) {
    text_ = text;
    nodes_.clear();
    broken = long_number = -1;
    expected = nullptr;
    more = false;
    flat_reader(depth, whole, *this).run();
}

}  // namespace optgap
