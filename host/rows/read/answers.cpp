#include "host/rows/read/answers.hpp"

#include <cctype>

#include <fmt/format.h>

#include "kernels/core/words.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::rows {

std::string answer_json(std::span<std::int32_t const> block, task_info const& info) {
    if (block.empty()) {
        return "null";
    }
    std::int32_t const shape = block[0];
    if (shape == answer_word) {
        std::string word(info.words[std::size_t(block[1])]);
        word[0] = char(std::toupper(static_cast<unsigned char>(word[0])));
        return fmt::format("\"{}\"", word);
    }
    if (shape == answer_flat) {
        return fmt::format("[{}]", fmt::join(block.subspan(1), ","));
    }
    std::string out = "[";
    std::size_t next = 1 + std::size_t(shape);
    for (std::size_t r = 0; r < std::size_t(shape); ++r) {
        auto const length = std::size_t(block[1 + r]);
        out += fmt::format("{}[{}]", r == 0 ? "" : ",", fmt::join(block.subspan(next, length), ","));
        next += length;
    }
    return out + "]";
}

parsed_text read_answer(row_item& item, task_text const& text, std::vector<std::int32_t>& words) {
    std::string_view const* const value = item.row.find("answer");
    if (value == nullptr) {
        item.reject("answer", "missing: text or a nested list of integers");
        return {};
    }
    if (!is_json_string(*value)) {
        return parse_answer(*value, syntax_of(text), words);
    }
    return parse_answer(decode_json_string(*value), syntax_of(text), words);
}

}  // namespace optgap::rows
