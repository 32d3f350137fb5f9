#pragma once
// Finds the program in a completion.

#include <string>
#include <string_view>

#include "host/programs/sandbox.hpp"
#include "optgap/format.hpp"

namespace optgap::programs {

struct found_program {
    /// The first violated rule: code_format_missing_reasoning, code_truncated, code_program_missing,
    /// code_program_language, code_format_repeated (reasoning tags), code_program_repeated, code_program_trailing,
    /// code_program_too_long; else code_ok.
    std::int32_t code = code_ok;
    std::string source;  ///< the last block in the language, LF at line ends, without blanks at the end
    text_span span;      ///< its place in the completion; empty when there is none
};

/// Finds the last complete fenced block with a tag of the language, outside of the reasoning part (defined by
/// find_reasoning). `format` must be a fenced one. A text that ends inside a fence has no program, whatever stands
/// before; where it was cut off there, the code is code_truncated. A block of white space alone does not count. Blocks
/// in other languages, or without a tag, are prose before the program, and trailing text after it. Takes one pass and
/// accepts any bytes.
found_program extract_program(std::string_view completion, format_spec const& format, program_language language,
                              finish finished, std::int64_t max_bytes);

/// Whether a fence's info string has a tag of the language. python: python, python3, py; cpp: cpp, c++, cc, cxx; in any
/// case, up to the first blank.
[[nodiscard]] bool has_tag(std::string_view info, program_language language);

/// XXH3-128 of a source, 32 hex digits. Rows report it, and it identifies equal programs.
[[nodiscard]] std::string source_hash(std::string_view source);

}  // namespace optgap::programs
