#pragma once
// Ways to split a text that several types share.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace optgap::rubrics {

/// Splits at ***, including one white space at each side: \s?\*\*\*\s?.
std::vector<std::string_view> split_at_stars(std::string_view text);
/// Counts the parts. An empty first or last part does not count; one in between gives −1. `full`: each must have two
/// pieces, else −1.
std::int64_t counted_parts(std::vector<std::string_view> const& parts, bool full);
inline std::int64_t star_paragraphs(std::string_view text, bool full) {
    return counted_parts(split_at_stars(text), full);
}

/// Counts bullets: lines ^\s*\*[^\*].*$ (marker *) or ^\s*-.*$ (marker -), where \s* and the character after * may
/// cross lines.
std::int64_t count_bullets(std::string_view text, char marker);
/// Counts parts \*[^\n\*]*\* that are not blank; with `twice`, parts between two asterisks at each side.
std::int64_t count_highlights(std::string_view text, bool twice);
/// Counts parts \[.*?\] within one line.
std::int64_t count_brackets(std::string_view text);
/// Whether some <<...>> within a line is not blank inside.
bool has_angle_title(std::string_view text);

/// Rows of CSV as Python's csv.reader returns them; empty where it throws.
struct csv_rows {
    bool valid = false;
    std::vector<std::vector<std::string>> rows;
};
csv_rows read_csv(std::string_view text, char delimiter);

}  // namespace optgap::rubrics
