#pragma once

#include <string_view>

namespace optgap::cli {

/// tools/demo/NAME.jsonl, which the program carries: rubrics, or or labels/rlvrr and its like.
std::string_view rubric_samples(std::string_view name);

}  // namespace optgap::cli
