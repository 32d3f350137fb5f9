#pragma once
// Content: compares a text's keywords, list by list, with the sequence of each reference. It takes one pass. The text's
// own sequence is never stored: bits keep the length of a longest common subsequence during the pass (Hyyrö 2004).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/rubric/content/keyword_table.hpp"
#include "host/rubric/content/ready_text.hpp"
#include "host/rubric/rubric_data.hpp"
#include "kernels/rubric/content.hpp"

namespace optgap::rubrics {

/// A match, for explanations: its list, and its symbol (-1: one that the reference does not have).
struct match_event {
    std::int32_t list = 0;
    std::int32_t symbol = -1;
    std::uint32_t begin = 0, end = 0;
};

/// The result of a text, list by list. Buffers are reused from text to text: one object per thread.
struct matcher_state {
    std::vector<std::uint64_t> open;     ///< the bits of each list's sequence, one until matched
    std::vector<std::size_t> free_from;  ///< begin of the earliest possible next match of a list
    std::vector<std::int64_t> count;     ///< matches of a list
    std::vector<std::int64_t> words;     ///< words in them
    std::vector<std::uint8_t> seen;      ///< per list and symbol
    std::vector<std::int32_t> distinct;  ///< seen symbols that the reference has
    std::vector<std::vector<std::string>>
        strange;  ///< different matched texts that are no symbol; only for the measure `order`
    std::vector<match_event>* events = nullptr;
};

class matcher {
public:
    /// Compiles a rubric's lists. `sequences` that are still unknown may be set later.
    explicit matcher(rubric_data const& rubric);

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
    /// Takes the rubric's sequences. Call it before `run`.
    void set_sequences(rubric_data const& rubric);

    void run(ready_text const& text, matcher_state& state, std::vector<list_score>& out) const;

    /// Gives the lists as flat arrays, for code of kernels/rubric; `lists` and this matcher must outlive them. Returns
    /// false where a list has an empty keyword, which only the host matches.
    bool view(std::vector<list_view>& lists, lists_view& out) const;
    /// The space that a text needs: blocks of open bits, and symbols.
    [[nodiscard]] std::size_t open_blocks() const { return open_blocks_; }
    [[nodiscard]] std::size_t symbols() const { return seen_flags_; }

    /// The index in its list of a symbol's keyword; -1 where no keyword has this spelling.
    [[nodiscard]] std::int32_t keyword_of(std::size_t list, std::int32_t symbol) const {
        return symbol < 0 ? -1 : lists_[list].keyword_of[std::size_t(symbol)];
    }
    /// The words in the matches of a list's reference.
    [[nodiscard]] std::int64_t reference_words(std::size_t list) const { return lists_[list].reference_words; }
    /// A list's sequence as symbols.
    [[nodiscard]] std::vector<std::int32_t> const& sequence(std::size_t list) const { return lists_[list].sequence; }

private:
    struct list_info {
        std::vector<std::string> symbols;      ///< folded texts under Python's fold, else one per keyword
        std::vector<std::int32_t> keyword_of;  ///< the first keyword of each symbol; -1: none has this spelling
        std::vector<std::int32_t> words_of;    ///< words in each symbol
        std::vector<std::string> ordered;      ///< folded keywords in order, for a list with an empty one
        bool has_empty = false;
        std::vector<std::int32_t> sequence;
        std::size_t length = 0;    ///< the length of the sequence that counts: `order` takes first occurrences only
        std::size_t distinct = 0;  ///< different symbols in it
        std::size_t blocks = 0;    ///< blocks of 64 bits
        std::size_t open_at = 0;   ///< offset in matcher_state::open
        std::size_t masks_at = 0;  ///< offset in masks_, `blocks` for each symbol
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

/// Flags the matches of a list that are on one longest common subsequence of their symbols and `sequence`. Returns
/// nothing for more than `most` pairs.
std::vector<std::uint8_t> common_path(std::vector<std::int32_t> const& sequence,
                                      std::vector<std::int32_t> const& symbols,
                                      std::size_t most = std::size_t(1) << 26);

}  // namespace optgap::rubrics
