#include "host/rubric/checks/forms.hpp"

#include <algorithm>

#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/words/boundaries.hpp"

namespace optgap::rubrics {

void forget_forms::operator()(text_forms* forms) const { delete forms; }

text_forms& forms_of(text_pass const& text) {
    if (text.forms == nullptr) {
        text.forms.reset(new text_forms(text));
    }
    text.forms->of_ = &text;
    return *text.forms;
}

bool text_forms::is_fresh(std::uint64_t& made) {
    bool const fresh = made == of_->serial;
    made = of_->serial;
    return fresh;
}

std::string_view text_forms::stripped() { return trimmed(of_->text); }

std::string const& text_forms::lower() {
    if (!is_fresh(lower_made_)) {
        python_lower(of_->text, lower_.text);
    }
    return lower_.text;
}

std::string const& text_forms::folded() {
    if (of_->ascii) {
        return lower();
    }
    if (!is_fresh(folded_made_)) {
        fold_points(of_->text, folded_);
    }
    return folded_;
}

split_text const& text_forms::lower_pieces() {
    if (!is_fresh(lower_split_made_)) {
        lower();
        if (of_->ascii) {
            lower_.pieces = of_->pieces();
        } else {
            split_pieces_of_points(lower_.text, lower_.pieces);
        }
    }
    return lower_;
}

void text_forms::split_bare(split_text& one) const {
    if (of_->ascii) {
        split_pieces(one.text, one.pieces);
    } else {
        split_pieces_of_points(one.text, one.pieces);
    }
}

split_text const& text_forms::bare() {
    if (!is_fresh(bare_made_)) {
        delete_marks(of_->text, bare_.text);
        split_bare(bare_);
    }
    return bare_;
}

split_text const& text_forms::lower_bare() {
    if (!is_fresh(lower_bare_made_)) {
        if (of_->ascii) {
            lower_ascii(bare().text, lower_bare_.text);
            lower_bare_.pieces = bare_.pieces;
        } else {
            delete_marks(lower(), lower_bare_.text);
            split_bare(lower_bare_);
        }
    }
    return lower_bare_;
}

namespace {

/// Returns the place after the marks and format characters at `at`.
std::size_t joiners_end(std::string_view text, std::size_t at) {
    while (at < text.size() && !is_ascii_byte(text[at])) {
        decoded const one = decode(text, at);
        if (one.broken || !is_joiner(one.point, properties_of(one.point))) {
            break;
        }
        at += one.size;
    }
    return at;
}

}  // namespace

std::vector<std::string_view> lower_words(text_forms& forms) {
    std::string_view const lower = forms_of(forms.spaced()).lower();
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < lower.size();) {
        std::size_t const begin = at;
        for (std::size_t size = 0; at < lower.size() && (size = word_size(lower, at)) > 0;) {
            at = joiners_end(lower, at + size);  // U+0130 is two code points in lower case
        }
        if (at > begin) {
            words.push_back(lower.substr(begin, at - begin));
        } else {
            at += point_size(lower, at);
        }
    }
    return words;
}

void split_tokens(std::string_view text, std::vector<place>& out, bool joins_marks) {
    out.clear();
    auto const joiner = [&](std::size_t at) -> std::size_t {
        if (text[at] == '\'' || text[at] == '-') {
            return 1;
        }
        return text.substr(at, 3) == "\xE2\x80\x99" ? 3 : 0;
    };
    for (std::size_t at = 0; at < text.size();) {
        if (std::size_t const space = space_size(text, at); space > 0) {
            at += space;
            continue;
        }
        std::size_t const begin = at;
        std::size_t size = word_size(text, at);
        if (size == 0) {
            at += point_size(text, at);
        }
        while (size > 0) {
            at = joins_marks ? joiners_end(text, at + size) : at + size;
            size = at < text.size() ? word_size(text, at) : 0;
            if (size == 0 && at < text.size()) {
                std::size_t const join = joiner(at);
                std::size_t const behind = join > 0 && at + join < text.size() ? word_size(text, at + join) : 0;
                size = behind > 0 ? join + behind : 0;
            }
        }
        out.push_back({std::uint32_t(begin), std::uint32_t(at)});
    }
}

namespace {

/// split_tokens for an ASCII text, made from its words: the characters between two words join them or are tokens
/// themselves.
void join_words(text_pass const& pass, std::vector<place>& out) {
    std::string_view const text = pass.text;
    out.clear();
    std::uint32_t behind = 0;
    bool joined = false;
    auto const between = [&](std::uint32_t end) {
        if (end == behind + 1 && text[behind] == ' ') {
            return;
        }
        for (std::uint32_t at = behind; at < end; ++at) {
            if (space_size(text, at) == 0) {
                out.push_back({at, at + 1});
            }
        }
    };
    for (place const& word : pass.words()) {
        joined = behind > 0 && word.begin == behind + 1 && (text[behind] == '\'' || text[behind] == '-');
        // A mark at the text's begin has no word before it.
        if (joined && !out.empty() && out.back().end == behind) {
            out.back().end = word.end;
        } else {
            between(word.begin);
            out.push_back(word);
        }
        behind = word.end;
    }
    between(std::uint32_t(text.size()));
}

}  // namespace

std::vector<place> const& text_forms::tokens() {
    if (!is_fresh(tokens_made_)) {
        if (of_->ascii) {
            join_words(*of_, tokens_);
        } else {
            split_tokens(of_->text, tokens_, of_->joins_marks);
        }
    }
    return tokens_;
}

text_pass const& text_forms::spaced() {
    text_counts const& counts = of_->counts;
    if (of_->joins_marks || (counts.unblanked == 0 && counts.joiners == 0)) {
        return *of_;
    }
    if (spaced_made_ != of_->serial) {
        spaced_.resize(1);
        if (counts.unblanked > 0) {
            space_words(of_->text, spaced_text_);
        }
        scan(counts.unblanked > 0 ? std::string_view(spaced_text_) : of_->text, of_->rule(), spaced_[0], true);
        spaced_made_ = of_->serial;  // set only now, since without ICU nothing was made
    }
    return spaced_[0];
}

std::vector<text_pass> const& text_forms::variants(sentence_rule sentences) {
    if (is_fresh(variants_made_)) {
        return variants_;
    }
    std::string_view const text = of_->text;
    std::size_t const first = text.find('\n');
    std::size_t const last = text.rfind('\n');
    std::string_view const without_first =
        first == std::string_view::npos ? std::string_view{} : text.substr(first + 1);
    std::string_view const without_last = last == std::string_view::npos ? std::string_view{} : text.substr(0, last);
    std::string_view const without_both = first == last ? std::string_view{} : text.substr(first + 1, last - first - 1);
    variant_texts_.clear();
    auto const add = [&](std::string variant) {
        bool const known =
            variant == text || std::find(variant_texts_.begin(), variant_texts_.end(), variant) != variant_texts_.end();
        if (!known && !is_blank(variant)) {
            variant_texts_.push_back(std::move(variant));
        }
    };
    for (std::string_view const cut : {without_first, without_last, without_both}) {
        add(std::string(trimmed(cut)));
    }
    add(replaced(text, "*", ""));
    for (std::string_view const cut : {without_first, without_last, without_both}) {
        add(replaced(trimmed(cut), "*", ""));
    }
    variants_.resize(variant_texts_.size());
    for (std::size_t k = 0; k < variants_.size(); ++k) {
        scan(variant_texts_[k], sentences, variants_[k]);
    }
    return variants_;
}

text_pass& text_forms::part_pass() {
    if (part_.empty()) {
        part_.resize(1);
    }
    return part_[0];
}

}  // namespace optgap::rubrics
