#pragma once

#include <string_view>

namespace optgap {

/// CSS of a page beside `svg_style_sheet` and `chart_style_sheet`.
extern std::string_view const page_style_sheet;

/// What a page's script does is comfort: tables sort by a click and filter by a word, marks tell their values. It is
/// XML text without a mark that XML would escape.
extern std::string_view const page_script;

/// Nothing is loaded, and this script alone runs: the policy of a page, with the script's SHA-256.
extern std::string_view const page_policy;

}  // namespace optgap
