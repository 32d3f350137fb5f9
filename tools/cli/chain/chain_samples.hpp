#pragma once

#include <string_view>

namespace optgap::cli {

/// tools/demo/chains.jsonl, which the program carries.
std::string_view chain_samples();

}  // namespace optgap::cli
