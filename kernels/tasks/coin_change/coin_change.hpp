#pragma once
// Pays an amount with as few coins as possible, each coin value any number of times.
//
//   coins 3 4 5, amount 7:   [1, 1, 0] pays it with 2 coins, the optimum; 5 first leaves 2, which cannot be paid

#include "kernels/core/check_layout.hpp"
#include "kernels/core/graph.hpp"
#include "kernels/families/declarative_task.hpp"
#include "kernels/search/noisy_pick.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::coin_change {

/// The limit for the amount and for coin values: it bounds the tables of anchors and proof.
inline constexpr std::int32_t most = 1'000'000;

// Purposes of random words.
inline constexpr std::uint32_t draw_coins = 0;

inline constexpr field purse_layout[] = {
    {"kinds", field_kind::size, "there are 1 to 200 coins", 1, 200},
    {"coins", field_kind::list, "a coin's value is 1 to 1000000", 1, most, of(0)},
    {"amount", field_kind::number, "the amount is 1 to 1000000", 1, most},
};

struct purse {
    std::int32_t kinds;
    std::int32_t const* coins;
    std::int32_t amount;

    [[nodiscard]] OPTGAP_HD std::int32_t largest() const {
        std::int32_t most_valuable = 0;
        for (std::int32_t i = 0; i < kinds; ++i) {
            most_valuable = coins[i] > most_valuable ? coins[i] : most_valuable;
        }
        return most_valuable;
    }
};

struct task : families::declarative_task {
    static constexpr sense objective_sense = sense::minimise;
    static constexpr char const* codes[] = {"wrong_sum", nullptr};
    static constexpr char const* bound_kinds[] = {"proven", "largest coin", nullptr};
    static constexpr std::span<field const> layout = purse_layout;

    static char const* check(words_view instance) { return check_layout(layout, instance); }

    OPTGAP_HD static purse view(words_view instance) {
        return {instance[0], instance.data + 1, instance[1 + instance[0]]};
    }

    /// The parameters that depend on the difficulty scale, which ends at step 1,000.
    struct plan {
        std::int32_t kinds;
        std::int32_t small;  ///< number of small coins; the last of these pay what large ones leave
        std::int32_t top;    ///< largest value
        std::int32_t picks;  ///< coins of the planted answer
    };
    OPTGAP_HD static plan plan_of(difficulty level) {
        std::int32_t const d = step_of(level) < 1'000 ? step_of(level) : 1'000;
        return {d < 140 ? 5 + d / 4 : 40, d < 160 ? 2 + d / 16 : 12, 60 + 8 * d, d < 160 ? 7 + d / 4 : 47};
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) { return 2 + plan_of(level).kinds; }

    /// Some small coins and more large ones. The amount is a sum of large coins of up to three kinds, never of the
    /// largest, so that taking the largest first requires many small coins for the rest.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        plan const of = plan_of(level);
        if (team.rank() == 0) {
            draw_stream stream(source, draw_coins);
            std::int32_t* const coins = words + 1;
            std::int32_t const small_top = of.top / 6 > 12 ? of.top / 6 : 12;
            std::int32_t largest = of.small;
            for (std::int32_t i = 0; i < of.kinds;) {
                coins[i] = i < of.small ? stream.uniform(7, small_top) : stream.uniform(of.top / 2, of.top);
                bool repeated = false;
                for (std::int32_t k = 0; k < i; ++k) {
                    repeated = repeated || coins[k] == coins[i];
                }
                largest = !repeated && i >= of.small && coins[i] > coins[largest] ? i : largest;
                i += repeated ? 0 : 1;
            }
            std::int32_t const kept = coins[largest];
            coins[largest] = coins[of.kinds - 1];
            coins[of.kinds - 1] = kept;
            std::int32_t const free = of.kinds - of.small - 1;
            std::int32_t const used = free < 3 ? free : 3;
            std::int32_t amount = 0;
            // A large coin that divides the amount makes a trivial answer. In that case a few other sums are drawn.
            bool divided = true;
            for (std::int32_t draws = 0; divided && draws < 16; ++draws) {
                amount = 0;
                for (std::int32_t i = 0; i < of.picks; ++i) {  // each kind at least once
                    amount += coins[of.small + (i < used ? i : stream.uniform(0, used - 1))];
                }
                divided = false;
                for (std::int32_t i = of.small; i < of.kinds; ++i) {
                    divided = divided || amount % coins[i] == 0;
                }
            }
            shuffle(stream, coins, of.kinds);
            words[0] = of.kinds;
            words[1 + of.kinds] = amount;
        }
        team.sync();
    }

    /// Two sets of amounts, for the amounts that can be paid.
    OPTGAP_HD static std::int64_t scratch_words(words_view instance) {
        return 2 * bitset_words(std::int64_t(view(instance).amount) + 1);
    }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(instance[0]); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t*) {
        purse const on = view(instance);
        if (answer.is_word() || (answer.is_rows() && answer.count == 0 && answer.row_count() == 0)) {
            return worst(answer.is_word() ? code_unparsable : code_empty, on.amount);
        }
        if (!answer.is_flat()) {
            return worst(code_bad_depth, on.amount);
        }
        if (answer.count != on.kinds) {
            return worst(code_wrong_length, on.amount);
        }
        if (std::int32_t const at = first_out_of_range(team, answer.values, answer.count, on.amount + 1); at >= 0) {
            return worst(code_out_of_range, on.amount, at);
        }
        std::int64_t paid = 0;
        std::int64_t used = 0;
        team.each(on.kinds, [&](std::int64_t i) {
            paid += std::int64_t(answer.values[i]) * on.coins[i];
            used += answer.values[i];
        });
        std::int64_t const wrong = team.sum(paid) - on.amount;
        used = team.sum(used);
        if (wrong != 0) {
            std::int64_t const off = wrong < 0 ? -wrong : wrong;
            return {first_task_code, -1, 0, off < on.amount ? off : on.amount, on.amount};
        }
        return {code_ok, -1, used, 0, on.amount};
    }

    /// The smallest coin that divides the amount, alone, ties by index; no answer if there is none.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        purse const on = view(instance);
        ranked own{INT64_MAX, 0};
        team.each(on.kinds, [&](std::int64_t i) {
            if (on.amount % on.coins[i] == 0) {
                own = smaller(own, {on.coins[i], std::int32_t(i)});
            }
        });
        ranked const best = team.min_by(own.key, own.index);
        if (best.key == INT64_MAX) {
            return 0;
        }
        team.each(on.kinds,
                  [&](std::int64_t i) { answer[1 + i] = i == best.index ? on.amount / std::int32_t(best.key) : 0; });
        return finish(team, instance, answer);
    }

    /// Takes the largest coin first, ties by index, as often as the rest can still be paid.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        purse const on = view(instance);
        std::uint32_t const* const payable = payable_amounts(team, on, scratch);
        if (!contains(payable, on.amount)) {
            return 0;
        }
        team.each(on.kinds, [&](std::int64_t i) { answer[1 + i] = 0; });
        team.sync();
        for (std::int32_t rest = on.amount; rest > 0;) {
            ranked own{0, 0};
            team.each(on.kinds, [&](std::int64_t i) {
                if (fits(payable, rest, on.coins[i])) {
                    own = larger(own, {on.coins[i], std::int32_t(i)});
                }
            });
            ranked const best = team.max_by(own.key, own.index);
            // If a larger coin leaves a rest that cannot be paid, it does so for every smaller rest, too.
            std::int32_t count = 0;
            for (; fits(payable, rest, std::int32_t(best.key)); ++count) {
                rest -= std::int32_t(best.key);
            }
            if (team.rank() == 0) {
                answer[1 + best.index] += count;
            }
            team.sync();
        }
        return finish(team, instance, answer);
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        purse const on = view(instance);
        std::uint32_t const* const payable = payable_amounts(team, on, scratch);
        if (!contains(payable, on.amount)) {
            return 0;
        }
        team.each(on.kinds, [&](std::int64_t i) { answer[1 + i] = 0; });
        draw_stream stream(source, 0);
        for (std::int32_t rest = on.amount; rest > 0;) {
            search::noisy_pick pick(stream);
            for (std::int32_t i = 0; i < on.kinds; ++i) {
                if (fits(payable, rest, on.coins[i])) {
                    pick.offer(i, -on.coins[i]);
                }
            }
            rest -= on.coins[pick.chosen()];
            ++answer[1 + pick.chosen()];
        }
        return finish(team, instance, answer);
    }

    /// Scratch for greedy, or for a table of the fewest coins.
    static std::int64_t exact_scratch_words(words_view instance) {
        return 1 + std::int64_t(view(instance).amount) + scratch_words(instance);
    }

    /// Computes the fewest coins for every amount up to this one; a thousand entries of a coin's pass cost one step.
    /// Without the whole table, the bound is the number of coins needed with the largest coin alone.
    static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
        solo team;
        purse const on = view(instance);
        solve_result result;
        result.answer_words = greedy(team, instance, answer, scratch);
        if (result.answer_words == 0) {
            result.status = baseline_status::infeasible;
            return result;
        }
        result.objective = 0;
        for (std::int32_t i = 0; i < on.kinds; ++i) {
            result.objective += answer[1 + i];
        }
        std::int32_t const largest = on.largest();
        settle(result, (std::int64_t(on.amount) + largest - 1) / largest, 1);
        std::int64_t const cost = (std::int64_t(on.kinds) * on.amount + 999) / 1000;
        if (result.status == baseline_status::optimal || budget < cost) {
            result.steps = result.status == baseline_status::optimal ? 0 : budget;
            return result;
        }
        result.steps = cost;
        result.objective = fewest(on, answer + 1, scratch);
        settle(result, result.objective, 0);
        return result;
    }

private:
    template <class Team>
    OPTGAP_HD static std::int64_t finish(Team& team, words_view instance, std::int32_t* answer) {
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        return answer_words(instance);
    }
    OPTGAP_HD static bool fits(std::uint32_t const* payable, std::int32_t rest, std::int32_t coin) {
        return coin <= rest && contains(payable, rest - coin);
    }

    /// Word w of `set` after each member is raised by `by`.
    OPTGAP_HD static std::uint32_t raised(std::uint32_t const* set, std::int64_t w, std::int64_t by) {
        std::int64_t const from = w - by / 32;
        std::int32_t const bits = std::int32_t(by % 32);
        std::uint32_t const high = from >= 0 ? set[from] << bits : 0u;
        return bits > 0 && from >= 1 ? high | set[from - 1] >> (32 - bits) : high;
    }
    /// The amounts that coins can pay. Adding a coin once, twice, four times and so on covers any number of it.
    template <class Team>
    OPTGAP_HD static std::uint32_t const* payable_amounts(Team& team, purse const& on, std::int32_t* scratch) {
        std::int64_t const words = bitset_words(std::int64_t(on.amount) + 1);
        auto* set = reinterpret_cast<std::uint32_t*>(scratch);
        std::uint32_t* other = set + words;
        team.each(words, [&](std::int64_t w) { set[w] = w == 0 ? 1u : 0u; });
        team.sync();
        for (std::int32_t i = 0; i < on.kinds; ++i) {
            for (std::int64_t by = on.coins[i]; by <= on.amount; by *= 2) {
                team.each(words, [&](std::int64_t w) { other[w] = set[w] | raised(set, w, by); });
                team.sync();
                std::uint32_t* const filled = other;
                other = set;
                set = filled;
            }
        }
        return set;
    }

    /// Writes the count of each coin and returns the number of coins; it must be possible to pay the amount.
    static std::int32_t fewest(purse const& on, std::int32_t* counts, std::int32_t* table) {
        table[0] = 0;
        for (std::int32_t v = 1; v <= on.amount; ++v) {
            table[v] = most + 1;
        }
        for (std::int32_t i = 0; i < on.kinds; ++i) {
            counts[i] = 0;
            for (std::int32_t v = on.coins[i]; v <= on.amount; ++v) {
                std::int32_t const with = table[v - on.coins[i]] + 1;
                table[v] = with < table[v] ? with : table[v];
            }
        }
        for (std::int32_t rest = on.amount; rest > 0;) {
            std::int32_t i = 0;
            while (on.coins[i] > rest || table[rest - on.coins[i]] + 1 != table[rest]) {
                ++i;
            }
            ++counts[i];
            rest -= on.coins[i];
        }
        return table[on.amount];
    }
};

}  // namespace tasks::coin_change
OPTGAP_KERNELS_END
