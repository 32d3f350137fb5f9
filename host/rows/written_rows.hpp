#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/rows/scorer.hpp"

namespace optgap::rows {

/// Each row of a run as `optgap score` writes it, without the line's end: with its columns, or with `error`.
std::vector<std::string> written_rows(scorer const& by, std::span<row_item const> items, graded_run const& run);

}  // namespace optgap::rows
