#pragma once
// A text as its checks see it: one structural pass over UTF-8 bytes gives counters and the places of words, pieces,
// lines, paragraphs and sentences. Unicode 15.0; a broken byte is one U+FFFD, of no class. Host only.
//
// prepare() is what comes before: normal form, typography, hidden characters, fold. Checks of style see the text
// unfolded (case counts); content matches on the folded one.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/chain/unicode.hpp"

namespace optgap::chain {

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
    python,  ///< lower() per code point, and the four letters that Python's IGNORECASE takes for ASCII ones
};
enum class normal_form : std::uint8_t { none, nfc, nfkc };
enum class sentence_rule : std::uint8_t {
    plain,  ///< ends at marks and what closes behind them, but for abbreviations, initials, decimals and domains
    regex,  ///< after one of . ! ? and white space
};

/// How a text is made ready.
struct text_rules {
    fold_rule fold = fold_rule::none;
    normal_form normal = normal_form::none;
    bool typography = false;   ///< curly quotes, dashes, NBSP, ellipsis and full-width ASCII become their plain forms
    bool drop_hidden = false;  ///< format characters (Cf: zero-width, bidi, tags) go
    sentence_rule sentences = sentence_rule::plain;
    bool operator==(text_rules const&) const = default;
};

/// True where this build carries a normaliser; without one prepare() refuses `normal` by name.
bool has_normal_forms();

/// The text under the rules, in `out` (cleared first); returns how many hidden characters it held, dropped or not.
/// Throws optgap::error for a text longer than longest_text, and for a normal form in a build without one.
std::int64_t prepare(std::string_view text, text_rules const& rules, std::string& out);

struct text_counts {
    std::int64_t bytes = 0;
    std::int64_t characters = 0;  ///< code points; a broken byte is one
    std::int64_t broken = 0;      ///< bytes that are no UTF-8
    std::int64_t letters = 0;     ///< Unicode L*
    std::int64_t upper = 0;
    std::int64_t lower = 0;
    std::int64_t digits = 0;   ///< Nd
    std::int64_t numbers = 0;  ///< runs of Nd
    std::int64_t spaces = 0;
    std::int64_t punctuation = 0;  ///< ASCII's 32, and Unicode P*
    std::int64_t emoji = 0;        ///< Emoji_Presentation, or with U+FE0F
    std::int64_t hidden = 0;       ///< Cf
    std::int64_t nonempty_lines = 0;
    std::int64_t longest_line = 0;                                          ///< characters
    std::int64_t longest_word = 0;                                          ///< characters
    std::int64_t cjk = 0;                                                   ///< Han and kana characters
    std::array<std::int64_t, std::size_t(script::count)> script_letters{};  ///< letters of each script
};

/// Forms of a text that checks ask for, made at the first ask (host/chain/checks/forms.hpp).
class text_forms;
struct forget_forms {
    void operator()(text_forms* forms) const;
};

/// What one pass finds. Buffers are kept from text to text: one per thread. `text` must outlive it.
struct text_pass {
    std::string_view text;
    text_counts counts;
    std::vector<place> words;       ///< runs of word characters (\w+)
    std::vector<place> pieces;      ///< between white space (split())
    std::vector<place> lines;       ///< between \n, as split("\n") gives: at least one
    std::vector<place> paragraphs;  ///< not empty, between lines that are blank (\n\s*\n), ends trimmed
    std::vector<place> sentences;   ///< not empty, ends trimmed

    std::uint64_t serial = 0;  ///< counts scans: what was made of an earlier text is stale
    mutable std::unique_ptr<text_forms, forget_forms> forms;

    std::string_view of(place where) const { return text.substr(where.begin, where.size()); }
};

/// The pass itself. Linear time, no recursion; throws optgap::error for a text longer than longest_text.
void scan(std::string_view text, sentence_rule sentences, text_pass& out);

/// Sentences alone.
void split_sentences(std::string_view text, sentence_rule rule, std::vector<place>& out);

}  // namespace optgap::chain
