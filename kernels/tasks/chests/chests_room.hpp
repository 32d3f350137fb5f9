#pragma once
// The fields of an instance of chests, its generation, and the effect of one hit.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/words.hpp"
#include "optgap/difficulty.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::chests {

inline constexpr std::int32_t max_chests = 200;
inline constexpr std::int32_t max_uses = 20;
inline constexpr std::int32_t max_hardness = 1000;

struct room {
    std::int32_t n;
    std::int32_t const* hardness;  ///< of each chest
    std::int32_t const* uses;      ///< of the weapon in each chest
    std::int32_t const* table;     ///< a row for each weapon

    OPTGAP_HD explicit room(words_view instance)
        : n(instance[0]),
          hardness(instance.data + 1),
          uses(instance.data + 1 + n),
          table(instance.data + 1 + 2 * std::int64_t(n)) {}

    [[nodiscard]] OPTGAP_HD std::int32_t damage(std::int32_t weapon, std::int32_t chest) const {
        return weapon < 0 ? 1 : table[weapon * n + chest];
    }
    [[nodiscard]] OPTGAP_HD std::int64_t whole_hardness() const {
        std::int64_t sum = 0;
        for (std::int32_t chest = 0; chest < n; ++chest) {
            sum += hardness[chest];
        }
        return sum;
    }
    [[nodiscard]] OPTGAP_HD std::int32_t whole_uses() const {
        std::int32_t sum = 0;
        for (std::int32_t chest = 0; chest < n; ++chest) {
            sum += uses[chest];
        }
        return sum;
    }
};

/// Chests and weapons at one moment, in scratch.
struct moment {
    std::int32_t* left;  ///< hardness of each chest, 0 when it is open
    std::int32_t* uses;  ///< of each weapon
    std::int32_t* live;  ///< list of the usable weapons, for callers that maintain it

    OPTGAP_HD static std::int64_t words(words_view instance) { return 3 * std::int64_t(instance[0]); }
    OPTGAP_HD moment(room const& on, std::int32_t* scratch)
        : left(scratch), uses(scratch + on.n), live(scratch + 2 * on.n) {}

    OPTGAP_HD void begin(room const& on) {
        for (std::int32_t chest = 0; chest < on.n; ++chest) {
            left[chest] = on.hardness[chest];
            uses[chest] = on.uses[chest];
        }
    }
    /// Makes a hit on a closed chest, by a usable weapon or by bare hands (-1).
    OPTGAP_HD void hit(room const& on, std::int32_t weapon, std::int32_t chest) {
        std::int32_t const rest = left[chest] - on.damage(weapon, chest);
        left[chest] = rest > 0 ? rest : 0;
        if (weapon >= 0) {
            --uses[weapon];
        }
    }
};

// Purposes of random words.
inline constexpr std::uint32_t draw_hardness = 0;
inline constexpr std::uint32_t draw_uses = 1;
inline constexpr std::uint32_t draw_damage = 2;

/// On the first six steps of the difficulty scale, with three to five chests, all plans are tried.
OPTGAP_HD inline std::int32_t chests_of(difficulty level) {
    if (!level.on_scale()) {
        std::int32_t const named[] = {6, 30, 100, max_chests};
        return named[level.level()];
    }
    std::int32_t const n = 3 + level.code / 2;
    return n < max_chests ? n : max_chests;
}
/// round(500 / u) with u = 1 + 499 · word / 2^32.
OPTGAP_HD inline std::int32_t damage_of(std::uint32_t word) {
    std::uint64_t const u = (std::uint64_t(1) << 32) + 499 * std::uint64_t(word);
    return std::int32_t(((std::uint64_t(500) << 32) + u / 2) / u);
}

template <class Team>
OPTGAP_HD void generate_room(Team& team, draw source, std::int32_t n, std::int32_t* words) {
    if (team.rank() == 0) {
        words[0] = n;
    }
    fill_uniform(team, source, draw_hardness, 100, 500, words + 1, n);
    fill_uniform(team, source, draw_uses, 1, 6, words + 1 + n, n);
    std::int32_t* const table = words + 1 + 2 * n;
    std::int64_t const cells = std::int64_t(n) * n;
    team.each((cells + 3) / 4, [&](std::int64_t block) {
        philox_block const drawn = random_block(source, draw_damage, std::uint32_t(block));
        for (std::int64_t k = 0; k < 4 && 4 * block + k < cells; ++k) {
            table[4 * block + k] = damage_of(drawn.word[k]);
        }
    });
    team.sync();
}

}  // namespace tasks::chests
OPTGAP_KERNELS_END
