#pragma once
// The state of a run of apples: the fields of an instance, the effect of one turn, and the objective of a final stock.

#include <cstdint>

#include "kernels/core/scratch.hpp"
#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::apples {

__extension__ typedef unsigned __int128 uint128;

inline constexpr std::int32_t max_levels = 4;
inline constexpr std::int32_t max_turns = 800;
/// A price is high · price_unit + low, at most 10^13, so that the cost of 800 purchases fits 63 bits.
inline constexpr std::int64_t price_unit = 1'000'000'000;

/// A machine is level · kinds + kind.
struct orchard {
    std::int32_t turns;
    std::int32_t stock;  ///< at the start
    std::int32_t kinds;
    std::int32_t levels;
    std::int32_t const* rates;  ///< of each kind

    OPTGAP_HD explicit orchard(words_view instance)
        : turns(instance[0]), stock(instance[1]), kinds(instance[2]), levels(instance[3]), rates(instance.data + 4) {}

    [[nodiscard]] OPTGAP_HD std::int32_t machines() const { return kinds * levels; }
    [[nodiscard]] OPTGAP_HD std::uint64_t price(std::int32_t machine) const {
        std::int32_t const* const high = rates + kinds;
        return std::uint64_t(high[machine]) * std::uint64_t(price_unit) + std::uint64_t(high[machines() + machine]);
    }
};

/// round(10^5 · log2(stock)), 0 for no stock. Computes 56 bits of the fraction, each by squaring a mantissa of 64 bits.
/// The rounding error is below 10^-11 of the objective's unit, and a half never occurs: 2^(k + 1/2)/10^5 is not an
/// integer.
OPTGAP_HD inline std::int64_t worth_of(uint128 stock) {
    if (stock <= 1) {
        return 0;
    }
    constexpr std::int32_t fraction_bits = 56;
    std::int32_t exponent = 0;
    for (std::int32_t step = 64; step > 0; step /= 2) {
        exponent += (stock >> (exponent + step)) != 0 ? step : 0;
    }
    std::uint64_t mantissa =
        exponent >= 63 ? std::uint64_t(stock >> (exponent - 63)) : std::uint64_t(stock) << (63 - exponent);
    std::uint64_t fraction = 0;
    for (std::int32_t bit = 0; bit < fraction_bits; ++bit) {
        uint128 const square = uint128(mantissa) * mantissa;
        auto const carry = std::uint64_t(square >> 127);
        fraction = 2 * fraction + carry;
        mantissa = std::uint64_t(square >> (63 + carry));
    }
    uint128 const log = (uint128(std::uint64_t(exponent)) << fraction_bits) + fraction;
    return std::int64_t((log * 100'000 + (uint128(1) << (fraction_bits - 1))) >> fraction_bits);
}

/// The levels of one kind; levels that an instance lacks never have any power. Counts stay below turns^6 / 48 and power
/// is at most turns, so that their products fit 63 bits.
struct kind_books {
    std::uint64_t count[max_levels];
    std::uint64_t power[max_levels];  ///< how often the machine was bought
};

/// The state of one run.
class ledger {
public:
    OPTGAP_HD static std::int64_t words(words_view instance) {
        std::int64_t const kinds = orchard(instance).kinds;
        return kinds * std::int64_t(sizeof(kind_books) / sizeof(std::int32_t)) + (kinds + 1) / 2 * 2;
    }

    /// `scratch` is 8-byte aligned.
    OPTGAP_HD ledger(orchard const& on, std::int32_t* scratch)
        : on_(on),
          kind_(reinterpret_cast<kind_books*>(scratch)),
          deep_(reinterpret_cast<std::int32_t*>(kind_ + on.kinds)) {}

    OPTGAP_HD void begin() {
        for (std::int32_t k = 0; k < on_.kinds; ++k) {
            for (std::int32_t level = 0; level < max_levels; ++level) {
                kind_[k].count[level] = 1;
                kind_[k].power[level] = 0;
            }
        }
        stock_ = uint128(std::uint64_t(on_.stock));
        flat_ = 0;
        deep_kinds_ = 0;
    }

    OPTGAP_HD void copy(ledger const& other) {
        for (std::int32_t k = 0; k < on_.kinds; ++k) {
            kind_[k] = other.kind_[k];
        }
        for (std::int32_t k = 0; k < other.deep_kinds_; ++k) {
            deep_[k] = other.deep_[k];
        }
        deep_kinds_ = other.deep_kinds_;
        stock_ = other.stock_;
        flat_ = other.flat_;
    }

    /// Copies lane 0's state to all lanes.
    template <class Team>
    OPTGAP_HD void share(Team& team) {
        auto const high = team.broadcast(std::uint64_t(stock_ >> 64));
        auto const low = team.broadcast(std::uint64_t(stock_));
        stock_ = (uint128(high) << 64) + low;
        flat_ = team.broadcast(flat_);
        deep_kinds_ = team.broadcast(deep_kinds_);
        team.sync();
    }

    [[nodiscard]] OPTGAP_HD uint128 stock() const { return stock_; }
    [[nodiscard]] OPTGAP_HD std::uint64_t count(std::int32_t machine) const {
        return kind_[machine % on_.kinds].count[machine / on_.kinds];
    }
    [[nodiscard]] OPTGAP_HD std::uint64_t power(std::int32_t machine) const {
        return kind_[machine % on_.kinds].power[machine / on_.kinds];
    }
    [[nodiscard]] OPTGAP_HD uint128 next_price(std::int32_t machine) const {
        return uint128(on_.price(machine)) * (power(machine) + 1);
    }
    [[nodiscard]] OPTGAP_HD bool affords(std::int32_t machine) const { return next_price(machine) <= stock_; }

    OPTGAP_HD void buy(std::int32_t machine) {
        stock_ -= next_price(machine);
        raise(machine);
    }
    /// Raises the power of a machine without paying.
    OPTGAP_HD void raise(std::int32_t machine) {
        std::int32_t const kind = machine % on_.kinds;
        std::int32_t const level = machine / on_.kinds;
        kind_books& own = kind_[kind];
        bool was_deep = false;
        for (std::int32_t above = 1; above < max_levels; ++above) {
            was_deep = was_deep || own.power[above] > 0;
        }
        ++own.power[level];
        if (was_deep) {
            return;
        }
        if (level == 0) {
            flat_ += std::uint64_t(on_.rates[kind]);
        } else {
            deep_[deep_kinds_++] = kind;
            flat_ -= std::uint64_t(on_.rates[kind]) * own.power[0];
        }
    }

    /// All levels produce in ascending order: level 0 makes apples, each other level machines of the level below it. A
    /// kind without power above level 0 always has one machine there, so that all such kinds are stored as one number.
    OPTGAP_HD void produce() {
        stock_ += flat_;
        for (std::int32_t k = 0; k < deep_kinds_; ++k) {
            kind_books& own = kind_[deep_[k]];
            stock_ += uint128(own.count[0] * own.power[0]) * std::uint64_t(on_.rates[deep_[k]]);
            OPTGAP_UNROLL
            for (std::int32_t level = 1; level < max_levels; ++level) {
                own.count[level - 1] += own.count[level] * own.power[level];
            }
        }
    }

private:
    orchard on_;
    kind_books* kind_;
    std::int32_t* deep_;  ///< kinds with power above level 0
    std::int32_t deep_kinds_ = 0;
    uint128 stock_ = 0;
    std::uint64_t flat_ = 0;  ///< apples that all other kinds make in a turn
};

/// Words of scratch for purse_bound.
OPTGAP_HD inline std::int64_t bound_words(words_view instance) {
    return ledger::words(instance) + 2 * std::int64_t(orchard(instance).machines());
}
/// Upper bound on the final stock of every run that continues from `from` in turn `turn`. Every machine has a purse of
/// its own, which receives all income, and is bought once in every turn in which its purse holds the price. By
/// induction no run has ever earned more, or bought a machine more often. `scratch` has bound_words words.
OPTGAP_HD inline uint128 purse_bound(orchard const& on, words_view instance, ledger const& from, std::int32_t turn,
                                     std::int32_t* scratch) {
    ledger all(on, scratch);
    all.copy(from);
    auto* const spent = reinterpret_cast<std::uint64_t*>(scratch + ledger::words(instance));
    for (std::int32_t m = 0; m < on.machines(); ++m) {
        spent[m] = 0;
    }
    for (; turn < on.turns; ++turn) {
        for (std::int32_t m = 0; m < on.machines(); ++m) {
            auto const price = std::uint64_t(all.next_price(m));
            if (all.stock() >= uint128(spent[m]) + price) {
                spent[m] += price;
                all.raise(m);
            }
        }
        all.produce();
    }
    return all.stock();
}

}  // namespace tasks::apples
OPTGAP_KERNELS_END
