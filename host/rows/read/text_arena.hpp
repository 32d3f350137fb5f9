#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "host/rows/json/jsonl.hpp"

namespace optgap::rows {

/// Decoded texts of a batch of rows. Returned views stay valid until `clear`.
class text_arena {
public:
    /// Returns the text of a raw JSON string. Borrows `raw` when nothing is escaped.
    std::string_view decode(std::string_view raw) {
        if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < decoded_bound(raw)) {
            blocks_.emplace_back().reserve(std::max(block, decoded_bound(raw)));
        }
        return decode_json_string(raw, blocks_.back());
    }
    /// Keeps one block for the next batch.
    void clear() {
        blocks_.resize(std::min<std::size_t>(blocks_.size(), 1));
        if (!blocks_.empty()) {
            blocks_.back().clear();
        }
    }

private:
    static constexpr std::size_t block = std::size_t(1) << 16;
    std::deque<std::string> blocks_;
};

}  // namespace optgap::rows
