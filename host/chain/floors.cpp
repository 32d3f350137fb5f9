// The scores of constant policies and hostile texts under a rubric.

#include <algorithm>
#include <map>

#include "host/chain/compiled.hpp"
#include "host/chain/content/visible.hpp"

namespace optgap::chain {
namespace {

std::string keyword_list(reward_chain const& chain) {
    std::string out;
    for (std::size_t p = 0; p < chain.points(); ++p) {
        for (std::string const& keyword :
             chain.references_of(p) == 0 ? std::vector<std::string>() : chain.keywords(p, 0)) {
            out += (out.empty() ? "" : " ") + keyword;
        }
    }
    return out;
}

/// Only the reference's matched words, in their order.
std::string telegraphic(reward_chain const& chain, std::string const& reference) {
    matched_text const found = chain.explain({.text = reference});
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

std::vector<std::pair<std::string, double>> floors_of(reward_chain const& chain, std::string_view prompt,
                                                      std::string_view other, code_judge* codes) {
    std::vector<std::pair<std::string, double>> out;
    std::string_view const asked = prompt.empty() ? std::string_view(chain.prompt()) : prompt;
    auto const add = [&](char const* name, std::string_view text) {
        out.emplace_back(name, chain.score({.text = text, .prompt = asked, .codes = codes}).total);
    };
    add("empty", "");
    add("one_word", "Pst");
    if (!asked.empty()) {
        add("prompt_echo", asked);
    }
    if (chain.points() > 0) {
        add("keyword_list", keyword_list(chain));
    }
    if (!chain.references().empty()) {
        std::string const& reference = chain.references()[0];
        if (chain.points() > 0) {
            add("telegraphic", telegraphic(chain, reference));
        }
        add("shuffled", shuffled(reference, chain.inner().data.rules.sentences));
    }
    if (!other.empty()) {
        add("other_reference", other);
    }
    if (!chain.references().empty()) {
        add("reference", chain.references()[0]);
    }
    return out;
}

}  // namespace optgap::chain
