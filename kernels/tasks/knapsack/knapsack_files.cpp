// Knapsack files as Pisinger's generators and Jooken, Leyman and De Causmaecker (2022) write them.

#include <string_view>
#include <vector>

#include "kernels/text/file_words.hpp"

namespace optgap::text::knapsack {

/// n, then for each item its number, value and weight, then the capacity.
std::vector<std::int32_t> read_items(std::string_view text) {
    file_words in(text);
    std::int64_t const n = in.next_integer("n", 1, INT32_MAX);
    std::vector<std::int32_t> values;
    std::vector<std::int32_t> words{std::int32_t(n), 0};
    for (std::int64_t i = 0; i < n; ++i) {
        in.next_integer("an item's number");
        values.push_back(std::int32_t(in.next_integer("a value", 0, INT32_MAX)));
        words.push_back(std::int32_t(in.next_integer("a weight", 0, INT32_MAX)));
    }
    words[1] = std::int32_t(in.next_integer("the capacity", 0, INT32_MAX));
    if (!in.at_end()) {
        in.fail("the file must end with the capacity");
    }
    words.insert(words.end(), values.begin(), values.end());
    return words;
}

}  // namespace optgap::text::knapsack
