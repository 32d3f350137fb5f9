// Certificates for optima of common_subsequence (docs/certificates.md; the checker's side:
// tools/certificates/tasks/common_subsequence.py).

#include <algorithm>

#include "kernels/text/certificate.hpp"

namespace common_subsequence_certificate {

using optgap::number_rows;
using optgap::numbers;

/// [i][j]: the longest common subsequence of the rest of both words from there on.
number_rows common_rest(numbers const& one, numbers const& other) {
    number_rows longest(one.size() + 1, numbers(other.size() + 1));
    for (std::size_t i = one.size(); i-- > 0;) {
        for (std::size_t j = other.size(); j-- > 0;) {
            longest[i][j] =
                one[i] == other[j] ? longest[i + 1][j + 1] + 1 : std::max(longest[i + 1][j], longest[i][j + 1]);
        }
    }
    return longest;
}

struct pair_of_words {
    std::size_t one, other;
    number_rows rest;
};

/// A case: the number of letters, and how far each word has been read.
std::int64_t cases(optgap::instance_fields const& instance, optgap::certificate_form::goal objective,
                   std::int64_t most) {
    number_rows const words = instance.rows("words");
    std::vector<pair_of_words> pairs;
    for (std::size_t i = 0; i < words.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            pairs.push_back({i, j, common_rest(words[i], words[j])});
        }
    }
    auto const comes_before = [&](numbers const& sooner, numbers const& after) {
        bool before = true;
        for (std::size_t i = 1; i <= words.size(); ++i) {
            before = before && sooner[i] < after[i];
        }
        return before;
    };
    auto const step = [&](numbers const& one, number_rows& next) {
        if (one[0] > *objective) {
            return false;
        }
        number_rows reached;
        for (std::int64_t letter = 1; letter <= instance.number("letters"); ++letter) {
            numbers after{one[0] + 1};
            for (std::size_t i = 0; i < words.size(); ++i) {
                auto const at = std::find(words[i].begin() + one[i + 1], words[i].end(), letter);
                if (at == words[i].end()) {
                    break;
                }
                after.push_back(at - words[i].begin() + 1);
            }
            if (after.size() == one.size()) {
                reached.push_back(std::move(after));
            }
        }
        for (numbers const& after : reached) {
            bool kept = std::none_of(reached.begin(), reached.end(),
                                     [&](numbers const& sooner) { return comes_before(sooner, after); });
            for (pair_of_words const& of : pairs) {
                kept = kept && after[0] + of.rest[std::size_t(after[1 + of.one])][std::size_t(after[1 + of.other])] >
                                   *objective;
            }
            if (kept) {
                next.push_back(after);
            }
        }
        return true;
    };
    return objective ? optgap::walked(numbers(words.size() + 1), step, most) : most + 1;
}

}  // namespace common_subsequence_certificate

extern optgap::certificate_form const optgap_certificate_common_subsequence;
optgap::certificate_form const optgap_certificate_common_subsequence{.cases = common_subsequence_certificate::cases};
