// IFBench's types about the place of a word.

#include <algorithm>
#include <unordered_map>

#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/checks/types.hpp"

namespace optgap::rubrics {

namespace ifbench_places {

type_answer sentence_keyword(type_input const& in) {
    std::int64_t const wanted = in.number(1);
    if (wanted < 1 || std::int64_t(in.sentence_count()) < wanted) {
        return false;
    }
    std::string_view const sentence = in.sentence(std::size_t(wanted - 1));
    std::string folded;
    fold_points(sentence, folded);
    return in.given[0].patterns[0].found(sentence, folded) && in.enough(2);
}

std::vector<std::string_view> word_tokens(std::string_view text, bool joins_marks) {
    std::vector<place> tokens;
    split_tokens(text, tokens, joins_marks);
    std::vector<std::string_view> words;
    for (place const& token : tokens) {
        std::string_view const word = text.substr(token.begin, token.size());
        if (has_word_point(word)) {
            words.push_back(word);
        }
    }
    return words;
}

type_answer keyword_position(type_input const& in) {
    std::int64_t const sentence = in.number(1);
    std::int64_t const word = in.number(2);
    if (sentence < 1 || word < 1 || std::int64_t(in.sentence_count()) < sentence) {
        return false;
    }
    std::vector<std::string_view> const words =
        word_tokens(in.sentence(std::size_t(sentence - 1)), in.text.joins_marks);
    return std::int64_t(words.size()) >= word &&
           lowered(words[std::size_t(word - 1)]) == lowered(trimmed(in.argument(0)));
}

type_answer words_position(type_input const& in) {
    std::vector<place> const& tokens = in.forms.tokens();
    auto const token = [&](std::size_t k) { return in.text.of(tokens[k]); };
    std::size_t const count = tokens.size();
    if (count < 2) {
        return false;
    }
    std::string_view const last = token(count - 1);
    bool const mark = last.size() == 1 && is_mark_byte(last[0]);
    if (mark && count < 3) {
        return false;
    }
    std::string const keyword = lowered(trimmed(in.argument(0)));
    return lowered(token(1)) == keyword && lowered(token(count - (mark ? 3 : 2))) == keyword && in.enough(3);
}

}  // namespace ifbench_places

std::span<instruction_type const> ifbench_place_types() {
    using namespace ifbench_places;
    using enum argument_kind;
    static constexpr char const* same = "the same";
    static constexpr instruction_type types[] = {
        {"sentence:keyword",
         'S',
         {{"word", word}, {"N", integer}},
         sentence_keyword,
         "the keyword, standing for itself between word boundaries, is in the n-th sentence, ignoring case",
         "two words"},
        {"words:keywords_specific_position",
         'S',
         {{"keyword", argument_kind::text}, {"n", integer}, {"m", integer}},
         keyword_position,
         "the m-th token with a letter or digit in it of the n-th sentence is the keyword, ignoring case",
         same,
         true},
        {"words:words_position",
         'S',
         {{"keyword", argument_kind::text}},
         words_position,
         "the second token and the last but one (last but two behind a final mark) are the keyword, ignoring case",
         "three words",
         true},
    };
    return types;
}

}  // namespace optgap::rubrics
