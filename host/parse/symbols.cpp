#include "host/parse/symbols.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "host/parse/lexemes.hpp"
#include "optgap/answer.hpp"

namespace optgap::text {
namespace {

constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? char(c - ('a' - 'A')) : c; }
constexpr bool is_quote(char c) { return c == '"' || c == '\''; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Reads pieces, which are lines or the items of a list in brackets.
class letter_reader {
public:
    letter_reader(std::string_view text, letter_table const& letters, bool rows, std::vector<std::int32_t>& words)
        : at_(text.data()), end_(text.data() + text.size()), letters_(letters), rows_(rows), words_(words) {}

    bool read() {
        if (is_open(*at_)) {
            close_ = *at_++ == '[' ? ']' : ')';
            skip_white();
            // A list of integers, or of lists, is read as a list.
            if (at_ == end_ || !(letters_.holds(*at_) || is_quote(*at_)) || is_digit(*at_) || *at_ == '-') {
                return false;
            }
        }
        for (;;) {
            skip_white();
            if (at_ == end_) {
                return close_ == 0;
            }
            if (close_ != 0 && *at_ == close_) {
                ++at_;
                return at_ == end_;
            }
            if (!read_piece() || !end_piece()) {
                return false;
            }
        }
    }
    [[nodiscard]] std::vector<std::int32_t> const& lengths() const { return lengths_; }

private:
    void skip_white() {
        while (at_ != end_ && is_white(*at_)) {
            ++at_;
        }
    }
    void skip_blanks() {
        while (at_ != end_ && (is_blank(*at_) || (close_ != 0 && is_white(*at_)))) {
            ++at_;
        }
    }

    /// Reads letters, possibly with blanks or commas between them or in quotes.
    bool read_piece() {
        char const quote = is_quote(*at_) ? *at_++ : '\0';
        std::size_t const before = words_.size();
        if (rows_ || close_ != 0) {
            comma_ = numbers_ = commas_ = false;
        }
        bool letter_before = false;
        bool comma_allowed = false;
        for (; at_ != end_; ++at_) {
            char const c = *at_;
            if (letters_.holds(c)) {
                words_.push_back(letters_.value(c));
                numbers_ |= letter_before && is_digit(c) && is_digit(at_[-1]);
                commas_ |= comma_;
                comma_ = false;
                letter_before = comma_allowed = true;
            } else if (c == ',' && comma_allowed && (quote != 0 || close_ == 0)) {
                comma_ = true;
                letter_before = comma_allowed = false;
            } else if (is_blank(c) || (close_ != 0 && quote == 0 && is_white(c))) {
                letter_before = false;
            } else {
                break;
            }
        }
        if (words_.size() == before || (numbers_ && commas_)) {
            return false;
        }
        if (quote != 0) {
            if (at_ == end_ || *at_++ != quote) {
                return false;
            }
            skip_blanks();
        }
        quoted_ = quote != 0;
        if (rows_) {
            lengths_.push_back(std::int32_t(words_.size() - before));
        }
        return true;
    }

    /// Reads the end of a piece, and a comma where one may stand.
    bool end_piece() {
        if (close_ != 0) {
            if (at_ != end_ && *at_ == ',') {
                ++at_;
                return true;
            }
            return at_ != end_ && *at_ == close_;
        }
        if (quoted_ && at_ != end_ && *at_ == ',') {
            ++at_;
            comma_ = true;
            skip_blanks();
        }
        return at_ == end_ || *at_ == '\n' || *at_ == '\r';
    }

    char const* at_;
    char const* end_;
    letter_table const& letters_;
    bool rows_;
    std::vector<std::int32_t>& words_;
    std::vector<std::int32_t> lengths_;
    char close_ = 0;  // of the list whose items are the pieces; 0: the pieces are lines
    bool quoted_ = false;
    bool comma_ = false;  // a comma since the last letter
    // For a row, or the whole answer: "10, 11" may be two numbers or four letters, so it is no word.
    bool numbers_ = false;  // two digits side by side
    bool commas_ = false;   // a comma between letters
};

}  // namespace

letter_table::letter_table(answer_syntax const& syntax) : first_(syntax.first_letter) {
    std::string_view const alphabet = syntax.alphabet != nullptr ? syntax.alphabet : "";
    for (std::size_t k = 0; k < alphabet.size(); ++k) {
        place_[std::uint8_t(alphabet[k])] = std::uint8_t(k + 1);
    }
    bool const has_upper = std::ranges::any_of(alphabet, [](char c) { return lower(c) != c; });
    bool const has_lower = std::ranges::any_of(alphabet, [](char c) { return upper(c) != c; });
    for (std::size_t k = 0; k < alphabet.size() && has_upper != has_lower; ++k) {
        char const other = has_upper ? lower(alphabet[k]) : upper(alphabet[k]);
        place_[std::uint8_t(other)] = std::uint8_t(k + 1);
    }
}

bool letter_table::holds_all(std::string_view text) const {
    return std::ranges::all_of(text, [&](char c) { return holds(c); });
}

bool read_letters(std::string_view text, letter_table const& letters, bool rows, std::vector<std::int32_t>& words) {
    if (text.empty()) {
        return false;
    }
    std::size_t const base = words.size();
    words.push_back(answer_flat);
    letter_reader reader(text, letters, rows, words);
    if (!reader.read()) {
        words.resize(base);
        return false;
    }
    if (rows) {
        words[base] = std::int32_t(reader.lengths().size());
        words.insert(words.begin() + std::ptrdiff_t(base) + 1, reader.lengths().begin(), reader.lengths().end());
    }
    return true;
}

}  // namespace optgap::text
