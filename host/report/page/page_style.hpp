#pragma once

#include <string_view>

namespace optgap {

/// The CSS of a page, in addition to `svg_style_sheet` and `chart_style_sheet`.
extern std::string_view const page_style_sheet;

/// A page's script is optional for readers: it sorts tables by a click, filters them by a word, and shows the values of
/// marks. It has no character that XML would escape.
extern std::string_view const page_script;

/// The content security policy of a page, with the script's SHA-256: nothing is loaded, and only this script runs.
extern std::string_view const page_policy;

}  // namespace optgap
