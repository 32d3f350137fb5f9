#pragma once
// The keywords of all lists of a chain in one trie over folded bytes, with a filter before it that turns most words
// away by their first bytes.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/chain/content/ready_text.hpp"

namespace optgap::chain {

class keyword_table {
public:
    /// A form, folded and not empty, in a list. One of a smaller order in the same list stays.
    void add(std::string const& form, form_use use);
    /// `how` says which boundaries hold, and whether white space is one blank.
    void build(text_settings const& how);

    /// The table as flat arrays; good while it lives and stays where it is.
    [[nodiscard]] keyword_view view() const {
        return {info_.data(), uses_.data(), nodes_.data(), edges_.data(),   tails_.data(),   roots_,
                &begins_,     boundary_,    strip_,        any_word_first_, any_other_first_};
    }
    [[nodiscard]] bool empty() const { return info_.empty(); }
    [[nodiscard]] form_info const& info(std::int32_t form) const { return info_[std::size_t(form)]; }
    [[nodiscard]] std::span<form_use const> uses(std::int32_t form) const {
        form_info const& of = info(form);
        return std::span(uses_).subspan(of.first_use, of.last_use - of.first_use);
    }

    /// Places of a block where a form may begin.
    [[nodiscard]] std::uint64_t candidates(ready_text const& text, std::size_t block) const;
    /// Is there a form that begins as the text does at `at`? Wrong only by saying yes.
    [[nodiscard]] bool may_begin(char const* at) const;
    /// Every form that stands at `at`, shortest first, between its boundaries: `take(form, end)`.
    template <class Take>
    void walk(ready_text const& text, std::size_t at, Take take) const {
        char const* const bytes = text.text.data();
        std::int32_t node = roots_[std::uint8_t(bytes[at])];
        for (std::size_t end = at + 1; node >= 0;) {
            keyword_node const& here = nodes_[std::size_t(node)];
            if (here.only >= 0) {
                // One form is left: the rest of it stands here or nothing does.
                std::size_t const rest = here.tail_bytes;
                if (rest <= text.size - end && __builtin_memcmp(bytes + end, tails_.data() + here.tail, rest) == 0 &&
                    closes(text, here.only, end + rest)) {
                    take(here.only, end + rest);
                }
                return;
            }
            if (here.form >= 0 && closes(text, here.form, end)) {
                take(here.form, end);
            }
            if (here.edges == 0 || end >= text.size) {
                return;
            }
            char byte = bytes[end++];
            if (strip_ && is_blank(byte)) {
                byte = ' ';
                while (end < text.size && is_blank(bytes[end])) {
                    ++end;
                }
            }
            node = next(here, std::uint8_t(byte));
        }
    }

    static bool is_blank(char byte) { return byte == ' ' || (byte >= 9 && byte <= 13) || (byte >= 28 && byte <= 31); }

private:
    [[nodiscard]] std::int32_t next(keyword_node const& from, std::uint8_t byte) const {
        for (std::int32_t e = 0; e < from.edges; ++e) {
            keyword_edge const& one = edges_[from.first_edge + std::uint32_t(e)];
            if (one.byte >= byte) {
                return one.byte == byte ? one.node : -1;
            }
        }
        return -1;
    }
    [[nodiscard]] bool closes(ready_text const& text, std::int32_t form, std::size_t end) const {
        form_info const& of = info(form);
        switch (boundary_) {
            case keyword_boundary::none: return text.is_start(end) || end == text.size;
            case keyword_boundary::word: return !text.word[end];
            default: return !of.closes_with_word || !text.word[end] || of.closes_spaceless || text.is_spaceless(end);
        }
    }
    void lay_out();
    static std::uint32_t hash4(std::uint32_t bytes) { return (bytes * 0x9E3779B1u) >> 20; }
    static std::uint32_t hash2(std::uint32_t bytes) { return (bytes * 0x9E3779B1u) >> 23; }

    std::map<std::string, std::vector<form_use>> forms_;  ///< until build
    std::vector<form_info> info_;
    std::vector<form_use> uses_;
    std::vector<keyword_node> nodes_;
    std::vector<keyword_edge> edges_;
    std::string tails_;
    std::int32_t roots_[256];
    keyword_begins begins_;
    keyword_boundary boundary_ = keyword_boundary::automatic;
    bool strip_ = false;
    bool any_word_first_ = false, any_other_first_ = false;
};

inline std::uint64_t keyword_table::candidates(ready_text const& text, std::size_t block) const {
    std::uint64_t const word = text.word.block(block);
    std::uint64_t const after_other = ~text.word.before(block);
    if (text.ascii) {
        switch (boundary_) {
            case keyword_boundary::none: return ~std::uint64_t(0);
            case keyword_boundary::word: return (any_other_first_ ? ~std::uint64_t(0) : word) & after_other;
            default: return (word & after_other) | (any_other_first_ ? ~word : 0);
        }
    }
    std::uint64_t const start = text.start.block(block) & ~text.mixed.block(block);
    switch (boundary_) {
        case keyword_boundary::none: return start;
        case keyword_boundary::word: return start & (any_other_first_ ? ~std::uint64_t(0) : word) & after_other;
        default: {
            std::uint64_t const free = after_other | text.spaceless.block(block) | text.spaceless.before(block);
            return start & ((word & free) | (any_other_first_ ? ~word : 0));
        }
    }
}

inline bool keyword_table::may_begin(char const* at) const {
    std::uint32_t four;
    __builtin_memcpy(&four, at, 4);
    std::uint32_t const by4 = hash4(four), by2 = hash2(four & 0xFFFF), by1 = four & 0xFF;
    return ((begins_.by4[by4 / 64] >> (by4 % 64)) | (begins_.by2[by2 / 64] >> (by2 % 64)) |
            (begins_.by1[by1 / 64] >> (by1 % 64))) &
           1;
}

}  // namespace optgap::chain
