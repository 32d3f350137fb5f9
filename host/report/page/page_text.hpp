#pragma once
// Turns any bytes into text that a page may hold.

#include <string>
#include <string_view>
#include <vector>

namespace optgap {

/// JSON text that a strict reader accepts: bytes that are no UTF-8 and halves of surrogate pairs become U+FFFD.
std::string sound_json(std::string_view text);

/// UTF-8 text with U+FFFD for control characters (but tab and newline) and for characters that XML forbids.
std::string clean_text(std::string_view text);

/// The name of a heading in links: a-z, 0-9, _ and -.
std::string link_name(std::string_view heading);

/// Pieces that are plain and code in turn, the first plain; code stands between two backticks.
std::vector<std::string_view> plain_and_code(std::string_view text);
/// The texts between empty lines.
std::vector<std::string_view> paragraphs(std::string_view text);

}  // namespace optgap
