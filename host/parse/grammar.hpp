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
                        spelling_rule spelling, std::span<std::string const> ends);

}  // namespace optgap::text
