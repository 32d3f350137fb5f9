// Matrices in the format of LOLIB (Reinelt, Marti & Duarte): optionally a line with a name, n, and n rows of n numbers.

#include <string_view>
#include <vector>

#include "kernels/tasks/linear_ordering/linear_ordering.hpp"
#include "kernels/text/file_words.hpp"

namespace optgap::text::linear_ordering {

using optgap::tasks::linear_ordering::matrix_layout;

std::vector<std::int32_t> read_matrix(std::string_view text) {
    file_lines lines(text);
    auto const is_count = [&] { return lines.line().find_first_not_of("0123456789") == std::string_view::npos; };
    if (!lines.next() || (!is_count() && !lines.next())) {
        lines.fail("the file ended; expected n, the number of items");
    }
    std::int64_t const n = lines.integers("n, the number of items,", 2, matrix_layout[0].high.plus, 1)[0];
    std::vector<std::int32_t> words{std::int32_t(n)};
    words.reserve(std::size_t(1 + n * n));
    while (lines.next()) {
        for (std::int64_t const entry : lines.integers("an entry", 0, matrix_layout[1].high.plus)) {
            if (std::int64_t(words.size()) > n * n) {
                lines.fail("there are more than n * n = " + std::to_string(n * n) + " entries");
            }
            words.push_back(std::int32_t(entry));
        }
    }
    if (std::int64_t(words.size()) != 1 + n * n) {
        lines.fail("the file ended after " + std::to_string(words.size() - 1) + " of n * n = " + std::to_string(n * n) +
                   " entries");
    }
    return words;
}

}  // namespace optgap::text::linear_ordering
