#pragma once

#include <string>
#include <string_view>

#include "host/rubric/rubric_data.hpp"

namespace optgap::rubrics {

/// Finds the part of a completion that counts as its answer. Under text_part::all it is everything; else the answer
/// part of `format`, or without a format what follows the last closing tag of reasoning. Returns false where there is
/// none: reasoning that never closes, a format without its answer. The view borrows `text`.
bool answer_text(std::string_view text, text_part part, std::string_view format, std::string_view& out);

/// Replaces fenced code, HTML comments and link targets by a line break each. Returns `text` itself where it has none,
/// else a view of `out`. A part that never closes extends to the end.
std::string_view outside_fences(std::string_view text, std::string& out);

}  // namespace optgap::rubrics
