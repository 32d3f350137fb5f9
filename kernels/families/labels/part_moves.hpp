#pragma once
// Moves on items in parts: an item moves to another part, or two items of different parts are swapped, if there is
// room. The sum of the squares of the parts' loads guides the search: minimised it levels the loads, maximised it
// empties some parts (Falkenauer 1996). Low bits are dropped before squaring, so that no sum overflows.

#include <cstdint>

#include "kernels/core/words.hpp"
#include "kernels/search/local_search.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

/// Task::levels: true minimises the largest load of a part, false the number of parts.
template <class Task>
class part_moves {
public:
    OPTGAP_HD static std::int64_t image_words(words_view on) {
        return even(2 * std::int64_t(Task::max_parts(on)) + 2 + Task::items(on));
    }
    OPTGAP_HD static std::int64_t table_words(words_view) { return 0; }
    OPTGAP_HD static std::int32_t things(words_view on) { return Task::items(on); }

    OPTGAP_HD part_moves(words_view on, std::int32_t* image, std::int32_t*)
        : sizes_(Task::sizes(on)),
          n_(Task::items(on)),
          room_(Task::room(on)),
          load_(reinterpret_cast<std::int64_t*>(image)),
          parts_(image + 2 * std::int64_t(Task::max_parts(on))),
          part_(parts_ + 2) {}

    template <class Team>
    OPTGAP_HD void prepare(Team& team) {
        std::int64_t own = 0;
        team.each(n_, [&](std::int64_t i) { own += sizes_[i]; });
        std::int64_t const all = team.sum(own);
        for (shift_ = 0; all >> shift_ >= std::int64_t(1) << 30; ++shift_) {
        }
    }
    template <class Team>
    OPTGAP_HD void look(Team&) const {}
    template <class Team>
    OPTGAP_HD std::int64_t begin(Team& team, answer_view answer) const {
        std::int64_t loss = 0;
        if (team.rank() == 0) {
            *parts_ = answer.rows;
            std::int32_t next = 0;
            for (std::int32_t p = 0; p < answer.rows; ++p) {
                load_[p] = 0;
                for (std::int32_t k = 0; k < answer.row_lengths[p]; ++k, ++next) {
                    part_[answer.values[next]] = p;
                    load_[p] += sizes_[answer.values[next]];
                }
                loss += guide(load_[p]);
            }
        }
        loss = team.broadcast(loss);
        team.sync();
        return loss;
    }
    /// Each lane scans all parts.
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t) const {
        std::int64_t most = 0;
        std::int64_t used = 0;
        for (std::int32_t p = 0; p < *parts_; ++p) {
            most = load_[p] > most ? load_[p] : most;
            used += load_[p] > 0 ? 1 : 0;
        }
        return Task::levels ? most : used;
    }
    /// Called by one lane. The items of each part are in the order of their numbers.
    template <class Team>
    OPTGAP_HD std::int64_t write(Team& team, std::int32_t* answer) const {
        std::int32_t rows = 0;
        if (team.rank() == 0) {
            for (std::int32_t p = 0; p < *parts_; ++p) {
                rows += Task::levels || load_[p] > 0 ? 1 : 0;
            }
            answer[0] = rows;
            std::int32_t row = 0;
            std::int32_t* next = answer + 1 + rows;
            for (std::int32_t p = 0; p < *parts_; ++p) {
                std::int32_t* const begin = next;
                for (std::int32_t i = 0; i < n_; ++i) {
                    if (part_[i] == p) {
                        *next++ = i;
                    }
                }
                if (Task::levels || load_[p] > 0) {
                    answer[++row] = std::int32_t(next - begin);
                }
            }
        }
        rows = team.broadcast(rows);
        team.sync();
        return 1 + std::int64_t(rows) + n_;
    }

    [[nodiscard]] OPTGAP_HD std::int32_t rows() const { return n_; }
    [[nodiscard]] OPTGAP_HD std::int32_t width() const { return *parts_ + n_; }
    /// Two items of one size are not swapped, and an item that is alone does not move to an empty part.
    template <class Offer>
    OPTGAP_HD void each_move(std::int32_t i, Offer const& offer) const {
        std::int32_t const from = part_[i];
        std::int64_t const size = sizes_[i];
        std::int64_t const left = guide(load_[from] - size) - guide(load_[from]);
        for (std::int32_t to = 0; to < *parts_; ++to) {
            bool const same = load_[to] == 0 && load_[from] == size;
            if (to != from && !same && size <= room_ - load_[to]) {
                offer(to, left + guide(load_[to] + size) - guide(load_[to]));
            }
        }
        for (std::int32_t j = i + 1; j < n_; ++j) {
            std::int32_t const to = part_[j];
            std::int64_t const more = size - sizes_[j];
            if (to != from && more != 0 && more <= room_ - load_[to] && -more <= room_ - load_[from]) {
                offer(*parts_ + j,
                      guide(load_[from] - more) - guide(load_[from]) + guide(load_[to] + more) - guide(load_[to]));
            }
        }
    }
    [[nodiscard]] OPTGAP_HD search::moved_things moved(std::int32_t move) const {
        std::int32_t const to = move % width() - *parts_;
        return {move / width(), to < 0 ? -1 : to};
    }
    template <class Team>
    OPTGAP_HD void apply(Team& team, std::int32_t move) const {
        if (team.rank() == 0) {
            std::int32_t const i = move / width();
            std::int32_t const to = move % width();
            std::int32_t const from = part_[i];
            put(i, to < *parts_ ? to : part_[to - *parts_]);
            if (to >= *parts_) {
                put(to - *parts_, from);
            }
        }
        team.sync();
    }

private:
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t even(std::int64_t words) { return (words + 1) / 2 * 2; }
    [[nodiscard]] OPTGAP_HD std::int64_t guide(std::int64_t load) const {
        std::int64_t const high = load >> shift_;
        return Task::levels ? high * high : -high * high;
    }
    OPTGAP_HD void put(std::int32_t item, std::int32_t part) const {
        load_[part_[item]] -= sizes_[item];
        load_[part] += sizes_[item];
        part_[item] = part;
    }

    std::int32_t const* sizes_;
    std::int32_t n_;
    std::int64_t room_;
    std::int64_t* load_;   ///< of each part
    std::int32_t* parts_;  ///< number of parts, including empty ones
    std::int32_t* part_;   ///< of each item
    std::int32_t shift_ = 0;
};

}  // namespace families
OPTGAP_KERNELS_END
