#pragma once
// Cuts that several types share.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace optgap::chain {

/// Parts between ***, to which a white space at each side belongs: \s?\*\*\*\s?.
std::vector<std::string_view> split_at_stars(std::string_view text);
/// How many parts there are; an empty first or last one does not count, and one between gives −1. `full`: each must
/// have two pieces, else −1.
std::int64_t counted_parts(std::vector<std::string_view> const& parts, bool full);
inline std::int64_t star_paragraphs(std::string_view text, bool full) {
    return counted_parts(split_at_stars(text), full);
}

/// Bullets: lines ^\s*\*[^\*].*$ (marker *) or ^\s*-.*$ (marker -), where \s* and the character behind * may cross
/// lines.
std::int64_t count_bullets(std::string_view text, char marker);
/// Parts \*[^\n\*]*\* that are not blank, and likewise with two asterisks at each side.
std::int64_t count_highlights(std::string_view text, bool twice);
/// Parts \[.*?\] in one line.
std::int64_t count_brackets(std::string_view text);
/// Whether some <<...>> of a line is not blank inside.
bool has_angle_title(std::string_view text);

/// Rows of CSV as Python's csv.reader gives them; nothing where it throws.
struct csv_rows {
    bool valid = false;
    std::vector<std::vector<std::string>> rows;
};
csv_rows read_csv(std::string_view text, char delimiter);

}  // namespace optgap::chain
