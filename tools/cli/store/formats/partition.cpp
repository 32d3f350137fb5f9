// A partition of KaHIP's (and METIS'): line v is the block of vertex v.

#include <fmt/format.h>

#include "tools/cli/shell/decimal.hpp"
#include "tools/cli/store/formats/answer_file.hpp"

namespace optgap::cli {

told_answer read_partition(std::string_view text, answer_frame const& frame) {
    if (frame.shape != answer_shape::halves) {
        refuse_shape(frame, "a partition", "bisection");
    }
    std::vector<std::vector<std::int32_t>> halves(2);
    std::int64_t vertex = 0;
    text_lines lines(text);
    for (std::string_view line; lines.next(line);) {
        std::string_view const word = trimmed(line);
        std::int64_t block = 0;
        if (vertex == frame.things && word.empty()) {
            continue;
        }
        if (vertex == frame.things) {
            throw answer_fault(lines.number(), fmt::format("'{}' behind the blocks of {} vertices: expected nothing",
                                                           shown(word), frame.things));
        }
        if (!is_decimal(word, block) || block < 0 || block > 1) {
            throw answer_fault(lines.number(),
                               fmt::format("'{}': expected the block of vertex {}, 0 or 1", shown(word), vertex));
        }
        halves[std::size_t(block)].push_back(std::int32_t(vertex++));
    }
    if (vertex < frame.things) {
        throw answer_fault(
            lines.number(),
            fmt::format("the file ends after {} of {} vertices: expected a line for each", vertex, frame.things));
    }
    return {block_of_lists(halves), {}};
}

}  // namespace optgap::cli
