#include "tools/cli/rubric/literal.hpp"

#include <charconv>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rubric/unicode.hpp"
#include "optgap/status.hpp"

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;

constexpr int deepest_literal = 32;

class literal_reader {
public:
    literal_reader(std::string_view text, std::string_view field) : text_(text), field_(field) {}

    json whole() {
        json out = value(0);
        blanks();
        if (at_ < text_.size()) {
            fail("the end");
        }
        return out;
    }

private:
    [[noreturn]] void fail(std::string_view expected) const {
        throw field_error(std::string(field_),
                          fmt::format("is no Python literal at byte {}: expected {}", at_, expected));
    }
    void blanks() {
        while (at_ < text_.size() && std::string_view(" \t\r\n\f").find(text_[at_]) != std::string_view::npos) {
            ++at_;
        }
    }
    bool take(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) {
            return false;
        }
        at_ += word.size();
        return true;
    }

    json value(int depth) {
        if (depth > deepest_literal) {
            fail(fmt::format("no more than {} levels", deepest_literal));
        }
        blanks();
        if (at_ == text_.size()) {
            fail("a value");
        }
        char const c = text_[at_];
        if (c == '[' || c == '(') {
            ++at_;
            return items(c == '[' ? ']' : ')', depth);
        }
        if (c == '{') {
            ++at_;
            return dict(depth);
        }
        if (is_text()) {
            std::string all;
            while (is_text()) {
                all += one_text();
                blanks();
            }
            return all;
        }
        for (auto const& [word, meant] : {std::pair{"True", json(true)}, {"False", json(false)}, {"None", json()}}) {
            if (take(word)) {
                return meant;
            }
        }
        return number();
    }

    json items(char close, int depth) {
        json out = json::array();
        bool comma = true;
        for (;;) {
            blanks();
            if (take(std::string_view(&close, 1))) {
                // (x) is x, and (x,) a tuple
                return close == ')' && out.size() == 1 && !comma ? json(out[0]) : out;
            }
            if (!comma) {
                fail(fmt::format("a comma or {}", close));
            }
            out.push_back(value(depth + 1));
            blanks();
            comma = take(",");
        }
    }

    json dict(int depth) {
        json out = json::object();
        bool comma = true;
        for (;;) {
            blanks();
            if (take("}")) {
                return out;
            }
            if (!comma) {
                fail("a comma or }");
            }
            json const key = value(depth + 1);
            if (!key.is_string()) {
                fail("a text before this place, as a key");
            }
            blanks();
            if (!take(":")) {
                fail("a colon");
            }
            out[key.get<std::string>()] = value(depth + 1);
            blanks();
            comma = take(",");
        }
    }

    [[nodiscard]] bool is_text() const {
        std::size_t at = at_;
        if (at < text_.size() && (text_[at] == 'r' || text_[at] == 'u' || text_[at] == 'R' || text_[at] == 'U')) {
            ++at;
        }
        return at < text_.size() && (text_[at] == '\'' || text_[at] == '"');
    }

    std::string one_text() {
        bool const raw = text_[at_] == 'r' || text_[at_] == 'R';
        at_ += text_[at_] == '\'' || text_[at_] == '"' ? 0 : 1;
        char const mark = text_[at_];
        std::string const three(3, mark);
        std::string_view const close = text_.substr(at_, 3) == three ? std::string_view(three) : text_.substr(at_, 1);
        at_ += close.size();
        std::string out;
        while (!take(close)) {
            if (at_ == text_.size() || (close.size() == 1 && text_[at_] == '\n')) {
                fail("the end of a text");
            }
            char const c = text_[at_++];
            if (c != '\\') {
                out += c;
            } else if (raw) {
                out += c;
                if (at_ < text_.size()) {
                    out += text_[at_++];
                }
            } else {
                escape(out);
            }
        }
        return out;
    }

    void escape(std::string& out) {
        if (at_ == text_.size()) {
            fail("what is escaped");
        }
        char const c = text_[at_++];
        constexpr std::string_view plain = "\\'\"abfnrtv\n";
        constexpr std::string_view meant = "\\'\"\a\b\f\n\r\t\v";
        if (std::size_t const found = plain.find(c); found != std::string_view::npos) {
            if (c != '\n') {
                out += meant[found];
            }
            return;
        }
        if (c >= '0' && c <= '7') {
            std::uint32_t point = std::uint32_t(c - '0');
            for (int i = 0; i < 2 && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '7'; ++i) {
                point = point * 8 + std::uint32_t(text_[at_++] - '0');
            }
            rubrics::append_point(out, point);
            return;
        }
        std::size_t const digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        if (digits == 0) {
            if (c == 'N') {
                fail("an escape by number: names of characters are not known here");
            }
            out += '\\';  // Python keeps what it does not know
            out += c;
            return;
        }
        std::uint32_t point = 0;
        std::string_view const word = text_.substr(at_, digits);
        auto const [end, problem] = std::from_chars(word.data(), word.data() + word.size(), point, 16);
        if (word.size() < digits || problem != std::errc() || end != word.data() + digits || point > 0x10FFFF) {
            fail(fmt::format("{} hexadecimal digits of a code point", digits));
        }
        at_ += digits;
        rubrics::append_point(out, point >= 0xD800 && point < 0xE000 ? rubrics::broken_point : char32_t(point));
    }

    json number() {
        std::size_t const begin = at_;
        bool const minus = take("-");
        if (!minus) {
            take("+");
        }
        std::size_t const digits = at_;
        bool real = false;
        while (at_ < text_.size() && std::string_view("0123456789.eE_+-").find(text_[at_]) != std::string_view::npos) {
            bool const sign = text_[at_] == '+' || text_[at_] == '-';
            if (sign && (at_ == digits || (text_[at_ - 1] != 'e' && text_[at_ - 1] != 'E'))) {
                break;
            }
            real = real || text_[at_] == '.' || text_[at_] == 'e' || text_[at_] == 'E';
            ++at_;
        }
        std::string word;
        for (char const c : text_.substr(digits, at_ - digits)) {
            word += c == '_' ? "" : std::string(1, c);
        }
        std::int64_t whole = 0;
        double fraction = 0;
        auto const ends = [&](auto const& result) {
            return !word.empty() && result.ec == std::errc() && result.ptr == word.data() + word.size();
        };
        if (!real && ends(std::from_chars(word.data(), word.data() + word.size(), whole))) {
            return minus ? -whole : whole;
        }
        if (real && ends(std::from_chars(word.data(), word.data() + word.size(), fraction))) {
            return minus ? -fraction : fraction;
        }
        at_ = begin;
        fail("a text, a number, a list, a dict, True, False or None");
    }

    std::string_view text_, field_;
    std::size_t at_ = 0;
};

}  // namespace

json read_literal(std::string_view text, std::string_view field) { return literal_reader(text, field).whole(); }

}  // namespace optgap::cli
