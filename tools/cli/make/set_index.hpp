#pragma once
// What a benchmark set says of itself beside its card: index.json, and what is printed.

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "tools/cli/make/card.hpp"

namespace optgap::cli {

/// The file that holds a task's rows.
std::string rows_file(card const& made, card_task const& task);

/// index.json; `files` lists what was written.
nlohmann::ordered_json set_index(card const& made, nlohmann::ordered_json const& files);

/// The overview, which baselines have no proof, and what of a suite is not written.
std::string set_text(card const& made);

}  // namespace optgap::cli
