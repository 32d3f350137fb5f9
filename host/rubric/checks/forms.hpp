#pragma once
// Forms of one text that many checks need: lower case, without punctuation, tokens. Each is made at its first use and
// kept until the next scan.

#include <string>
#include <string_view>
#include <vector>

#include "host/rubric/checks/word_table.hpp"
#include "host/rubric/text.hpp"

namespace optgap::rubrics {

/// A text and the places of its pieces.
struct split_text {
    std::string text;
    std::vector<place> pieces;
    std::string_view operator[](std::size_t at) const {
        return std::string_view(text).substr(pieces[at].begin, pieces[at].size());
    }
    std::size_t size() const { return pieces.size(); }
};

/// The units of a text that are counted, in lower case.
enum class word_role : std::uint8_t {
    word,   ///< runs of word characters; only of an ASCII text
    piece,  ///< pieces without the punctuation around them, possibly empty
    bare,   ///< pieces of the text without punctuation
    token,  ///< tokens, possibly without those that are one mark; only of an ASCII text
    count,
};

/// Counts each different word of a text, by role.
class word_tally {
public:
    void begin() {
        words_.begin();
        of_.clear();
    }
    /// Adds a piece that is one word, with or without punctuation around it. It has all of the roles.
    std::uint32_t add(std::string_view word, word_key const& key) {
        std::uint32_t const number = words_.number_of(word, key);
        if (number == of_.size()) {
            of_.emplace_back();
        }
        ++of_[number].alone;
        return number;
    }
    void add(word_role role, std::string_view word, word_key const& key) {
        std::uint32_t const number = add(word, key);
        --of_[number].alone;
        ++of_[number].as[std::size_t(role)];
    }
    /// Calls take(word, count) for each different word of the role.
    template <class Take>
    void each(word_role role, Take take) const {
        for (std::size_t number = 0; number < of_.size(); ++number) {
            std::int64_t const count = of_[number].alone + of_[number].as[std::size_t(role)];
            if (count > 0) {
                take(words_[number], count);
            }
        }
    }
    [[nodiscard]] different_words const& words() const { return words_; }

private:
    struct counts {
        std::int64_t alone = 0;
        std::int64_t as[std::size_t(word_role::count)] = {};  ///< counts that only one role has
    };
    different_words words_;
    std::vector<counts> of_;
};

class text_forms {
public:
    explicit text_forms(text_pass const& of) : of_(&of) {}

    std::string_view stripped();
    std::string const& lower();        ///< lower()
    std::string const& folded();       ///< python_fold of each code point
    split_text const& lower_pieces();  ///< lower().split()
    split_text const& bare();          ///< ASCII punctuation deleted
    split_text const& lower_bare();    ///< lower(), then the same
    /// Word characters with apostrophes and hyphens between them, and every other character that is not white space.
    /// This approximates NLTK's word_tokenize (docs/checks.md).
    std::vector<place> const& tokens();
    /// The text as optgap's own word-based checks see it. Words of scripts without blanks are separated by a blank, and
    /// marks are part of the words that they stand on (host/rubric/words/boundaries.hpp). It is the text itself where
    /// it holds neither.
    text_pass const& spaced();
    /// The texts among the eight of loose checking that differ from this one and are not blank, scanned.
    std::vector<text_pass> const& variants(sentence_rule sentences);
    /// A word of the text in lower case. Valid where lower case keeps places: for an ASCII text.
    std::string_view lower_of(place where) { return std::string_view(lower()).substr(where.begin, where.size()); }
    /// The words of a role, each once with its count.
    word_tally const& tally(word_role role);
    /// For each piece its number in tally() if it is one word, else no_word. Empty for a text that is not plain. A
    /// plain text is ASCII without control characters and underscores, so that everything else than words is marks and
    /// white space.
    static constexpr std::uint32_t no_word = UINT32_MAX;
    std::vector<std::uint32_t> const& piece_words();
    bool plain();
    different_words& different() { return different_; }
    /// Working space for a part of the text that is checked by itself.
    text_pass& part_pass();

private:
    friend text_forms& forms_of(text_pass const& text);
    bool is_fresh(std::uint64_t& made);
    void split_bare(split_text& one) const;
    void count_plain();
    void count_pieces_of(std::vector<place> const& words, std::size_t first, std::size_t last);

    text_pass const* of_;
    std::uint64_t lower_made_ = 0, lower_split_made_ = 0, folded_made_ = 0, bare_made_ = 0, lower_bare_made_ = 0,
                  tokens_made_ = 0, variants_made_ = 0, spaced_made_ = 0, plain_made_ = 0, plain_tally_made_ = 0;
    std::uint64_t tally_made_[std::size_t(word_role::count)] = {};
    split_text lower_;
    std::string folded_;
    split_text bare_;
    split_text lower_bare_;
    std::vector<place> tokens_;
    std::vector<std::string> variant_texts_;
    std::vector<text_pass> variants_;
    std::vector<text_pass> part_;
    std::string spaced_text_;
    std::vector<text_pass> spaced_;
    different_words different_;
    bool plain_ = false;
    word_tally plain_tally_;
    std::vector<std::uint32_t> piece_words_;
    std::string joined_;                               ///< pieces of several words without the marks between them
    word_tally tally_[std::size_t(word_role::count)];  ///< for a text that is not plain
};

text_forms& forms_of(text_pass const& text);
/// The number of a role's words that are in a table.
std::int64_t listed_in(word_table const& listed, text_forms& forms, word_role role);
/// The spaced text's words in lower case, as views of its forms.
std::vector<std::string_view> lower_words(text_forms& forms);
/// Splits any text into tokens; `joins_marks` is as in text_pass.
void split_tokens(std::string_view text, std::vector<place>& out, bool joins_marks = false);

}  // namespace optgap::rubrics
