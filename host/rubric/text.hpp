#pragma once
// A text as checks see it. One structural pass over UTF-8 bytes gives counters and, on demand, the places of words,
// pieces, lines, paragraphs and sentences. Unicode 15.0; a broken byte is one U+FFFD, of no class. Host only.
//
// prepare() comes before: normal form, typography, hidden characters, fold. Checks of style see the text unfolded (case
// counts); content matches on the folded one.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/rubric/unicode.hpp"

namespace optgap::rubrics {

/// Bytes [begin, end) of a text.
struct place {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t size() const { return end - begin; }
    bool operator==(place const&) const = default;
};

/// A text longer than this is refused: places are 32 bits wide.
inline constexpr std::size_t longest_text = (std::size_t(1) << 31) - 1;

enum class fold_rule : std::uint8_t {
    none,
    simple,  ///< Unicode's simple case folding (C + S)
    python,  ///< lower() per code point, and the four letters that Python's IGNORECASE matches with ASCII letters
};
enum class normal_form : std::uint8_t { none, nfc, nfkc };
enum class sentence_rule : std::uint8_t {
    plain,  ///< ends at marks and closing characters after them, except for abbreviations, initials, decimals and
            ///< domains
    regex,  ///< after one of . ! ? and white space
};

/// How a text is prepared.
struct text_rules {
    fold_rule fold = fold_rule::none;
    normal_form normal = normal_form::none;
    bool typography = false;   ///< curly quotes, dashes, NBSP, ellipsis and full-width ASCII become plain
    bool drop_hidden = false;  ///< removes format characters (Cf: zero-width, bidi, tags)
    sentence_rule sentences = sentence_rule::plain;
    bool operator==(text_rules const&) const = default;
};

/// Whether this build has a normaliser. Without one prepare() refuses every `normal` form and names it.
bool has_normal_forms();

/// Writes the text under the rules to `out` (cleared first). Returns the number of its hidden characters, dropped or
/// not. Throws optgap::error for a text longer than longest_text, and for a normal form in a build without one.
std::int64_t prepare(std::string_view text, text_rules const& rules, std::string& out);

struct text_counts {
    std::int64_t bytes = 0;
    std::int64_t characters = 0;  ///< code points; a broken byte is one
    std::int64_t broken = 0;      ///< bytes that are not UTF-8
    std::int64_t letters = 0;     ///< Unicode L*
    std::int64_t upper = 0;
    std::int64_t lower = 0;
    std::int64_t digits = 0;   ///< Nd
    std::int64_t numbers = 0;  ///< runs of Nd
    std::int64_t spaces = 0;
    std::int64_t punctuation = 0;  ///< ASCII's 32, and Unicode P*
    std::int64_t emoji = 0;        ///< Emoji_Presentation, or with U+FE0F
    std::int64_t hidden = 0;       ///< Cf
    std::int64_t words = 0;        ///< runs of word characters
    std::int64_t pieces = 0;       ///< between white space
    std::int64_t cjk = 0;          ///< Han and kana characters
    std::int64_t unblanked = 0;    ///< characters of scripts without blanks (is_unblanked)
    std::int64_t joiners = 0;      ///< marks and format characters (is_joiner)
    std::array<std::int64_t, std::size_t(script::count)> script_letters{};  ///< letters of each script
};

/// Forms of a text that checks need, made at their first use (host/rubric/checks/forms.hpp).
class text_forms;
struct forget_forms {
    void operator()(text_forms* forms) const;
};

/// The result of one pass: counters, and a bit per byte for words, pieces and line breaks. Lists of places are made
/// from the bits at their first use. Buffers are reused from text to text: one object per thread. `text` must outlive
/// it.
class text_pass {
public:
    std::string_view text;
    text_counts counts;
    /// Whether all bytes are ASCII. Fast paths are then taken, with the same results. Tests set it to false.
    bool ascii = true;
    /// Marks and format characters are part of the word before them: the rule of optgap's own checks
    /// (words/boundaries.hpp).
    bool joins_marks = false;
    std::uint64_t serial = 0;  ///< counts scans; what was made from an earlier text is stale
    mutable std::unique_ptr<text_forms, forget_forms> forms;

    [[nodiscard]] std::vector<place> const& words() const;       ///< runs of word characters (\w+)
    [[nodiscard]] std::vector<place> const& pieces() const;      ///< between white space (split())
    [[nodiscard]] std::vector<place> const& lines() const;       ///< between \n, as split("\n") gives: at least one
    [[nodiscard]] std::vector<place> const& paragraphs() const;  ///< not empty, between blank lines, ends trimmed
    [[nodiscard]] std::vector<place> const& sentences() const;   ///< not empty, ends trimmed
    [[nodiscard]] std::int64_t nonempty_lines() const;
    [[nodiscard]] std::int64_t longest_line() const;  ///< characters
    [[nodiscard]] std::int64_t longest_word() const;  ///< characters

    [[nodiscard]] sentence_rule rule() const { return rule_; }
    [[nodiscard]] std::string_view of(place where) const { return text.substr(where.begin, where.size()); }

private:
    friend void scan(std::string_view text, sentence_rule sentences, text_pass& out, bool joins_marks);
    struct list {
        std::vector<place> places;
        std::uint64_t made = 0;  ///< the scan that they belong to
    };
    bool is_stale(list& one) const;
    void runs_of(std::vector<std::uint64_t> const& bits, std::int64_t count, list& out) const;
    void find_paragraphs() const;

    sentence_rule rule_ = sentence_rule::plain;
    std::vector<std::uint64_t> word_bits_, piece_bits_, break_bits_;  ///< one block more than the text has
    mutable list words_, pieces_, lines_, paragraphs_, sentences_;
    mutable std::int64_t nonempty_lines_ = 0;
};

/// Makes the pass, in linear time and without recursion. Throws optgap::error for a text longer than longest_text.
void scan(std::string_view text, sentence_rule sentences, text_pass& out, bool joins_marks = false);

/// Splits into sentences only.
void split_sentences(std::string_view text, sentence_rule rule, std::vector<place>& out);

}  // namespace optgap::rubrics
