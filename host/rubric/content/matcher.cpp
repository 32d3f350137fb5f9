#include "host/rubric/content/matcher.hpp"

#include <algorithm>
#include <bit>

namespace optgap::rubrics {
void matcher::begin(matcher_state& state) const {
    state.open.assign(open_blocks_, ~std::uint64_t(0));
    state.free_from.assign(lists_.size(), 0);
    state.count.assign(lists_.size(), 0);
    state.words.assign(lists_.size(), 0);
    state.seen.assign(seen_flags_, 0);
    state.distinct.assign(lists_.size(), 0);
    if (measure_ == content_measure::order) {
        state.strange.assign(lists_.size(), {});
    }
}

/// The state of matching one text.
struct matcher::pass {
    matcher const& by;
    ready_text const& text;
    matcher_state& state;
    keyword_view words = by.table_.view();
    ready_view flat = text.flat();
    struct chosen {
        form_use use;
        std::size_t end;
        std::int32_t words;
    };
    std::vector<chosen> choices{};
    std::string lowered{};

    /// Updates the bits of a list after a symbol.
    void advance(list_info const& list, std::int32_t symbol) const {
        advance_list(state.open.data() + list.open_at,
                     by.masks_.data() + list.masks_at + std::size_t(symbol) * list.blocks, std::int64_t(list.blocks));
    }

    /// The symbol of a match whose lower case may be its own; -1: the list does not have it.
    std::int32_t symbol_at(list_info const& list, std::size_t begin, std::size_t end, std::int32_t usual) {
        if (!text.has_odd) {
            return usual;
        }
        bool odd = false;
        for (std::size_t at = begin; at < end && !odd; ++at) {
            odd = text.odd[at];
        }
        if (!odd) {
            return usual;
        }
        std::size_t const from = text.origin[begin];
        python_lower(text.original.substr(from, text.origin[end] - from), lowered);
        auto const found = std::find(list.symbols.begin(), list.symbols.end(), lowered);
        return found == list.symbols.end() ? -1 : std::int32_t(found - list.symbols.begin());
    }

    void take(form_use use, std::size_t begin, std::size_t end, std::int32_t length) {
        auto const index = std::size_t(use.list);
        list_info const& list = by.lists_[index];
        state.free_from[index] = end;
        state.words[index] += length;
        std::int32_t const symbol = symbol_at(list, begin, end, use.symbol);
        bool fresh = true;
        if (symbol >= 0) {
            std::uint8_t& seen = state.seen[list.seen_at + std::size_t(symbol)];
            fresh = seen == 0;
            seen = 1;
        } else if (by.measure_ == content_measure::order) {
            std::vector<std::string>& known = state.strange[index];
            fresh = std::find(known.begin(), known.end(), lowered) == known.end();
            if (fresh) {
                known.push_back(lowered);
            }
        }
        if (by.measure_ == content_measure::order && !fresh) {
            return;
        }
        ++state.count[index];
        if (symbol >= 0) {
            state.distinct[index] += fresh ? 1 : 0;
            advance(list, symbol);
        }
        if (state.events != nullptr) {
            state.events->push_back({use.list, symbol, std::uint32_t(begin), std::uint32_t(end)});
        }
    }

    void at(std::size_t begin) {
        std::size_t forms = 0;
        std::int32_t form = -1;
        std::size_t end = 0;
        walk_keywords(words, flat, std::int64_t(begin), [&](std::int32_t found, std::int64_t found_at) {
            auto const found_end = std::size_t(found_at);
            if (forms++ == 1) {
                choices.clear();
                add(form, begin, end);
            }
            if (forms > 1) {
                add(found, begin, found_end);
            }
            form = found;
            end = found_end;
        });
        if (forms == 1) {
            for (form_use const& use : by.table_.uses(form)) {
                if (begin >= state.free_from[std::size_t(use.list)] && !by.lists_[std::size_t(use.list)].has_empty) {
                    take(use, begin, end, by.table_.info(form).words);
                }
            }
        } else if (forms > 1) {
            for (chosen const& one : choices) {
                take(one.use, begin, one.end, one.words);
            }
        }
    }

    /// Keeps, per list, the form whose keyword comes first.
    void add(std::int32_t form, std::size_t begin, std::size_t end) {
        for (form_use const& use : by.table_.uses(form)) {
            if (begin < state.free_from[std::size_t(use.list)] || by.lists_[std::size_t(use.list)].has_empty) {
                continue;
            }
            auto const same = std::find_if(choices.begin(), choices.end(),
                                           [&](chosen const& one) { return one.use.list == use.list; });
            chosen const mine{use, end, by.table_.info(form).words};
            if (same == choices.end()) {
                choices.push_back(mine);
            } else if (use.order < same->use.order) {
                *same = mine;
            }
        }
    }

    /// Matches a list with an empty keyword as re.findall does. The empty keyword matches between any two characters
    /// outside of words. After an empty match the same place is tried again for a match that is not empty.
    void with_empty(std::size_t index) {
        list_info const& list = by.lists_[index];
        std::int32_t order = 0;
        auto const free = [&](std::size_t at) { return at == 0 || !text.word[at - 1]; };
        for (std::size_t at = 0; at <= text.size;) {
            bool advance_only = false;
            bool matched = true;
            while (matched) {
                matched = false;
                order = 0;
                for (std::string const& form : list.ordered) {
                    std::size_t const end = at + form.size();
                    bool const fits = free(at) && end <= text.size && text.text.compare(at, form.size(), form) == 0 &&
                                      (end == text.size || !text.word[end]);
                    if (fits && !(form.empty() && advance_only)) {
                        auto const symbol = std::find(list.symbols.begin(), list.symbols.end(), form);
                        take({std::int32_t(index), order, std::int32_t(symbol - list.symbols.begin())}, at, end, 0);
                        advance_only = form.empty();
                        at = end;
                        matched = true;
                        break;
                    }
                    ++order;
                }
            }
            ++at;
            while (at < text.size && !text.is_start(at)) {
                ++at;
            }
        }
    }

    void whole() {
        by.begin(state);
        if (!by.table_.empty()) {
            for (std::size_t b = 0; b < text.blocks(); ++b) {
                for (std::uint64_t bits = keyword_candidates(words, flat, std::int64_t(b)); bits != 0;
                     bits &= bits - 1) {
                    std::size_t const begin = b * 64 + std::size_t(std::countr_zero(bits));
                    if (begin >= text.size) {
                        break;
                    }
                    if (keyword_may_begin(*words.begins, flat.text + begin)) {
                        at(begin);
                    }
                }
            }
        }
        for (std::size_t i = 0; i < by.lists_.size(); ++i) {
            if (by.lists_[i].has_empty) {
                with_empty(i);
            }
        }
    }
};

list_score matcher::score_of(list_info const& list, std::size_t index, matcher_state const& state) const {
    std::int64_t const common =
        common_length(state.open.data() + list.open_at, std::int64_t(list.length), std::int64_t(list.blocks));
    std::int64_t found = 0;
    if (measure_ == content_measure::found) {
        for (std::size_t symbol = 0; symbol < list.symbols.size(); ++symbol) {
            bool wanted = false;
            for (std::size_t b = 0; b < list.blocks; ++b) {
                wanted = wanted || masks_[list.masks_at + symbol * list.blocks + b] != 0;
            }
            found += wanted && state.seen[list.seen_at + symbol] != 0 ? 1 : 0;
        }
    }
    return list_scored(measure_, std::int64_t(list.length), std::int64_t(list.distinct), common, state.count[index],
                       found, state.words[index]);
}

bool matcher::view(std::vector<list_view>& lists, lists_view& out) const {
    lists.clear();
    for (list_info const& list : lists_) {
        if (list.has_empty) {
            return false;
        }
        lists.push_back({std::int32_t(list.length), std::int32_t(list.distinct), std::int32_t(list.symbols.size()),
                         std::int32_t(list.blocks), std::int32_t(list.open_at), std::int32_t(list.masks_at),
                         std::int32_t(list.seen_at)});
    }
    out = {table_.view(), lists.data(), std::int32_t(lists.size()), masks_.data(), measure_};
    return true;
}

void matcher::run(ready_text const& text, matcher_state& state, std::vector<list_score>& out) const {
    pass{*this, text, state}.whole();
    out.resize(lists_.size());
    for (std::size_t i = 0; i < lists_.size(); ++i) {
        out[i] = score_of(lists_[i], i, state);
    }
}

std::vector<std::vector<sequence_item>> matcher::sequences(ready_text const& text) const {
    matcher_state state;
    std::vector<match_event> events;
    state.events = &events;
    pass one{*this, text, state};
    one.whole();
    std::vector<std::vector<sequence_item>> out(lists_.size());
    std::string lowered;
    for (match_event const& match : events) {
        list_info const& list = lists_[std::size_t(match.list)];
        std::int32_t const keyword = match.symbol < 0 ? -1 : list.keyword_of[std::size_t(match.symbol)];
        if (keyword >= 0) {
            out[std::size_t(match.list)].push_back(keyword);
        } else if (match.symbol >= 0) {
            out[std::size_t(match.list)].push_back(list.symbols[std::size_t(match.symbol)]);
        } else {
            std::size_t const from = text.origin[match.begin];
            python_lower(text.original.substr(from, text.origin[match.end] - from), lowered);
            out[std::size_t(match.list)].push_back(lowered);
        }
    }
    return out;
}

std::vector<std::uint8_t> common_path(std::vector<std::int32_t> const& sequence,
                                      std::vector<std::int32_t> const& symbols, std::size_t most) {
    std::size_t const rows = symbols.size(), columns = sequence.size();
    std::vector<std::uint8_t> on(rows, 0);
    if (rows == 0 || columns == 0 || columns > most / rows) {
        return on;
    }
    std::vector<std::uint16_t> table((rows + 1) * (columns + 1), 0);
    auto const at = [&](std::size_t i, std::size_t j) -> std::uint16_t& { return table[i * (columns + 1) + j]; };
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            at(i + 1, j + 1) =
                symbols[i] == sequence[j] ? std::uint16_t(at(i, j) + 1) : std::max(at(i, j + 1), at(i + 1, j));
        }
    }
    for (std::size_t i = rows, j = columns; i > 0 && j > 0;) {
        if (symbols[i - 1] == sequence[j - 1] && at(i, j) == at(i - 1, j - 1) + 1) {
            on[--i] = 1;
            --j;
        } else if (at(i - 1, j) >= at(i, j - 1)) {
            --i;
        } else {
            --j;
        }
    }
    return on;
}

}  // namespace optgap::rubrics
