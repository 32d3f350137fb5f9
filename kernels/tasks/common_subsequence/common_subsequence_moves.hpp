#pragma once
// Moves of common_subsequence: a letter is inserted, removed or replaced. Each word is read on from the changed
// position until it is at a position where it was before.

#include <cstdint>

#include "kernels/search/local_search.hpp"
#include "kernels/tasks/common_subsequence/common_subsequence_words.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::common_subsequence {

/// The loss is the negative length. Among equal lengths it is smaller if the letters end earlier in the words, which
/// leaves room for more.
class letter_changes {
public:
    OPTGAP_HD static std::int64_t image_words(words_view on) { return (word_list(on).longest + 3) / 2 * 2; }
    OPTGAP_HD static std::int64_t table_words(words_view on) {
        word_list const words(on);
        return std::int64_t(words.k) * (words.longest + 1);
    }
    /// Positions are what moves: the letter that now stands at a changed position may not move again for a while.
    OPTGAP_HD static std::int32_t things(words_view on) { return word_list(on).longest + 1; }

    OPTGAP_HD letter_changes(words_view on, std::int32_t* image, std::int32_t* tables)
        : words_(on), count_(image), letter_(image + 1), end_(tables) {}

    template <class Team>
    OPTGAP_HD void prepare(Team&) const {}
    template <class Team>
    OPTGAP_HD void look(Team& team) const {
        team.each(words_.k, [&](std::int64_t w) {
            std::int32_t at = 0;
            end(0)[w] = 0;
            for (std::int32_t i = 0; i < *count_; ++i) {
                at = words_.behind(w, at, letter_[i]);
                end(i + 1)[w] = at;
            }
        });
        team.sync();
    }
    template <class Team>
    OPTGAP_HD std::int64_t begin(Team& team, answer_view answer) const {
        team.each(answer.count, [&](std::int64_t i) { letter_[i] = answer.values[i]; });
        if (team.rank() == 0) {
            *count_ = std::int32_t(answer.count);
        }
        team.sync();
        look(team);
        return loss();
    }
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t) const { return *count_; }
    template <class Team>
    OPTGAP_HD std::int64_t write(Team& team, std::int32_t* answer) const {
        team.each(*count_, [&](std::int64_t i) { answer[1 + i] = letter_[i]; });
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        return 1 + std::int64_t(*count_);
    }

    /// One row for each position, and one behind the last.
    [[nodiscard]] OPTGAP_HD std::int32_t rows() const { return *count_ + 1; }
    [[nodiscard]] OPTGAP_HD static constexpr std::int32_t width() { return 2 * max_letters + 1; }
    template <class Offer>
    OPTGAP_HD void each_move(std::int32_t i, Offer const& offer) const {
        std::int64_t const now = loss();
        auto const try_out = [&](std::int32_t place, std::int32_t letter, std::int32_t behind) {
            std::int64_t const ends = ends_after(i, letter, behind);
            if (ends >= 0) {
                std::int64_t const length = *count_ + (letter != 0 ? 1 : 0) - (behind - i);
                offer(place, ends - length * unit() - now);
            }
        };
        for (std::int32_t c = 1; c <= words_.letters; ++c) {
            try_out(c - 1, c, i);
            if (i < *count_ && c != letter_[i]) {
                try_out(max_letters + c - 1, c, i + 1);
            }
        }
        if (i < *count_) {
            try_out(2 * max_letters, 0, i + 1);
        }
    }
    [[nodiscard]] OPTGAP_HD static constexpr search::moved_things moved(std::int32_t move) { return {move / width()}; }
    template <class Team>
    OPTGAP_HD void apply(Team& team, std::int32_t move) const {
        if (team.rank() == 0) {
            std::int32_t const i = move / width();
            std::int32_t const code = move % width();
            if (code < max_letters) {
                for (std::int32_t at = (*count_)++; at > i; --at) {
                    letter_[at] = letter_[at - 1];
                }
                letter_[i] = code + 1;
            } else if (code < 2 * max_letters) {
                letter_[i] = code - max_letters + 1;
            } else {
                --*count_;
                for (std::int32_t at = i; at < *count_; ++at) {
                    letter_[at] = letter_[at + 1];
                }
            }
        }
        team.sync();
        look(team);
    }

private:
    /// For each word, where the first `count` letters end.
    [[nodiscard]] OPTGAP_HD std::int32_t* end(std::int64_t count) const { return end_ + count * words_.k; }
    [[nodiscard]] OPTGAP_HD std::int64_t unit() const { return std::int64_t(words_.k) * words_.longest + 1; }
    [[nodiscard]] OPTGAP_HD std::int64_t loss() const {
        std::int64_t ends = 0;
        for (std::int32_t w = 0; w < words_.k; ++w) {
            ends += end(*count_)[w];
        }
        return ends - *count_ * unit();
    }
    /// The sum of the ends if the letter, or none (0), stands between the first i letters and those from `behind` on;
    /// -1 if a word does not contain them.
    [[nodiscard]] OPTGAP_HD std::int64_t ends_after(std::int32_t i, std::int32_t letter, std::int32_t behind) const {
        std::int64_t ends = 0;
        for (std::int32_t w = 0; w < words_.k; ++w) {
            std::int32_t at = end(i)[w];
            if (letter != 0) {
                at = words_.behind(w, at, letter);
                if (at == 0) {
                    return -1;
                }
            }
            for (std::int32_t next = behind; next < *count_; ++next) {
                if (at == end(next)[w]) {
                    at = end(*count_)[w];
                    break;
                }
                at = words_.behind(w, at, letter_[next]);
                if (at == 0) {
                    return -1;
                }
            }
            ends += at;
        }
        return ends;
    }

    word_list words_;
    std::int32_t* count_;
    std::int32_t* letter_;
    std::int32_t* end_;
};

}  // namespace tasks::common_subsequence
OPTGAP_KERNELS_END
