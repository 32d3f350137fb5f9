#pragma once
// Fenced blocks of a completion.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "optgap/format.hpp"

namespace optgap::text {

/// A block between two fences. A fence is a line that begins, behind at most three spaces, with three or more ` or ~.
/// The opening one may go on with an info string, which holds no ` where the fence is of `; the closing one is of the
/// same sign, at least as long, and followed by nothing but white space and end-of-turn strings.
struct fenced_block {
    std::string_view info;    ///< behind the opening fence, without blanks at its ends: "python"
    text_span content;        ///< whole lines
    std::size_t behind = 0;   ///< first byte behind the closing fence's signs
    std::int32_t indent = 0;  ///< spaces before the opening fence, which content lines lose
};

/// Blocks one after another, in one pass over the text.
class fence_reader {
public:
    fence_reader(std::string_view text, std::size_t from, std::span<std::string const> ends)
        : text_(text), at_(from), ends_(ends) {}

    /// The next complete block; false at the end.
    bool next(fenced_block& block);
    /// After the last block: does the text end inside of one? `info` is then its.
    [[nodiscard]] bool open() const { return open_; }
    [[nodiscard]] std::string_view open_info() const { return open_info_; }

private:
    struct fence {
        char sign = 0;  ///< 0: the line is none
        std::size_t length = 0, indent = 0;
        std::string_view rest;
    };
    [[nodiscard]] fence fence_of(std::string_view line) const;
    std::string_view next_line();

    std::string_view text_;
    std::size_t at_;
    std::span<std::string const> ends_;
    bool open_ = false;
    std::string_view open_info_;
};

/// What is known of the reasoning part alone, for formats whose answers stand elsewhere than between tags.
struct found_reasoning {
    std::int32_t format_code = code_ok;  ///< code_format_missing_reasoning or code_format_repeated
    bool open = false;                   ///< the text ends inside of it: nothing is an answer
    std::size_t behind = 0;              ///< first byte behind it
};
found_reasoning find_reasoning(std::string_view text, format_spec const& format);

/// Nothing but white space and end-of-turn strings.
bool nothing_follows(std::string_view rest, std::span<std::string const> ends);

}  // namespace optgap::text
