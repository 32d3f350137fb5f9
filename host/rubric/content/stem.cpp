#include "host/rubric/content/stem.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace optgap::rubrics {
namespace {

using word_part = std::string_view;

bool is_vowel(char letter) {
    return word_part("aeiouy").find(letter) != word_part::npos;
}  // a consonant y is written Y here

struct replaced {
    word_part ending, by;
};

class english_word {
public:
    explicit english_word(std::string& of) : word_(of) {}

    void stem() {
        if (word_.size() <= 2 || exception()) {
            return;
        }
        mark_consonant_y();
        mark_regions();
        plural();
        if (!one_of(word_, {"inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"})) {
            past();
            final_y();
            second();
            third();
            fourth();
            fifth();
        }
        std::replace(word_.begin(), word_.end(), 'Y', 'y');
    }

private:
    static bool one_of(word_part what, std::initializer_list<word_part> of) {
        return std::ranges::find(of, what) != of.end();
    }

    bool exception() {
        static constexpr replaced forms[] = {{"skis", "ski"},     {"skies", "sky"},   {"dying", "die"},
                                             {"lying", "lie"},    {"tying", "tie"},   {"idly", "idl"},
                                             {"gently", "gentl"}, {"ugly", "ugli"},   {"early", "earli"},
                                             {"only", "onli"},    {"singly", "singl"}};
        for (replaced const& one : forms) {
            if (word_ == one.ending) {
                word_ = one.by;
                return true;
            }
        }
        return one_of(word_, {"sky", "news", "howe", "atlas", "cosmos", "bias", "andes"});
    }

    void mark_consonant_y() {
        for (std::size_t i = 0; i < word_.size(); ++i) {
            if (word_[i] == 'y' && (i == 0 || is_vowel(word_[i - 1]))) {
                word_[i] = 'Y';
            }
        }
    }

    /// The place after the first consonant that follows a vowel, from `from` on.
    [[nodiscard]] std::size_t region(std::size_t from) const {
        while (from < word_.size() && !is_vowel(word_[from])) {
            ++from;
        }
        while (from < word_.size() && is_vowel(word_[from])) {
            ++from;
        }
        return std::min(from + 1, word_.size());
    }

    void mark_regions() {
        first_ = 0;
        for (word_part const begin : {word_part("gener"), word_part("commun"), word_part("arsen")}) {
            first_ = word_.starts_with(begin) ? begin.size() : first_;
        }
        first_ = first_ > 0 ? first_ : region(0);
        second_ = region(first_);
    }

    [[nodiscard]] bool ends(word_part ending) const { return word_part(word_).ends_with(ending); }
    /// The place where an ending begins.
    [[nodiscard]] std::size_t before(word_part ending) const { return word_.size() - ending.size(); }
    [[nodiscard]] bool vowel_before(std::size_t end) const {
        return std::any_of(word_.begin(), word_.begin() + std::ptrdiff_t(end), is_vowel);
    }
    /// Whether the letters before `end` end in a short syllable: a vowel between consonants, the last of them not w, x
    /// or Y, or a vowel and a consonant at the word's begin.
    [[nodiscard]] bool short_syllable(std::size_t end) const {
        if (end < 2 || is_vowel(word_[end - 1]) || !is_vowel(word_[end - 2])) {
            return false;
        }
        return end == 2 || (!is_vowel(word_[end - 3]) && word_part("wxY").find(word_[end - 1]) == word_part::npos);
    }
    void put(word_part ending, word_part by) { word_.replace(before(ending), ending.size(), by); }

    void plural() {
        if (ends("sses")) {
            put("sses", "ss");
        } else if (ends("ied") || ends("ies")) {
            word_.resize(word_.size() - (word_.size() > 4 ? 2 : 1));
        } else if (ends("s") && !ends("us") && !ends("ss") && vowel_before(word_.size() - 2)) {
            word_.pop_back();
        }
    }

    void past() {
        for (word_part const ending : {word_part("eedly"), word_part("ingly"), word_part("edly"), word_part("eed"),
                                       word_part("ing"), word_part("ed")}) {
            if (!ends(ending)) {
                continue;
            }
            if (ending.starts_with("ee")) {
                if (before(ending) >= first_) {
                    put(ending, "ee");
                }
            } else if (vowel_before(before(ending))) {
                word_.resize(before(ending));
                mend();
            }
            return;
        }
    }

    void mend() {
        std::size_t const size = word_.size();
        if (ends("at") || ends("bl") || ends("iz")) {
            word_ += 'e';
        } else if (size >= 2 && word_[size - 1] == word_[size - 2] &&
                   word_part("bdfgmnprt").find(word_[size - 1]) != word_part::npos) {
            word_.pop_back();
        } else if (first_ == size && short_syllable(size)) {
            word_ += 'e';
        }
    }

    void final_y() {
        std::size_t const size = word_.size();
        if (size > 2 && (ends("y") || ends("Y")) && !is_vowel(word_[size - 2])) {
            word_.back() = 'i';
        }
    }

    /// The longest ending of the list that the word has; nullptr: none.
    template <std::size_t Count>
    [[nodiscard]] replaced const* longest(replaced const (&list)[Count]) const {
        replaced const* best = nullptr;
        for (replaced const& one : list) {
            if (ends(one.ending) && (best == nullptr || one.ending.size() > best->ending.size())) {
                best = &one;
            }
        }
        return best;
    }

    void second() {
        static constexpr replaced endings[] = {
            {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},   {"abli", "able"},   {"entli", "ent"},
            {"izer", "ize"},    {"ization", "ize"}, {"ational", "ate"}, {"ation", "ate"},   {"ator", "ate"},
            {"alism", "al"},    {"aliti", "al"},    {"alli", "al"},     {"fulness", "ful"}, {"ousli", "ous"},
            {"ousness", "ous"}, {"iveness", "ive"}, {"iviti", "ive"},   {"biliti", "ble"},  {"bli", "ble"},
            {"ogi", "og"},      {"fulli", "ful"},   {"lessli", "less"}, {"li", ""}};
        replaced const* const found = longest(endings);
        if (found == nullptr || before(found->ending) < first_) {
            return;
        }
        char const left = word_[before(found->ending) - 1];
        if ((found->ending == "ogi" && left != 'l') ||
            (found->ending == "li" && word_part("cdeghkmnrt").find(left) == word_part::npos)) {
            return;
        }
        put(found->ending, found->by);
    }

    void third() {
        static constexpr replaced endings[] = {{"tional", "tion"}, {"ational", "ate"}, {"alize", "al"},
                                               {"icate", "ic"},    {"iciti", "ic"},    {"ical", "ic"},
                                               {"ful", ""},        {"ness", ""},       {"ative", ""}};
        replaced const* const found = longest(endings);
        if (found != nullptr && before(found->ending) >= (found->ending == "ative" ? second_ : first_)) {
            put(found->ending, found->by);
        }
    }

    void fourth() {
        static constexpr replaced endings[] = {{"al", ""},   {"ance", ""}, {"ence", ""}, {"er", ""},    {"ic", ""},
                                               {"able", ""}, {"ible", ""}, {"ant", ""},  {"ement", ""}, {"ment", ""},
                                               {"ent", ""},  {"ism", ""},  {"ate", ""},  {"iti", ""},   {"ous", ""},
                                               {"ive", ""},  {"ize", ""},  {"ion", ""}};
        replaced const* const found = longest(endings);
        if (found == nullptr || before(found->ending) < second_) {
            return;
        }
        std::size_t const at = before(found->ending);
        if (found->ending != "ion" || (at > 0 && (word_[at - 1] == 's' || word_[at - 1] == 't'))) {
            word_.resize(at);
        }
    }

    void fifth() {
        std::size_t const last = word_.size() - 1;
        bool const e = word_[last] == 'e' && (last >= second_ || (last >= first_ && !short_syllable(last)));
        bool const l = word_[last] == 'l' && last >= second_ && last > 0 && word_[last - 1] == 'l';
        if (e || l) {
            word_.pop_back();
        }
    }

    std::string& word_;
    std::size_t first_ = 0, second_ = 0;  ///< begins of the two regions
};

}  // namespace

void stem_english(std::string& word) { english_word(word).stem(); }

}  // namespace optgap::rubrics
