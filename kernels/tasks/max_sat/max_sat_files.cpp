// Weighted clauses in the formats of the MaxSAT evaluations, before and since 2022, and plain clauses, each of weight
// 1.

#include "kernels/families/labels/clauses_files.hpp"

namespace optgap::text::max_sat {

std::vector<std::int32_t> read_clauses(std::string_view text) {
    families::clause_file const file = families::clause_reader(text, true).read();
    std::vector<std::int32_t> words = file.words();
    if (file.weights.empty()) {
        words.resize(words.size() + file.clauses.size(), 1);
        return words;
    }
    words.insert(words.end(), file.weights.begin(), file.weights.end());
    auto const hard = std::size_t(std::count(file.hard.begin(), file.hard.end(), 1));
    if (hard == file.hard.size()) {
        throw field_error("the file",
                          "has hard clauses alone, which is a problem of the task sat; expected one of a weight");
    }
    if (hard > 0) {
        words.insert(words.end(), file.hard.begin(), file.hard.end());
    }
    return words;
}

}  // namespace optgap::text::max_sat
