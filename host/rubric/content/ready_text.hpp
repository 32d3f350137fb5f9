#pragma once
// A text prepared for matching: folded bytes, and bitmaps that classify them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/rubric/rubric_data.hpp"
#include "kernels/rubric/keywords.hpp"

namespace optgap::rubrics {

/// A bit per byte.
class byte_bits {
public:
    void assign(std::size_t bytes) { blocks_.assign(bytes / 64 + 2, 0); }
    void set(std::size_t at) { blocks_[at / 64] |= std::uint64_t(1) << (at % 64); }
    void clear(std::size_t from, std::size_t bytes) {
        for (std::size_t at = from; at < from + bytes; ++at) {
            blocks_[at / 64] &= ~(std::uint64_t(1) << (at % 64));
        }
    }
    [[nodiscard]] bool operator[](std::size_t at) const { return (blocks_[at / 64] >> (at % 64) & 1) != 0; }
    [[nodiscard]] std::uint64_t block(std::size_t index) const { return blocks_[index]; }
    [[nodiscard]] std::uint64_t const* data() const { return blocks_.data(); }
    [[nodiscard]] std::uint64_t& block(std::size_t index) { return blocks_[index]; }
    /// For each byte, the bit of the byte before it.
    [[nodiscard]] std::uint64_t before(std::size_t index) const {
        return blocks_[index] << 1 | (index == 0 ? 0 : blocks_[index - 1] >> 63);
    }

private:
    std::vector<std::uint64_t> blocks_;
};

/// Buffers are reused from text to text: one object per thread.
struct ready_text {
    std::string text;         ///< followed by eight zero bytes that are not part of it
    std::size_t size = 0;     ///< without the zero bytes
    bool ascii = true;        ///< if true, only the bitmap `word` is filled
    bool has_odd = false;     ///< some letter's lower case is its own (python_case.hpp); `odd` and `origin` locate it
    std::int64_t hidden = 0;  ///< format characters in the original
    std::int64_t points = 0;  ///< code points, including format characters
    byte_bits word;           ///< of word characters
    byte_bits start;          ///< first bytes of code points
    byte_bits spaceless;      ///< of scripts without spaces
    byte_bits mixed;          ///< of words that mix Latin with Cyrillic or Greek
    byte_bits odd;
    std::vector<std::uint32_t> origin;  ///< offset of each byte's code point in the original; size + 1 entries
    std::string_view original;

    [[nodiscard]] std::string_view view() const { return {text.data(), size}; }
    /// For code of kernels/rubric.
    [[nodiscard]] ready_view flat() const {
        return {text.data(), std::int64_t(size), ascii, word.data(), start.data(), spaceless.data(), mixed.data()};
    }
    [[nodiscard]] std::size_t blocks() const { return size / 64 + 1; }
    [[nodiscard]] bool is_start(std::size_t at) const { return ascii || start[at]; }
    [[nodiscard]] bool is_spaceless(std::size_t at) const { return !ascii && spaceless[at]; }
};

/// `text` must outlive `out`.
void make_ready(std::string_view text, text_settings const& how, ready_text& out);

/// Calls `take(begin, end)` for each word of a ready text: runs of word characters, and single characters of scripts
/// without spaces.
template <class Take>
void each_word(ready_text const& text, Take take) {
    std::size_t const blocks = text.blocks();
    std::size_t begin = 0;
    bool open = false;
    for (std::size_t b = 0; b < blocks; ++b) {
        std::uint64_t const word = text.word.block(b);
        std::uint64_t edges = word ^ text.word.before(b);
        if (!text.ascii) {  // a character without spaces begins a word, and so does the character after it
            std::uint64_t const alone = text.spaceless.block(b) | text.spaceless.before(b);
            edges |= alone & text.start.block(b) & word;
        }
        for (; edges != 0; edges &= edges - 1) {
            std::size_t const at = b * 64 + std::size_t(__builtin_ctzll(edges));
            if (open) {
                take(begin, at);
            }
            open = (word >> (at % 64) & 1) != 0;
            begin = at;
        }
    }
    if (open) {
        take(begin, text.size);
    }
}

}  // namespace optgap::rubrics
