// Families words and tone: which words occur in a text, where, and how often.

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "host/rubric/checks/measures.hpp"
#include "host/rubric/checks/python_text.hpp"

namespace optgap::rubrics {

namespace word_rules {

/// The form of the text in which texts are searched for; `fold` is the last option.
std::string_view searched_text(measure_input const& in) {
    return in.given.back().text == "lower" ? std::string_view(in.forms.lower()) : in.raw();
}

/// The number of requested texts that occur.
measured contained(measure_input const& in) {
    std::int64_t found = 0;
    std::string_view const text = searched_text(in);
    for (pattern const& one : in.option(0).patterns) {
        found += one.found(text, in.forms.folded());
    }
    return {found, std::int64_t(in.option(0).patterns.size())};
}

/// The number of occurrences of all requested texts together.
measured count_all(measure_input const& in) {
    std::int64_t found = 0;
    std::string_view const text = searched_text(in);
    for (pattern const& one : in.option(0).patterns) {
        found += one.count(text, in.forms.folded(), INT64_MAX);
    }
    return {found, in.forms.spaced().counts.words};
}

bool same_word(std::string_view left, std::string_view right) { return lowered(left) == lowered(right); }

/// The text's k-th word, which must exist.
std::string_view word_at(text_pass const& spaced, std::size_t k) { return spaced.of(spaced.words()[k]); }

measured first_word(measure_input const& in) {
    text_pass const& spaced = in.forms.spaced();
    return {spaced.counts.words > 0 && same_word(word_at(spaced, 0), in.option(0).text), 0};
}
measured last_word(measure_input const& in) {
    text_pass const& spaced = in.forms.spaced();
    return {
        spaced.counts.words > 0 && same_word(word_at(spaced, std::size_t(spaced.counts.words - 1)), in.option(0).text),
        0};
}
measured nth_word(measure_input const& in) {
    text_pass const& spaced = in.forms.spaced();
    std::int64_t const wanted = in.option(1).number;
    return {wanted >= 1 && wanted <= spaced.counts.words &&
                same_word(word_at(spaced, std::size_t(wanted - 1)), in.option(0).text),
            0};
}

measured starts_with(measure_input const& in) {
    std::string const text = lowered(trimmed(in.raw()));
    std::vector<std::string> const& all = in.option(0).list;
    return {std::any_of(all.begin(), all.end(), [&](std::string const& one) { return text.starts_with(lowered(one)); }),
            0};
}
measured ends_with(measure_input const& in) {
    std::string const text = lowered(trimmed(in.raw()));
    std::vector<std::string> const& all = in.option(0).list;
    return {std::any_of(all.begin(), all.end(), [&](std::string const& one) { return text.ends_with(lowered(one)); }),
            0};
}

/// The longest beginning of the list whose texts occur one after another.
measured in_order(measure_input const& in) {
    std::string const& text = in.forms.lower();
    std::size_t at = 0;
    std::int64_t found = 0;
    for (std::string const& one : in.option(0).list) {
        std::string const wanted = lowered(one);
        at = text.find(wanted, at);
        if (at == std::string::npos) {
            break;
        }
        at += wanted.size();
        ++found;
    }
    return {found, std::int64_t(in.option(0).list.size())};
}

measured max_repeat(measure_input const& in) {
    std::vector<std::string_view> const words = lower_words(in.forms);
    std::unordered_map<std::string_view, std::int64_t> counts;
    std::int64_t most = 0;
    for (std::string_view const word : words) {
        most = std::max(most, ++counts[word]);
    }
    return {most, std::int64_t(words.size())};
}

/// Runs of n words as numbers. Each word has one; a run's number is made from the run without its last word and from
/// that word.
class ngrams {
public:
    explicit ngrams(std::size_t size) : size_(size) {}

    std::vector<std::uint64_t> of(std::vector<std::string_view> const& words) {
        std::vector<std::uint64_t> runs;
        for (std::string_view const word : words) {
            runs.push_back(words_.try_emplace(std::string(word), words_.size()).first->second);
        }
        std::vector<std::uint64_t> const last = runs;
        pairs_.resize(size_);
        for (std::size_t level = 1; level < size_; ++level) {
            std::size_t const count = runs.empty() ? 0 : runs.size() - 1;
            for (std::size_t k = 0; k < count; ++k) {
                std::uint64_t const pair = runs[k] << 32 | last[k + level];
                runs[k] = pairs_[level].try_emplace(pair, pairs_[level].size()).first->second;
            }
            runs.resize(count);
        }
        return runs;
    }

private:
    std::size_t size_;
    std::unordered_map<std::string, std::uint64_t> words_;
    std::vector<std::unordered_map<std::uint64_t, std::uint64_t>> pairs_;
};

measured repeated_ngrams(measure_input const& in) {
    std::vector<std::uint64_t> const runs = ngrams(std::size_t(in.option(0).number)).of(lower_words(in.forms));
    std::unordered_set<std::uint64_t> const different(runs.begin(), runs.end());
    return {std::int64_t(runs.size() - different.size()), std::int64_t(runs.size())};
}

measured shared_ngrams(measure_input const& in) {
    ngrams numbers(std::size_t(in.option(0).number));
    std::string_view const other = in.option(1).text.empty() ? in.prompt : std::string_view(in.option(1).text);
    text_pass others;
    scan(other, in.sentences, others);
    std::vector<std::uint64_t> const theirs = numbers.of(lower_words(forms_of(others)));
    std::unordered_set<std::uint64_t> const known(theirs.begin(), theirs.end());
    std::vector<std::uint64_t> const runs = numbers.of(lower_words(in.forms));
    return {std::count_if(runs.begin(), runs.end(), [&](std::uint64_t run) { return known.contains(run); }),
            std::int64_t(runs.size())};
}

measured repeats_prompt(measure_input const& in) {
    std::string const prompt = lowered(trimmed(in.prompt));
    return {!prompt.empty() && lowered(trimmed(in.raw())).starts_with(prompt), 0};
}

}  // namespace word_rules

std::span<measure const> word_measures() {
    using namespace word_rules;
    static constexpr measure_option one_word{"word", argument_kind::text, true};
    static constexpr measure_option texts{"texts", argument_kind::texts, true};
    static constexpr measure_option boundary{"boundary", argument_kind::text, false, 0, "word", "word none"};
    static constexpr measure_option fold{"fold", argument_kind::text, false, 0, "python", "python lower none"};
    static constexpr measure all[] = {
        {"contains",
         "words",
         false,
         {texts, boundary, fold},
         contained,
         "texts that stand in it; any and all say the bound, too",
         "the texts asked for"},
        {"count_of",
         "words",
         false,
         {texts, boundary, fold},
         count_all,
         "how often the texts stand in it, all together",
         "words"},
        {"first_word", "words", true, {one_word}, first_word, "the first word, case aside", nullptr},
        {"last_word", "words", true, {one_word}, last_word, "the last word, case aside", nullptr},
        {"nth_word",
         "words",
         true,
         {one_word, {"n", argument_kind::integer, true}},
         nth_word,
         "the n-th word, case aside",
         nullptr},
        {"starts_with",
         "words",
         true,
         {texts},
         starts_with,
         "begins with one of the texts, stripped and case aside",
         nullptr},
        {"ends_with",
         "words",
         true,
         {texts},
         ends_with,
         "ends with one of the texts, stripped and case aside",
         nullptr},
        {"order_of",
         "words",
         false,
         {texts},
         in_order,
         "texts that stand one behind the other, from the first of the list on, case aside",
         "the texts asked for"},
        {"max_repeat", "words", false, {}, max_repeat, "how often the most frequent word stands, case aside", "words"},
        {"repeated_ngrams",
         "words",
         false,
         {{"n", argument_kind::integer, false, 4}},
         repeated_ngrams,
         "runs of n words that stood before, case aside",
         "runs of n words"},
        {"shared_ngrams",
         "words",
         false,
         {{"n", argument_kind::integer, false, 4}, {"other", argument_kind::text}},
         shared_ngrams,
         "runs of n words that the other text (the prompt) holds, case aside",
         "runs of n words"},
        {"repeats_prompt",
         "words",
         true,
         {},
         repeats_prompt,
         "begins with the prompt, stripped and case aside",
         nullptr},
        {"tone",
         "tone",
         false,
         {{"list", argument_kind::texts, true}, {"name", argument_kind::text}, boundary, fold},
         count_all,
         "how often markers of a named list that travels with the rubric stand in it",
         "words"},
    };
    return all;
}

}  // namespace optgap::rubrics
