// The different words of a text. Checks that look at every word then look at a few hundred different ones.

#include "host/rubric/checks/forms.hpp"
#include "host/rubric/checks/python_text.hpp"

namespace optgap::rubrics {

bool text_forms::plain() {
    if (!is_fresh(plain_made_)) {
        text_counts const& counts = of_->counts;
        plain_ = of_->ascii && counts.letters + counts.digits + counts.spaces + counts.punctuation == counts.bytes &&
                 of_->text.find('_') == std::string_view::npos;
    }
    return plain_;
}

/// Counts all roles of a plain text in one walk over its words and pieces.
void text_forms::count_plain() {
    std::string_view const lower = this->lower();
    std::vector<place> const& words = of_->words();
    std::vector<place> const& pieces = of_->pieces();
    plain_tally_.begin();
    piece_words_.resize(pieces.size());
    joined_.clear();
    std::size_t word = 0;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
        std::size_t const first = word;
        while (word < words.size() && words[word].end <= pieces[k].end) {
            ++word;
        }
        if (word == first + 1) {
            place const& one = words[first];
            std::string_view const text = lower.substr(one.begin, one.size());
            piece_words_[k] = plain_tally_.add(text, key_of(text, lower.size() - one.begin));
        } else {
            piece_words_[k] = no_word;
            count_pieces_of(words, first, word);
        }
    }
}

/// Counts a piece of no word or of several words.
void text_forms::count_pieces_of(std::vector<place> const& words, std::size_t first, std::size_t last) {
    std::string_view const lower = lower_.text;
    auto const add = [&](word_role role, std::string_view word) { plain_tally_.add(role, word, key_of(word)); };
    if (first == last) {
        add(word_role::piece, {});
        return;
    }
    if (joined_.capacity() < lower.size()) {
        joined_.reserve(lower.size());  // reserved before this text's first piece, so that views of it stay valid
    }
    std::size_t const begin = joined_.size();
    std::size_t token = first;
    for (std::size_t k = first; k < last; ++k) {
        std::string_view const word = lower.substr(words[k].begin, words[k].size());
        add(word_role::word, word);
        joined_ += word;
        bool const joins = k + 1 < last && words[k + 1].begin == words[k].end + 1 &&
                           (lower[words[k].end] == '\'' || lower[words[k].end] == '-');
        if (!joins) {
            add(word_role::token, lower.substr(words[token].begin, words[k].end - words[token].begin));
            token = k + 1;
        }
    }
    add(word_role::bare, std::string_view(joined_).substr(begin));
    add(word_role::piece, lower.substr(words[first].begin, words[last - 1].end - words[first].begin));
}

word_tally const& text_forms::tally(word_role role) {
    if (plain()) {
        if (!is_fresh(plain_tally_made_)) {
            count_plain();
        }
        return plain_tally_;
    }
    word_tally& own = tally_[std::size_t(role)];
    if (is_fresh(tally_made_[std::size_t(role)])) {
        return own;
    }
    own.begin();
    auto const add = [&](std::string_view word) { own.add(role, word, key_of(word)); };
    switch (role) {
        case word_role::word:
            for (place const& one : of_->words()) {
                add(lower_of(one));
            }
            break;
        case word_role::token:
            for (place const& one : tokens()) {
                add(lower_of(one));
            }
            break;
        case word_role::piece: {
            split_text const& pieces = lower_pieces();
            for (std::size_t k = 0; k < pieces.size(); ++k) {
                add(without_marks(pieces[k]));
            }
            break;
        }
        default: {
            split_text const& pieces = lower_bare();
            for (std::size_t k = 0; k < pieces.size(); ++k) {
                add(pieces[k]);
            }
        }
    }
    return own;
}

std::vector<std::uint32_t> const& text_forms::piece_words() {
    if (plain()) {
        static_cast<void>(tally(word_role::piece));
    } else {
        piece_words_.clear();
    }
    return piece_words_;
}

std::int64_t listed_in(word_table const& listed, text_forms& forms, word_role role) {
    std::int64_t found = 0;
    forms.tally(role).each(role, [&](kept_word const& word, std::int64_t times) {
        found += listed.has(word.view(), word.key) ? times : 0;
    });
    return found;
}

}  // namespace optgap::rubrics
