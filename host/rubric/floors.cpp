// The scores of constant policies and hostile texts under a rubric.

#include <algorithm>
#include <map>

#include "host/rubric/compiled.hpp"
#include "host/rubric/content/visible.hpp"

namespace optgap::rubrics {
namespace {

std::string keyword_list(text_rubric const& rubric) {
    std::string out;
    for (std::size_t p = 0; p < rubric.points(); ++p) {
        for (std::string const& keyword :
             rubric.references_of(p) == 0 ? std::vector<std::string>() : rubric.keywords(p, 0)) {
            out += (out.empty() ? "" : " ") + keyword;
        }
    }
    return out;
}

/// Only the reference's matched words, in their order.
std::string telegraphic(text_rubric const& rubric, std::string const& reference) {
    matched_text const found = rubric.explain({.text = reference});
    std::map<std::uint32_t, std::uint32_t> spans;  // by their beginnings, the longest of each
    for (match_found const& match : found.matches) {
        std::uint32_t& end = spans[match.begin];
        end = std::max(end, match.end);
    }
    std::string out;
    std::uint32_t behind = 0;
    for (auto const& [begin, end] : spans) {
        if (end > behind && begin < end) {
            out += (out.empty() ? "" : " ") + found.text.substr(std::max(begin, behind), end - std::max(begin, behind));
            behind = end;
        }
    }
    return out;
}

std::string shuffled(std::string const& text, sentence_rule rule) {
    std::vector<place> sentences;
    split_sentences(text, rule, sentences);
    std::uint64_t state = 1;
    for (std::size_t i = sentences.size(); i > 1; --i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        std::swap(sentences[i - 1], sentences[std::size_t((state >> 33) % i)]);
    }
    std::string out;
    for (place const& one : sentences) {
        out += (out.empty() ? "" : " ") + text.substr(one.begin, one.size());
    }
    return out;
}

}  // namespace

std::vector<std::pair<std::string, double>> floors_of(text_rubric const& rubric, std::string_view prompt,
                                                      std::string_view other, code_judge* codes) {
    std::vector<std::pair<std::string, double>> out;
    std::string_view const asked = prompt.empty() ? std::string_view(rubric.prompt()) : prompt;
    auto const add = [&](char const* name, std::string_view text) {
        out.emplace_back(name, rubric.score({.text = text, .prompt = asked, .codes = codes}).total);
    };
    add("empty", "");
    add("one_word", "Pst");
    if (!asked.empty()) {
        add("prompt_echo", asked);
    }
    if (rubric.points() > 0) {
        add("keyword_list", keyword_list(rubric));
    }
    if (!rubric.references().empty()) {
        std::string const& reference = rubric.references()[0];
        if (rubric.points() > 0) {
            add("telegraphic", telegraphic(rubric, reference));
        }
        add("shuffled", shuffled(reference, rubric.inner().data.rules.sentences));
    }
    if (!other.empty()) {
        add("other_reference", other);
    }
    if (!rubric.references().empty()) {
        add("reference", rubric.references()[0]);
    }
    return out;
}

}  // namespace optgap::rubrics
