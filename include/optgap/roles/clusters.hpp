#pragma once  // Experimental.
// R-Zero's clusters: which questions of a batch repeat each other, by BLEU and average linkage. Whole numbers in units
// of 2^-20, so that every machine finds the same clusters.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "optgap/roles/proposer.hpp"

namespace optgap {

inline constexpr std::size_t max_clustered_texts = 4096;

/// Sentence BLEU-4 of a text against one reference, in units: words are separated by ASCII white space; a count of no
/// match of two words or more is a tenth (NLTK's smoothing method1); 0 where no word matches.
[[nodiscard]] std::int64_t bleu_units(std::string_view text, std::string_view reference);

/// The cluster of each text, numbered in the order of their first texts. The distance of two texts is 1 less the BLEU
/// of the earlier one against the later one; the two clusters with the least mean distance between their texts are
/// joined while it is below `threshold`, of equal ones those that begin first. Memory is quadratic in the texts: throws
/// error{invalid_argument} for more than max_clustered_texts, or for a threshold that is not 0 to 2^20.
[[nodiscard]] std::vector<std::int32_t> bleu_clusters(std::span<std::string_view const> texts,
                                                      std::int64_t threshold = role_unit / 2);

}  // namespace optgap
