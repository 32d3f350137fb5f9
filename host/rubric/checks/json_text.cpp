#include "host/rubric/checks/json_text.hpp"

#include "host/rubric/checks/python_text.hpp"

namespace optgap::rubrics {

namespace {

class json_walk {
public:
    json_walk(std::string_view text, json_dialect dialect) : text_(text), dialect_(dialect) {}

    json_text run() {
        json_text found;
        skip_space();
        found.valid = values(found);
        skip_space();
        found.valid = found.valid && at_ == text_.size();
        if (!found.valid) {
            found.keys.clear();
            found.kinds.clear();
        }
        return found;
    }

private:
    /// Reads one value and everything in it; `open_` holds the brackets around the place.
    bool values(json_text& found) {
        bool value_wanted = true;
        while (true) {
            if (value_wanted) {
                char const kind = at_ < text_.size() ? text_[at_] : 0;
                bool const opens = kind == '{' || kind == '[';
                note(found, opens || kind == '"' ? kind : kind == 't' || kind == 'f' ? 't' : kind == 'n' ? 'n' : '0');
                if (!opens) {
                    if (!scalar()) {
                        return false;
                    }
                    value_wanted = false;
                    continue;
                }
                if (int(open_.size()) == deepest_json) {
                    return false;
                }
                ++at_;
                open_ += kind;
                skip_space();
                if (at_ < text_.size() && text_[at_] == (kind == '{' ? '}' : ']')) {
                    ++at_;
                    open_.pop_back();
                    value_wanted = false;
                } else if (kind == '{' && !key(found)) {
                    return false;
                }
                continue;
            }
            if (open_.empty()) {
                return true;
            }
            skip_space();
            char const next = at_ < text_.size() ? text_[at_++] : 0;
            if (next == (open_.back() == '{' ? '}' : ']')) {
                open_.pop_back();
                continue;
            }
            if (next != ',') {
                return false;
            }
            skip_space();
            if (open_.back() == '{' && !key(found)) {
                return false;
            }
            value_wanted = true;
        }
    }

    void note(json_text& found, char kind) const {
        if (open_.empty()) {
            found.kind = kind;
        } else if (open_.size() == 1 && open_[0] == '{') {
            found.kinds.push_back(kind);
        }
    }

    bool key(json_text& found) {
        std::size_t const begin = at_ + 1;
        if (at_ >= text_.size() || text_[at_] != '"' || !string()) {
            return false;
        }
        if (open_.size() == 1) {
            found.keys.emplace_back(text_.substr(begin, at_ - 1 - begin));
        }
        skip_space();
        if (at_ >= text_.size() || text_[at_] != ':') {
            return false;
        }
        ++at_;
        skip_space();
        return true;
    }

    bool scalar() {
        if (at_ >= text_.size()) {
            return false;
        }
        if (text_[at_] == '"') {
            return string();
        }
        for (std::string_view const word : {"true", "false", "null"}) {
            if (takes(word)) {
                return true;
            }
        }
        if (dialect_ == json_dialect::python && (takes("NaN") || takes("Infinity") || takes("-Infinity"))) {
            return true;
        }
        return number();
    }

    bool takes(std::string_view word) {
        bool const here = text_.substr(at_, word.size()) == word;
        at_ += here ? word.size() : 0;
        return here;
    }

    std::size_t digits() {
        std::size_t const begin = at_;
        while (at_ < text_.size() && is_digit_byte(text_[at_])) {
            ++at_;
        }
        return at_ - begin;
    }

    bool number() {
        constexpr std::size_t longest_python_integer = 4300;
        takes("-");
        bool const zero = at_ < text_.size() && text_[at_] == '0';
        std::size_t const whole = zero ? (++at_, 1) : digits();
        if (whole == 0) {
            return false;
        }
        bool integer = true;
        // The caller refuses what follows a whole number without being a fraction or exponent.
        if (at_ + 1 < text_.size() && text_[at_] == '.' && is_digit_byte(text_[at_ + 1])) {
            ++at_;
            digits();
            integer = false;
        }
        if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
            std::size_t const back = at_++;
            if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) {
                ++at_;
            }
            if (digits() == 0) {
                at_ = back;
            } else {
                integer = false;
            }
        }
        return !integer || dialect_ != json_dialect::python || whole <= longest_python_integer;
    }

    bool string() {
        for (++at_; at_ < text_.size(); ++at_) {
            auto const byte = static_cast<unsigned char>(text_[at_]);
            if (byte == '"') {
                ++at_;
                return true;
            }
            if (byte < 0x20) {
                return false;
            }
            if (byte != '\\') {
                continue;
            }
            if (++at_ >= text_.size()) {
                return false;
            }
            if (text_[at_] == 'u') {
                for (int k = 0; k < 4; ++k) {
                    if (++at_ >= text_.size() || !is_hex(text_[at_])) {
                        return false;
                    }
                }
            } else if (std::string_view("\"\\/bfnrt").find(text_[at_]) == std::string_view::npos) {
                return false;
            }
        }
        return false;
    }

    static bool is_hex(char byte) {
        return is_digit_byte(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
    }

    void skip_space() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
            ++at_;
        }
    }

    std::string_view text_;
    json_dialect dialect_;
    std::size_t at_ = 0;
    std::string open_;
};

}  // namespace

json_text read_json_text(std::string_view text, json_dialect dialect) { return json_walk(text, dialect).run(); }

std::string_view without_fence(std::string_view text) {
    text = trimmed(text);
    for (std::string_view const fence : {"```json", "```Json", "```JSON", "```"}) {
        if (text.starts_with(fence)) {
            text.remove_prefix(fence.size());
        }
    }
    if (text.ends_with("```")) {
        text.remove_suffix(3);
    }
    return trimmed(text);
}

}  // namespace optgap::rubrics
