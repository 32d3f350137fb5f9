#pragma once
// Oracle for apples, written from README.md. Its logarithm is x86's long double; the one of 50 digits is Python's
// (tests/oracle/logarithms.py).

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::apples {

__extension__ typedef unsigned __int128 wide;

struct farm {
    std::int64_t turns, stock;
    std::size_t kinds, levels;
    std::vector<std::int64_t> rates;
    std::vector<std::vector<std::int64_t>> prices;  ///< [level][kind]

    explicit farm(std::span<std::int32_t const> words)
        : turns(words[0]), stock(words[1]), kinds(std::size_t(words[2])), levels(std::size_t(words[3])) {
        rates.assign(words.begin() + 4, words.begin() + 4 + std::ptrdiff_t(kinds));
        std::size_t const high = 4 + kinds;
        std::size_t const low = high + kinds * levels;
        for (std::size_t i = 0; i < levels; ++i) {
            prices.emplace_back();
            for (std::size_t j = 0; j < kinds; ++j) {
                prices[i].push_back(words[high + i * kinds + j] * std::int64_t(1'000'000'000) +
                                    words[low + i * kinds + j]);
            }
        }
    }
};

/// The whole state at one moment; moments are ordered by their members.
struct moment {
    wide stock = 0;
    std::vector<std::vector<wide>> machines;  ///< [level][kind]
    std::vector<std::vector<wide>> power;
    friend auto operator<=>(moment const&, moment const&) = default;

    explicit moment(farm const& on)
        : stock(wide(on.stock)),
          machines(on.levels, std::vector<wide>(on.kinds, 1)),
          power(on.levels, std::vector<wide>(on.kinds, 0)) {}

    [[nodiscard]] wide price(farm const& on, std::size_t i, std::size_t j) const {
        return wide(on.prices[i][j]) * (power[i][j] + 1);
    }
    void buy(farm const& on, std::size_t i, std::size_t j) {
        stock -= price(on, i, j);
        ++power[i][j];
    }
    void produce(farm const& on) {
        for (std::size_t j = 0; j < on.kinds; ++j) {
            stock += wide(on.rates[j]) * machines[0][j] * power[0][j];
        }
        for (std::size_t i = 1; i < on.levels; ++i) {
            for (std::size_t j = 0; j < on.kinds; ++j) {
                machines[i - 1][j] += machines[i][j] * power[i][j];
            }
        }
    }
};

/// A mantissa of 64 bits: a logarithm below 128 is off by less than 10^-17, the objective by less than 10^-12.
inline std::int64_t worth(wide stock) {
    return stock <= 1 ? 0 : std::int64_t(std::floor(std::log2l(static_cast<long double>(stock)) * 100000.0L + 0.5L));
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    farm const on(instance);
    answer_lists const answer(answer_block);
    std::int64_t const most = 1'000'000'000;
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, most);
    }
    if (answer.values.empty()) {
        return worst(code_empty, most);
    }
    if (answer.shape == answer_shape::list) {
        return worst(code_bad_depth, most);
    }
    bool const shaped =
        std::ranges::all_of(answer.rows, [](auto const& row) { return row.size() == 1 || row.size() == 2; });
    if (std::int64_t(answer.rows.size()) != on.turns || !shaped) {
        return worst(code_wrong_length, most);
    }
    std::int32_t at = 0;
    for (auto const& row : answer.rows) {
        bool const wait = row.size() == 1;
        if (wait ? row[0] != -1 : row[0] < 0 || row[0] >= std::int32_t(on.levels)) {
            return worst(code_out_of_range, most, at);
        }
        if (!wait && (row[1] < 0 || row[1] >= std::int32_t(on.kinds))) {
            return worst(code_out_of_range, most, at + 1);
        }
        at += std::int32_t(row.size());
    }
    moment now(on);
    for (std::size_t turn = 0; turn < answer.rows.size(); ++turn) {
        auto const& row = answer.rows[turn];
        if (row.size() == 2) {
            auto const i = std::size_t(row[0]);
            auto const j = std::size_t(row[1]);
            if (now.price(on, i, j) > now.stock) {
                wide const missing = now.price(on, i, j) - now.stock;
                return {first_task_code, std::int32_t(turn), 0, std::int64_t(std::min(missing, wide(most))), most};
            }
            now.buy(on, i, j);
        }
        now.produce(on);
    }
    return {code_ok, -1, worth(now.stock), 0, most};
}

/// Enumerates every reachable moment, turn by turn; among those with equal machines and power, the one with the larger
/// stock.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    farm const on(instance);
    if (on.turns > 8 || on.kinds * on.levels > 8) {
        return std::nullopt;
    }
    using machinery = std::pair<std::vector<std::vector<wide>>, std::vector<std::vector<wide>>>;
    std::map<machinery, wide> now;
    moment const first(on);
    now[{first.machines, first.power}] = first.stock;
    for (std::int64_t turn = 0; turn < on.turns; ++turn) {
        std::map<machinery, wide> next;
        auto const reach = [&](moment one) {
            one.produce(on);
            wide& best = next[{one.machines, one.power}];
            best = std::max(best, one.stock);
        };
        for (auto const& [made, stock] : now) {
            moment one(on);
            one.machines = made.first;
            one.power = made.second;
            one.stock = stock;
            reach(one);
            for (std::size_t i = 0; i < on.levels; ++i) {
                for (std::size_t j = 0; j < on.kinds; ++j) {
                    if (one.price(on, i, j) <= one.stock) {
                        moment bought = one;
                        bought.buy(on, i, j);
                        reach(bought);
                    }
                }
            }
        }
        now = std::move(next);
    }
    wide best = 0;
    for (auto const& [made, stock] : now) {
        best = std::max(best, stock);
    }
    return worth(best);
}

}  // namespace optgap::reference::apples
