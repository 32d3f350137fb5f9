#pragma once
// The words of an instance, and lookup tables for the search of their longest common subsequence: where each letter
// occurs next, and the lengths of the longest common subsequences of two words' suffixes.

#include <cstdint>

#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::common_subsequence {

inline constexpr std::int32_t max_letters = 4;

/// [k, longest, letters, words …], one word in each row of `longest`, followed by zeros; letters are 1, 2, ….
struct word_list {
    std::int32_t k;
    std::int32_t longest;
    std::int32_t letters;
    std::int32_t const* rows;

    OPTGAP_HD explicit word_list(words_view instance)
        : k(instance[0]), longest(instance[1]), letters(instance[2]), rows(instance.data + 3) {}

    [[nodiscard]] OPTGAP_HD std::int32_t const* word(std::int64_t i) const { return rows + i * longest; }
    [[nodiscard]] OPTGAP_HD std::int32_t length(std::int64_t i) const {
        std::int32_t size = longest;
        while (size > 0 && word(i)[size - 1] == 0) {
            --size;
        }
        return size;
    }
    /// The position behind the first such letter from position `from` on, 0 if there is none.
    [[nodiscard]] OPTGAP_HD std::int32_t behind(std::int64_t i, std::int32_t from, std::int32_t letter) const {
        for (std::int32_t at = from; at < longest && word(i)[at] != 0; ++at) {
            if (word(i)[at] == letter) {
                return at + 1;
            }
        }
        return 0;
    }
};

/// `behind` in constant time.
class next_places {
public:
    static std::int64_t table_words(word_list const& words) {
        return std::int64_t(words.k) * (words.longest + 1) * max_letters;
    }
    next_places(word_list const& words, std::int32_t* table) : row_(words.longest + 1), table_(table) {
        for (std::int32_t i = 0; i < words.k; ++i) {
            for (std::int32_t at = words.longest; at >= 0; --at) {
                std::int32_t* const own = place(i, at);
                for (std::int32_t c = 0; c < max_letters; ++c) {
                    bool const here = at < words.longest && words.word(i)[at] == c + 1;
                    own[c] = here ? at + 1 : at < words.longest ? own[max_letters + c] : 0;
                }
            }
        }
    }
    [[nodiscard]] std::int32_t operator()(std::int32_t i, std::int32_t from, std::int32_t letter) const {
        return place(i, from)[letter - 1];
    }

private:
    [[nodiscard]] std::int32_t* place(std::int32_t i, std::int32_t at) const {
        return table_ + (std::int64_t(i) * row_ + at) * max_letters;
    }
    std::int64_t row_;
    std::int32_t* table_;
};

/// No common subsequence of all words is longer than one of two words: the least bound over pairs of words, from
/// positions in all of them. Pairs of neighbours come first, then those two apart, and so on, as many as the tables
/// have room for.
class pair_bound {
public:
    static std::int64_t table_words(word_list const& words) { return pairs(words) * cells(words); }
    pair_bound(word_list const& words, std::int32_t* table) : words_(words), pairs_(pairs(words)), table_(table) {
        each_pair([&](std::int32_t i, std::int32_t j, std::int32_t* own) {
            fill(i, j, own);
            return true;
        });
    }

    [[nodiscard]] std::int32_t operator()(std::int32_t const* places) const {
        std::int32_t least = words_.longest;
        each_pair([&](std::int32_t i, std::int32_t j, std::int32_t const* own) {
            std::int32_t const both = own[std::int64_t(places[i]) * (words_.longest + 1) + places[j]];
            least = both < least ? both : least;
            return least > 0;
        });
        return least;
    }

private:
    static constexpr std::int64_t room = std::int64_t(1) << 20;

    static std::int64_t cells(word_list const& words) {
        return (std::int64_t(words.longest) + 1) * (words.longest + 1);
    }
    static std::int64_t pairs(word_list const& words) {
        std::int64_t const all = std::int64_t(words.k) * (words.k - 1) / 2;
        std::int64_t const held = room / cells(words);
        return held < all ? held : all;
    }
    /// Calls f(i, j, table) until it returns false.
    template <class Function>
    void each_pair(Function const& f) const {
        std::int64_t pair = 0;
        for (std::int32_t apart = 1; apart < words_.k; ++apart) {
            for (std::int32_t i = 0; i + apart < words_.k; ++i, ++pair) {
                if (pair == pairs_ || !f(i, i + apart, table_ + pair * cells(words_))) {
                    return;
                }
            }
        }
    }
    void fill(std::int32_t i, std::int32_t j, std::int32_t* own) const {
        std::int64_t const row = words_.longest + 1;
        for (std::int32_t a = words_.longest; a >= 0; --a) {
            for (std::int32_t b = words_.longest; b >= 0; --b) {
                std::int32_t* const cell = own + a * row + b;
                if (a == words_.longest || b == words_.longest) {
                    *cell = 0;
                } else if (words_.word(i)[a] == words_.word(j)[b] && words_.word(i)[a] != 0) {
                    *cell = 1 + cell[row + 1];
                } else {
                    *cell = cell[row] > cell[1] ? cell[row] : cell[1];
                }
            }
        }
    }

    word_list words_;
    std::int64_t pairs_;
    std::int32_t* table_;
};

}  // namespace tasks::common_subsequence
OPTGAP_KERNELS_END
