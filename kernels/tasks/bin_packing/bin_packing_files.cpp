// Bins in the format of BPPLIB (Delorme, Iori & Martello 2018): the number of sizes, the capacity, and the sizes. In
// its cutting-stock files each size is followed by its count.

#include <string_view>
#include <vector>

#include "kernels/tasks/bin_packing/bin_packing.hpp"
#include "kernels/text/file_words.hpp"

namespace optgap::text::bin_packing {

using optgap::tasks::bin_packing::bins_layout;

std::vector<std::int32_t> read_bins(std::string_view text) {
    file_lines lines(text);
    if (!lines.next()) {
        lines.fail("the file is empty; expected the number of sizes");
    }
    constexpr std::int64_t max_items = bins_layout[1].high.plus;
    file_words head = lines.words();
    std::int64_t const n = head.next_integer("the number of sizes", 1, max_items);
    if (head.at_end()) {
        if (!lines.next()) {
            lines.fail("the file ended; expected the capacity");
        }
        head = lines.words();
    }
    std::int64_t const capacity = head.next_integer("the capacity", 1, bins_layout[0].high.plus);
    if (!head.at_end()) {
        lines.fail("the line of the capacity goes on behind it");
    }
    std::vector<std::int32_t> sizes;
    std::vector<std::int64_t> all;
    std::int64_t of_pairs = 0;
    std::int64_t count = 0;
    for (; lines.next(); ++count) {
        std::vector<std::int64_t> const row = lines.integers("a size", 1, INT32_MAX);
        if (row[0] > capacity) {
            lines.fail("a size must be at most the capacity, " + std::to_string(capacity));
        }
        of_pairs += row.size() == 2 ? 1 : 0;
        all.insert(all.end(), row.begin(), row.end());
        if (std::int64_t(all.size()) > 2 * max_items) {
            lines.fail("there are more sizes than the " + std::to_string(n) + " that the head says");
        }
    }
    bool const demands = count == n && of_pairs == n;
    for (std::size_t i = 0; i < all.size(); i += demands ? 2 : 1) {
        std::int64_t const often = demands ? all[i + 1] : 1;
        if (all[i] > capacity || often > max_items - std::int64_t(sizes.size())) {
            lines.fail("each size must be at most the capacity, " + std::to_string(capacity) +
                       ", and there may be at most " + std::to_string(max_items) + " items");
        }
        sizes.insert(sizes.end(), std::size_t(often), std::int32_t(all[i]));
    }
    if (!demands && std::int64_t(all.size()) != n) {
        lines.fail("the head says " + std::to_string(n) + " sizes, but there are " + std::to_string(all.size()));
    }
    std::vector<std::int32_t> words{std::int32_t(capacity), std::int32_t(sizes.size())};
    words.insert(words.end(), sizes.begin(), sizes.end());
    return words;
}

}  // namespace optgap::text::bin_packing
