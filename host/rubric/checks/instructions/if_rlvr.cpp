// IF-RLVR's types about copies, brackets, keywords and parts, on which open-instruct trains beside IFEval's.

#include <algorithm>
#include <unordered_set>

#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/checks/splits.hpp"
#include "host/rubric/checks/types.hpp"

namespace optgap::rubrics {

namespace if_rlvr {

/// Finds FIRST .*? LAST within one line: from FIRST and a blank to the nearest blank and LAST.

std::vector<std::string_view> spans_of(std::string_view text, std::string_view first, std::string_view last) {
    std::string const begin = std::string(first) + " ";
    std::string const end = " " + std::string(last);
    std::vector<std::string_view> spans;
    for (std::size_t at = 0; (at = text.find(begin, at)) != std::string_view::npos;) {
        std::size_t const inside = at + begin.size();
        std::size_t const line = std::min(text.find('\n', inside), text.size());
        std::size_t const found = text.substr(0, line).find(end, inside);
        if (found == std::string_view::npos) {
            // No later begin in this line finds an end either.
            at = line;
            continue;
        }
        spans.push_back(text.substr(at, found + end.size() - at));
        at = found + end.size();
    }
    return spans;
}

type_answer repeat_phrase(type_input const& in) {
    std::vector<std::string_view> const phrase = pieces_of(in.argument(0));
    if (phrase.empty()) {
        return false;
    }
    std::vector<std::string_view> const spans = spans_of(in.raw(), phrase.front(), phrase.back());
    auto const count = std::int64_t(spans.size());
    if (count != in.number(1)) {
        return {false, count};
    }
    std::int64_t differences = 0;
    for (std::string_view const span : spans) {
        std::vector<std::string_view> const words = pieces_of(span);
        if (words.size() > phrase.size() || (in.strict && words.size() != phrase.size())) {
            return {false, count};
        }
        differences = 0;
        for (std::size_t k = 0; k < words.size(); ++k) {
            differences += words[k] != phrase[k];
        }
        if (differences > 1 || (in.strict && differences != 1)) {
            return {false, count};
        }
    }
    // The published loop requires exactly one difference of the last span alone.
    return {differences == 1, count};
}

type_answer copy(type_input const& in) { return trimmed(in.forms.lower()) == lowered(trimmed(in.argument(0))); }

type_answer copying_multiple(type_input const& in) {
    std::vector<std::string_view> const parts = split_at(in.raw(), "******");
    std::string const wanted = lowered(trimmed(in.argument(0)));
    auto const count = std::int64_t(parts.size());
    bool const all = std::all_of(parts.begin(), parts.end(),
                                 [&](std::string_view part) { return lowered(trimmed(part)) == wanted; });
    return {all && count == in.number(1), count};
}

type_answer copy_span(type_input const& in) {
    std::string_view const text = in.argument(0);
    std::int64_t index = 0;
    std::size_t begin = text.size();
    std::size_t end = text.size();
    for (std::size_t at = 0; at < text.size(); at += decode(text, at).size, ++index) {
        begin = index == in.number(1) ? at : begin;
        end = index == in.number(2) ? at : end;
    }
    std::string_view const span = begin < end ? text.substr(begin, end - begin) : std::string_view{};
    return trimmed(in.forms.lower()) == lowered(trimmed(span)) && (!in.strict || !is_blank(span));
}

type_answer sentence_hyphens(type_input const& in) {
    std::string const spaced = replaced(in.raw(), "-", " ");
    std::vector<place> sentences;
    split_sentences(spaced, in.sentences, sentences);
    std::vector<std::string_view> const parts = split_at(in.raw(), "-");
    for (std::size_t k = 0; k < std::min(parts.size(), sentences.size()); ++k) {
        std::string_view const sentence = std::string_view(spaced).substr(sentences[k].begin, sentences[k].size());
        if (parts[k] != sentence) {
            return {false, std::int64_t(k)};
        }
    }
    return {!in.strict || (sentences.size() >= 2 && parts.size() == sentences.size()), std::int64_t(sentences.size())};
}

type_answer no_adjacent(type_input const& in) {
    std::vector<place> const& pieces = in.text.pieces();
    for (std::size_t k = 0; k + 1 < pieces.size(); ++k) {
        std::string const first = lowered(first_point(in.text.of(pieces[k])));
        std::string const second = lowered(first_point(in.text.of(pieces[k + 1])));
        if (point_count(first) != 1 || point_count(second) != 1 ||
            decode(second, 0).point == decode(first, 0).point + 1) {
            return {false, std::int64_t(k)};
        }
    }
    return {in.enough(), std::int64_t(pieces.size())};
}

type_answer square_brackets(type_input const& in) {
    for (place const& piece : in.text.pieces()) {
        std::string_view const word = in.text.of(piece);
        if (!word.starts_with('[') || !word.ends_with(']') || (in.strict && !has_word_point(word))) {
            return false;
        }
    }
    return in.enough(2);
}

type_answer bigrams(type_input const& in) {
    std::vector<place> const& pieces = in.text.pieces();
    for (std::size_t k = 0; k + 1 < pieces.size(); k += 2) {
        if (!in.text.of(pieces[k]).starts_with("<<") || !in.text.of(pieces[k + 1]).ends_with(">>")) {
            return {false, std::int64_t(k)};
        }
    }
    return {!in.strict || (pieces.size() >= 2 && pieces.size() % 2 == 0), std::int64_t(pieces.size() / 2)};
}

type_answer word_once(type_input const& in) {
    std::int64_t const count = in.given[0].patterns[0].count(in.raw(), in.forms.folded(), INT64_MAX);
    return {count == 1, count};
}

type_answer word_count(type_input const& in) {
    std::int64_t const count = in.given[0].patterns[0].count(in.raw(), in.forms.folded(), INT64_MAX);
    bool const at_least = in.given[2].at_least;
    return {holds(at_least, count, in.number(1)) && (at_least || in.enough()), count};
}

type_answer exclude(type_input const& in) {
    if (in.strict) {
        return !in.given[0].patterns[0].found(in.raw(), in.forms.folded()) && in.enough();
    }
    return !contains(in.raw(), " " + std::string(trimmed(in.argument(0))) + " ");
}

type_answer star_parts(type_input const& in) {
    std::int64_t const count = star_paragraphs(in.raw(), in.strict);
    return {count == 2, count};
}

type_answer blank_parts(type_input const& in) {
    std::int64_t const count = counted_parts(split_at(in.raw(), "\n\n"), in.strict);
    return {count == 2, count};
}

/// A piece without characters that are neither word characters nor white space: [^\w\s].

}  // namespace if_rlvr

std::span<instruction_type const> if_rlvr_types() {
    using namespace if_rlvr;
    using enum argument_kind;
    static constexpr char const* same = "the same";
    static constexpr argument_kind words_text = argument_kind::text;
    static constexpr instruction_type types[] = {
        {"copy:repeat_phrase",
         'E',
         {{"phrase", words_text}, {"small_n", integer}},
         repeat_phrase,
         "n spans in one line from the phrase's first word to its last; none is longer or differs in more than one "
         "word, and the "
         "last differs in one",
         "each is as long and differs in one word"},
        {"copy:copy",
         'E',
         {{"prompt_to_repeat", words_text}},
         copy,
         "stripped and lower-cased, it is the prompt",
         same},
        {"copy:copying_simple",
         'E',
         {{"prompt_to_repeat", words_text}},
         copy,
         "stripped and lower-cased, it is the prompt",
         same},
        {"copy:copying_multiple",
         'E',
         {{"prompt_to_repeat", words_text}, {"N", integer}},
         copying_multiple,
         "n parts between ******, each of them, stripped and lower-cased, the prompt",
         same},
        {"new:copy_span_idx",
         'E',
         {{"prompt_to_repeat", words_text}, {"n_start", integer}, {"n_end", integer}},
         copy_span,
         "stripped and lower-cased, it is the prompt's characters from n_start up to n_end, which is left out",
         "the span is not blank"},
        {"detectable_format:sentence_hyphens",
         'S',
         {},
         sentence_hyphens,
         "parts between - are the sentences of the text with blanks for -, as far as both go",
         "two sentences, and as many parts"},
        {"keywords:no_adjacent_consecutive",
         'E',
         {},
         no_adjacent,
         "no piece begins with the character that follows the first of the piece before, lower-cased",
         "five words",
         true},
        {"detectable_format:square_brackets",
         'E',
         {},
         square_brackets,
         "every piece begins with [ and ends with ]",
         "two words; something in each"},
        {"detectable_format:bigram_wrapping",
         'E',
         {},
         bigrams,
         "of every two pieces the first begins with << and the second ends with >>",
         "one pair or more, and no piece is left"},
        {"keywords:word_once",
         'E',
         {{"keyword", keyword}},
         word_once,
         "one match of the keyword, as an expression, ignoring case",
         "the keyword stands for itself, as a whole word"},
        {"keywords:word_count_different_numbers",
         'E',
         {{"keyword", keyword}, {"frequency", integer}, {"relation", relation}},
         word_count,
         "matches of the keyword, as an expression, ignoring case, are less than or at least n",
         "the keyword stands for itself, as a whole word; less than: five words"},
        {"keywords:exclude_word_harder",
         'E',
         {{"keyword", word}},
         exclude,
         "the keyword between two blanks does not stand there, case kept",
         "nor as a whole word, ignoring case; five words"},
        {"paragraphs:paragraphs",
         'E',
         {},
         star_parts,
         "two parts between ***, as number_paragraphs counts",
         "each of two pieces",
         true},
        {"paragraphs:paragraphs2",
         'E',
         {},
         blank_parts,
         "two parts between two line breaks; an empty first or last does not count, an empty one between fails",
         "each of two pieces",
         true},
    };
    return types;
}

}  // namespace optgap::rubrics
