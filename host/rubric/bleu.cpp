// The baseline in the paper's Table 1: sentence BLEU-4 on folded words. Counts of two words and more are smoothed by
// one (Lin and Och 2004), and the brevity penalty uses the closest reference length.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "host/rubric/compiled.hpp"

namespace optgap::rubrics {
namespace {

using counts = std::map<std::vector<std::uint64_t>, std::int64_t>;

counts grams(std::vector<std::uint64_t> const& words, std::size_t width) {
    counts out;
    for (std::size_t i = 0; i + width <= words.size(); ++i) {
        ++out[{words.begin() + std::ptrdiff_t(i), words.begin() + std::ptrdiff_t(i + width)}];
    }
    return out;
}

std::vector<std::uint64_t> words_of(std::string_view text) {
    ready_text ready;
    make_ready(text, {.typography = false, .strip = false}, ready);
    std::vector<std::uint64_t> out;
    hash_words(ready, out);
    return out;
}

}  // namespace

double bleu(std::string_view text, std::vector<std::string> const& references) {
    std::vector<std::uint64_t> const mine = words_of(text);
    if (mine.empty()) {
        return 0;
    }
    std::vector<std::vector<std::uint64_t>> theirs;
    for (std::string const& reference : references) {
        theirs.push_back(words_of(reference));
    }
    double product = 1;
    for (std::size_t width = 1; width <= 4; ++width) {
        std::int64_t matched = 0, all = 0;
        std::vector<counts> known;
        for (std::vector<std::uint64_t> const& reference : theirs) {
            known.push_back(grams(reference, width));
        }
        for (auto const& [gram, times] : grams(mine, width)) {
            std::int64_t most = 0;
            for (counts const& of : known) {
                auto const found = of.find(gram);
                most = std::max(most, found == of.end() ? 0 : found->second);
            }
            matched += std::min(times, most);
            all += times;
        }
        std::int64_t const more = width > 1 ? 1 : 0;
        if (matched + more == 0) {
            return 0;
        }
        product *= double(matched + more) / double(all + more);
    }
    std::int64_t const length = std::int64_t(mine.size());
    std::int64_t closest = -1;
    for (std::vector<std::uint64_t> const& reference : theirs) {
        auto const own = std::int64_t(reference.size());
        std::int64_t const nearer = std::llabs(own - length) - std::llabs(closest - length);
        closest = closest < 0 || nearer < 0 || (nearer == 0 && own < closest) ? own : closest;
    }
    double const brevity = length >= closest ? 1.0 : std::exp(1.0 - double(closest) / double(length));
    return brevity * std::sqrt(std::sqrt(product));
}

}  // namespace optgap::rubrics
