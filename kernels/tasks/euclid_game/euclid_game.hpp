#pragma once
// Euclid's game on several pairs of numbers: the Grundy value of each pair, then the winning move. A move subtracts the
// lesser number of one pair from the greater one, any number of times that leaves it at least 0. A pair with a 0 is
// finished, and a player who cannot move has lost.
//
//   (7, 3) and (4, 1)   values 1 and 4, so take 1 from 4 three times, to (1, 1) of value 1: [1, 4, 2, 3]

#include "kernels/families/exact/exact.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::euclid_game {

// Purposes of random words.
inline constexpr std::uint32_t draw_pairs = 0;

inline constexpr std::int32_t largest = 1'000'000'000;
inline constexpr field pairs_layout[] = {
    {"n", field_kind::size, "there are 1 to 5000 pairs", 1, 5000},
    {"pairs", field_kind::table, "a pair is two integers from 1 to 1000000000", 1, largest, of(0), 2},
};

struct task : families::exact_task<task> {
    static constexpr std::span<field const> layout = pairs_layout;
    static constexpr families::exact_units counted = families::exact_units::front;
    static constexpr std::int32_t low = 0;
    static constexpr std::int32_t high = largest;

    OPTGAP_HD static std::int32_t const* pair(words_view words, std::int64_t i) { return words.data + 1 + 2 * i; }

    /// For a pair: how often the lesser number goes into the greater one (`times`), and the value of the position after
    /// the largest move (`last`). The pair's own value is that of its moves: there are `times` of them, and only `last`
    /// may be larger.
    struct chain {
        std::int32_t times;
        std::int32_t last;

        /// The least number that is not the value of a move: the moves to (lesser, rest + j lesser), j = 1 ... times -
        /// 1, have the values 0, 1, ... without `last`.
        [[nodiscard]] OPTGAP_HD std::int32_t value() const { return last >= times ? times - 1 : times; }
        /// How often to subtract to leave that value; 0 if no move does.
        [[nodiscard]] OPTGAP_HD std::int32_t move_to(std::int32_t value_left) const {
            if (value_left == last) {
                return times;
            }
            std::int32_t const j = value_left < last ? value_left + 1 : value_left;
            return j < times ? times - j : 0;
        }
    };
    OPTGAP_HD static chain chain_of(std::int32_t const* pair) {
        std::int32_t quotients[48];  // Euclid's algorithm takes 43 divisions at most below 10^9
        std::int32_t count = 0;
        std::int32_t greater = pair[0] > pair[1] ? pair[0] : pair[1];
        std::int32_t lesser = pair[0] > pair[1] ? pair[1] : pair[0];
        while (lesser > 0) {
            quotients[count++] = greater / lesser;
            std::int32_t const rest = greater % lesser;
            greater = lesser;
            lesser = rest;
        }
        chain found{quotients[count - 1], 0};  // the end of every game has value 0
        for (std::int32_t k = count - 2; k >= 0; --k) {
            found = {quotients[k], found.value()};
        }
        return found;
    }

    OPTGAP_HD static std::int32_t size_of(difficulty level) {
        std::int32_t const d = step_of(level);
        return d < 3 ? 3 + d : 5 + d / 4;
    }
    OPTGAP_HD static std::int32_t top_of(difficulty level) {
        std::int64_t const d = step_of(level);
        std::int64_t const top = 30 * (d + 1) * (d + 1);
        return std::int32_t(top < largest ? top : largest);
    }
    OPTGAP_HD static std::int64_t shown_words(draw, difficulty level) { return 1 + 2 * size_of(level); }
    OPTGAP_HD static std::int64_t max_answer_words(std::int64_t shown_words) { return 1 + shown_words / 2 + 2; }

    /// Half of the pairs have a value that differs from their quotient, which is seen at once.
    OPTGAP_HD static void show(draw source, difficulty level, std::int32_t* words) {
        draw_stream stream(source, draw_pairs);
        words[0] = size_of(level);
        for (std::int32_t i = 0; i < words[0]; ++i) {
            bool const plain = stream.chance(500);
            std::int32_t* const own = words + 1 + 2 * i;
            for (std::int32_t trial = 0; trial < 64; ++trial) {
                own[0] = stream.uniform(2, top_of(level));
                own[1] = stream.uniform(2, top_of(level));
                chain const found = chain_of(own);
                if ((found.value() == found.times) == plain) {
                    break;
                }
            }
        }
    }

    /// Slips: the quotient of a pair is taken for its value; the move is off by one.
    OPTGAP_HD static std::int64_t compute(words_view shown, families::exact_slip slip, std::int32_t* answer) {
        std::int32_t const n = shown[0];
        std::int32_t sum = 0;
        answer[0] = answer_flat;
        for (std::int32_t i = 0; i < n; ++i) {
            chain const found = chain_of(pair(shown, i));
            answer[1 + i] = found.value() != found.times && slip(i) ? found.times : found.value();
            sum ^= answer[1 + i];
        }
        answer[1 + n] = 0;
        answer[2 + n] = 0;
        for (std::int32_t i = 0; i < n && sum != 0 && answer[1 + n] == 0; ++i) {
            std::int32_t const often = chain_of(pair(shown, i)).move_to(answer[1 + i] ^ sum);
            if (often > 0) {
                answer[1 + n] = 1 + i;
                answer[2 + n] = often;
            }
        }
        if (answer[1 + n] == 0 ? slip(n) : slip(n + 1)) {  // one too few, or too many if one is right
            answer[2 + n] += answer[2 + n] > 1 ? -1 : 1;
        }
        return 3 + n;
    }
};

}  // namespace tasks::euclid_game
OPTGAP_KERNELS_END
