#pragma once

#include <string>
#include <string_view>

#include "host/chain/chain_data.hpp"

namespace optgap::chain {

/// What of a completion counts as its answer: all of it under text_part::all; else the answer part of `format`, or
/// without a format what stands behind the last closing tag of reasoning. False where there is none: reasoning that
/// never closes, a format without its answer. The view borrows `text`.
bool answer_text(std::string_view text, text_part part, std::string_view format, std::string_view& out);

/// The same without fenced code, HTML comments and link targets, each of them a line break: `text` itself where it has
/// none, else in `out`. What never closes goes to the end.
std::string_view outside_fences(std::string_view text, std::string& out);

}  // namespace optgap::chain
