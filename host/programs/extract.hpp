#pragma once
// The program in a completion.

#include <string>
#include <string_view>

#include "host/programs/sandbox.hpp"
#include "optgap/format.hpp"

namespace optgap::programs {

struct found_program {
    /// The first rule that is broken: code_format_missing_reasoning, code_truncated, code_program_missing,
    /// code_program_language, code_format_repeated (reasoning tags), code_program_repeated, code_program_trailing,
    /// code_program_too_long; else code_ok.
    std::int32_t code = code_ok;
    std::string source;  ///< of the last block in the language, LF at line ends, without blanks at the end
    text_span span;      ///< where it stands in the completion; empty when there is none
};

/// The last complete fenced block with a tag of the language, outside of the reasoning part (find_reasoning says what
/// that is). `format` is a fenced one. A text that ends inside of a fence holds no program, whatever stands before;
/// where it was cut off there, the code is code_truncated. A block of white space alone is none. Blocks in other
/// languages, or without a tag, are prose before the program, and something that follows behind it. One pass; any
/// bytes.
found_program extract_program(std::string_view completion, format_spec const& format, program_language language,
                              finish finished, std::int64_t most_bytes);

/// Has the info string of a fence a tag of the language? python: python, python3, py; cpp: cpp, c++, cc, cxx; in any
/// case, up to the first blank.
[[nodiscard]] bool has_tag(std::string_view info, program_language language);

/// XXH3-128 of a source, 32 hex digits: what rows say of a program, and by which equal ones are known.
[[nodiscard]] std::string source_hash(std::string_view source);

}  // namespace optgap::programs
