#pragma once
// Forms of one text that many checks ask for: lower case, without punctuation, tokens. Each is made at the first ask
// and kept until the next scan.

#include <string>
#include <string_view>
#include <vector>

#include "host/chain/checks/word_table.hpp"
#include "host/chain/text.hpp"

namespace optgap::chain {

/// A text and the places of its pieces.
struct split_text {
    std::string text;
    std::vector<place> pieces;
    std::string_view operator[](std::size_t at) const {
        return std::string_view(text).substr(pieces[at].begin, pieces[at].size());
    }
    std::size_t size() const { return pieces.size(); }
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
    /// Word characters with apostrophes and hyphens between them, and every other character that is no white space: our
    /// stand-in for NLTK's word_tokenize (docs/checks.md).
    std::vector<place> const& tokens();
    /// The eight texts of loose checking that differ from this one and are not blank, scanned.
    std::vector<text_pass> const& variants(sentence_rule sentences);
    /// The words of the text in lower case, where a lower-cased text keeps its places: a text of ASCII.
    std::string_view lower_of(place where) { return std::string_view(lower()).substr(where.begin, where.size()); }
    word_counter& counter() { return counter_; }
    /// Room for a part of the text that is checked by itself.
    text_pass& part_pass();

private:
    friend text_forms& forms_of(text_pass const& text);
    bool is_fresh(std::uint64_t& made);
    void split_bare(split_text& one) const;

    text_pass const* of_;
    std::uint64_t lower_made_ = 0, lower_split_made_ = 0, folded_made_ = 0, bare_made_ = 0, lower_bare_made_ = 0,
                  tokens_made_ = 0, variants_made_ = 0;
    split_text lower_;
    std::string folded_;
    split_text bare_;
    split_text lower_bare_;
    std::vector<place> tokens_;
    std::vector<std::string> variant_texts_;
    std::vector<text_pass> variants_;
    std::vector<text_pass> part_;
    word_counter counter_;
};

text_forms& forms_of(text_pass const& text);
/// Tokens of any text.
void split_tokens(std::string_view text, std::vector<place>& out);

}  // namespace optgap::chain
