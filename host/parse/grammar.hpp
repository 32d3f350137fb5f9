#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/format.hpp"

namespace optgap::text {

/// `parse_answer` with the end-of-turn strings of a format.
parsed_text read_answer(std::string_view text, answer_syntax const& syntax, std::vector<std::int32_t>& words,
                        tail_rule tail, std::span<std::string const> ends);

/// An answer written as prose and LaTeX do, as the grammar writes it (the rules stand at `parse_answer`). Linear.
std::string plain_list(std::string_view text);

}  // namespace optgap::text
