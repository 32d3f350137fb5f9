#pragma once
// Fenced blocks of a completion.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "optgap/format.hpp"

namespace optgap::text {

/// A block between two fences. A fence is a line that begins, after at most three spaces, with three or more ` or ~.
/// The opening fence may continue with an info string, which contains no ` where the fence consists of `. The closing
/// fence uses the same sign, is at least as long, and is followed only by white space and end-of-turn strings.
struct fenced_block {
    std::string_view info;    ///< after the opening fence, without blanks at its ends: "python"
    text_span content;        ///< whole lines
    std::size_t behind = 0;   ///< first byte after the closing fence's signs
    std::int32_t indent = 0;  ///< spaces before the opening fence, which are removed from content lines
};

/// Reads blocks one after another, in one pass over the text.
class fence_reader {
public:
    fence_reader(std::string_view text, std::size_t from, std::span<std::string const> ends)
        : text_(text), at_(from), ends_(ends) {}

    /// Reads the next complete block; returns false at the end.
    bool next(fenced_block& block);
    /// After the last block: whether the text ends inside a block. `info` is then that block's.
    [[nodiscard]] bool open() const { return open_; }
    [[nodiscard]] std::string_view open_info() const { return open_info_; }

private:
    struct fence {
        char sign = 0;  ///< 0: the line is not a fence
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

/// The reasoning part alone, for formats whose answers do not stand between tags.
struct found_reasoning {
    std::int32_t format_code = code_ok;  ///< code_format_missing_reasoning or code_format_repeated
    bool open = false;                   ///< the text ends inside of it, so there is no answer
    std::size_t behind = 0;              ///< first byte after it
};
found_reasoning find_reasoning(std::string_view text, format_spec const& format);

/// Whether only white space and end-of-turn strings follow.
bool nothing_follows(std::string_view rest, std::span<std::string const> ends);

}  // namespace optgap::text
