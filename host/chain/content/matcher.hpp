#pragma once
// Content: the keywords of a text, list by list, against the sequence of each reference. One pass; the text's own
// sequence is never stored, since the length of a longest common subsequence is kept in bits while it goes by (Hyyrö
// 2004).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/chain/chain_data.hpp"
#include "host/chain/content/keyword_table.hpp"
#include "host/chain/content/ready_text.hpp"
#include "kernels/chain/content.hpp"

namespace optgap::chain {

/// A match, for explaining: of a list, with its symbol (-1: one that the reference does not have).
struct match_event {
    std::int32_t list = 0;
    std::int32_t symbol = -1;
    std::uint32_t begin = 0, end = 0;
};

/// What a text leaves behind, list by list. Buffers are kept from text to text: one per thread.
struct matcher_state {
    std::vector<std::uint64_t> open;     ///< the bits of each list's sequence, one until matched
    std::vector<std::size_t> free_from;  ///< a list's next match begins here or later
    std::vector<std::int64_t> count;     ///< matches of a list
    std::vector<std::int64_t> words;     ///< words in them
    std::vector<std::uint8_t> seen;      ///< per list and symbol
    std::vector<std::int32_t> distinct;  ///< symbols seen, of those that the reference has
    std::vector<std::vector<std::string>>
        strange;  ///< distinct matched texts that are no symbol; measure `order` alone
    std::vector<match_event>* events = nullptr;
};

class matcher {
public:
    /// Compiles the lists of a chain. Where `sequences` are unknown yet, they may be set later.
    explicit matcher(chain_data const& chain);

    [[nodiscard]] std::size_t lists() const { return lists_.size(); }
    /// The list of a point and a reference.
    [[nodiscard]] std::size_t list_of(std::size_t point, std::size_t reference) const {
        return first_list_[point] + reference;
    }
    [[nodiscard]] std::size_t references_of(std::size_t point) const {
        return first_list_[point + 1] - first_list_[point];
    }
    /// What each list matches in a text, as items of a sequence.
    [[nodiscard]] std::vector<std::vector<sequence_item>> sequences(ready_text const& text) const;
    /// Takes the chain's sequences; must come before `run`.
    void set_sequences(chain_data const& chain);

    void run(ready_text const& text, matcher_state& state, std::vector<list_score>& out) const;

    /// The lists as flat arrays, for code of kernels/chain; `lists` and this must live as long. False: one of them has
    /// an empty keyword, which only the host matches.
    bool view(std::vector<list_view>& lists, lists_view& out) const;
    /// Room that a text needs: blocks of open bits, and symbols.
    [[nodiscard]] std::size_t open_blocks() const { return open_blocks_; }
    [[nodiscard]] std::size_t symbols() const { return seen_flags_; }

    /// The place in its list of the keyword that a symbol is; -1 where none is spelt so.
    [[nodiscard]] std::int32_t keyword_of(std::size_t list, std::int32_t symbol) const {
        return symbol < 0 ? -1 : lists_[list].keyword_of[std::size_t(symbol)];
    }
    /// Words in the matches of a list's reference.
    [[nodiscard]] std::int64_t reference_words(std::size_t list) const { return lists_[list].reference_words; }
    /// A list's sequence as symbols.
    [[nodiscard]] std::vector<std::int32_t> const& sequence(std::size_t list) const { return lists_[list].sequence; }

private:
    struct list_info {
        std::vector<std::string> symbols;      ///< folded texts under Python's fold, else one a keyword
        std::vector<std::int32_t> keyword_of;  ///< the first keyword of each symbol; -1: none is spelt so
        std::vector<std::int32_t> words_of;    ///< words in each symbol
        std::vector<std::string> ordered;      ///< folded keywords in order, of a list with an empty one
        bool has_empty = false;
        std::vector<std::int32_t> sequence;
        std::size_t length = 0;    ///< of the sequence that counts: `order` takes first occurrences alone
        std::size_t distinct = 0;  ///< symbols in it
        std::size_t blocks = 0;    ///< of 64 bits
        std::size_t open_at = 0;   ///< in matcher_state::open
        std::size_t masks_at = 0;  ///< in masks_, `blocks` for each symbol
        std::size_t seen_at = 0;
        std::int64_t reference_words = 0;
    };

    struct pass;
    void begin(matcher_state& state) const;
    std::int32_t symbol_named(list_info& list, std::string const& name) const;
    list_score score_of(list_info const& list, std::size_t index, matcher_state const& state) const;

    content_measure measure_;
    text_settings text_;
    keyword_table table_;
    std::vector<list_info> lists_;
    std::vector<std::size_t> first_list_;
    std::vector<std::uint64_t> masks_;
    std::size_t open_blocks_ = 0, seen_flags_ = 0;
};

/// Which matches of a list stand on one longest common subsequence of their symbols and `sequence`: a flag each.
/// Nothing for more than `most` pairs.
std::vector<std::uint8_t> common_path(std::vector<std::int32_t> const& sequence,
                                      std::vector<std::int32_t> const& symbols,
                                      std::size_t most = std::size_t(1) << 26);

}  // namespace optgap::chain
