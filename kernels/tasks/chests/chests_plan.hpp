#pragma once
// Local search over plans. A plan has an order in which the chests are opened, and for each use of each weapon a
// target, a chest that opens later. Chest by chest in this order, all uses aimed at it are made, and bare hands do the
// rest.

#include <cstdint>

#include "kernels/core/search_slice.hpp"
#include "kernels/tasks/chests/chests_room.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::chests {

/// No use in a plan is superfluous: without it, the chest would not be opened by the other uses. The number of turns is
/// therefore the number of uses with a target plus the hardness that they leave.
class plan {
public:
    /// Words that must be kept between slices: order, targets and the lists of each chest's uses.
    OPTGAP_HD static std::int64_t kept(words_view instance) {
        room const on(instance);
        return 4 * std::int64_t(on.n) + 3 * std::int64_t(on.whole_uses());
    }
    OPTGAP_HD static std::int64_t words(words_view instance) {
        room const on(instance);
        return kept(instance) + on.n + 1 + on.n * favourites + 4 * std::int64_t(on.whole_uses()) + 3 * spare;
    }

    OPTGAP_HD plan(words_view instance, std::int32_t* scratch) : on_(instance), slots_(on_.whole_uses()) {
        std::int32_t const n = on_.n;
        at_ = scratch;
        pos_ = at_ + n;
        head_ = pos_ + n;
        left_ = head_ + n;
        target_ = left_ + n;
        next_ = target_ + slots_;
        previous_ = next_ + slots_;
        first_ = previous_ + slots_;
        best_targets_ = first_ + n + 1;
        owner_ = best_targets_ + n * favourites;
        freed_ = owner_ + slots_;
        changed_ = freed_ + slots_ + spare;
    }

    /// Computes tables that depend only on the instance.
    OPTGAP_HD void prepare() {
        first_[0] = 0;
        for (std::int32_t weapon = 0; weapon < on_.n; ++weapon) {
            first_[weapon + 1] = first_[weapon] + on_.uses[weapon];
            for (std::int32_t slot = first_[weapon]; slot < first_[weapon + 1]; ++slot) {
                owner_[slot] = weapon;
            }
            std::int32_t* const best = best_targets_ + weapon * favourites;
            std::int32_t count = 0;
            for (std::int32_t chest = 0; chest < on_.n; ++chest) {
                std::int32_t const power = on_.damage(weapon, chest);
                if (count == favourites && power <= on_.damage(weapon, best[count - 1])) {
                    continue;
                }
                count += count < favourites ? 1 : 0;
                std::int32_t place = count - 1;
                for (; place > 0 && on_.damage(weapon, best[place - 1]) < power; --place) {
                    best[place] = best[place - 1];
                }
                best[place] = chest;
            }
        }
    }

    [[nodiscard]] OPTGAP_HD std::int64_t turns() const { return turns_; }
    OPTGAP_HD void set_turns(std::int64_t turns) { turns_ = turns; }

    /// Reads the opening order and the uses of a feasible answer, without the superfluous ones.
    OPTGAP_HD void read(answer_view const& answer) {
        clear();
        std::int32_t opened = 0;
        std::int32_t* const left = freed_;  // at least as many slots as chests
        std::int32_t* const used = changed_;
        for (std::int32_t chest = 0; chest < on_.n; ++chest) {
            left[chest] = on_.hardness[chest];
            used[chest] = 0;
        }
        for (std::int32_t hit = 0; hit < answer.rows; ++hit) {
            std::int32_t const weapon = answer.values[2 * hit];
            std::int32_t const chest = answer.values[2 * hit + 1];
            left[chest] -= on_.damage(weapon, chest);
            if (weapon >= 0) {
                put(first_[weapon] + used[weapon]++, chest);
            }
            if (left[chest] <= 0) {
                pos_[chest] = opened;
                at_[opened++] = chest;
            }
        }
        trim_all();
    }
    /// Copies an order and targets, without the superfluous ones.
    OPTGAP_HD void copy(std::int32_t const* at, std::int32_t const* target) {
        clear();
        for (std::int32_t i = 0; i < on_.n; ++i) {
            at_[i] = at[i];
            pos_[at[i]] = i;
        }
        for (std::int32_t slot = 0; slot < slots_; ++slot) {
            if (target[slot] >= 0) {
                put(slot, target[slot]);
            }
        }
        trim_all();
    }
    [[nodiscard]] OPTGAP_HD std::int32_t const* order() const { return at_; }
    [[nodiscard]] OPTGAP_HD std::int32_t const* targets() const { return target_; }
    [[nodiscard]] OPTGAP_HD std::int32_t slots() const { return slots_; }

    OPTGAP_HD std::int64_t write(std::int32_t* answer) const {
        auto const rows = std::int32_t(turns_);
        answer[0] = rows;
        for (std::int32_t row = 0; row < rows; ++row) {
            answer[1 + row] = 2;
        }
        std::int32_t* next = answer + 1 + rows;
        for (std::int32_t place = 0; place < on_.n; ++place) {
            std::int32_t const chest = at_[place];
            for (std::int32_t slot = head_[chest]; slot >= 0; slot = next_[slot]) {
                *next++ = owner_[slot];
                *next++ = chest;
            }
            for (std::int32_t rest = left_[chest]; rest > 0; --rest) {
                *next++ = -1;
                *next++ = chest;
            }
        }
        return next - answer;
    }

    /// Step `number`: a new target for one use, or a new place for one chest. It is kept if it costs at most as many
    /// turns as `heat`, in 256ths, allows at random.
    OPTGAP_HD void step(draw source, std::int64_t number, std::int64_t heat) {
        draw_stream stream(source, std::uint32_t(number));
        std::int64_t const before = turns_;
        std::int32_t const kind = stream.uniform(0, 3);
        changes_ = 0;
        freed_count_ = 0;
        std::int32_t moved = -1;
        std::int32_t from = 0;
        if (kind > 0) {
            aim(stream);
        } else {
            from = stream.uniform(0, on_.n - 1);
            std::int32_t const far = stream.uniform(0, 3) == 0 ? on_.n : 12;
            std::int32_t to = from + stream.uniform(1, far) * (stream.uniform(0, 1) == 0 ? 1 : -1);
            to = to < 0 ? 0 : to >= on_.n ? on_.n - 1 : to;
            moved = at_[from];
            shift(from, to);
            free_impossible(moved);
        }
        place_freed();
        std::int64_t const allowed = heat == 0 ? 0 : (heat * surprise(stream.next())) >> 16;
        if (turns_ - before > allowed) {
            undo();
            if (moved >= 0) {
                shift(pos_[moved], from);
            }
        }
    }

private:
    static constexpr std::int32_t favourites = 24;
    static constexpr std::int32_t max_placed = 12;
    static constexpr std::int32_t spare = 2 * max_placed + 8;  ///< changes in a step, beyond one for each use

    /// -log2(word / 2^32) in 256ths, interpolated linearly between powers of two.
    OPTGAP_HD static std::int64_t surprise(std::uint32_t word) {
        std::int32_t zeros = 0;
        for (; zeros < 31 && (word & 0x80000000u) == 0; ++zeros) {
            word <<= 1;
        }
        return 256 * std::int64_t(zeros + 1) - (word >> 23 & 255u);
    }

    OPTGAP_HD void clear() {
        turns_ = 0;
        for (std::int32_t chest = 0; chest < on_.n; ++chest) {
            head_[chest] = -1;
            left_[chest] = on_.hardness[chest];
            turns_ += left_[chest];
        }
        for (std::int32_t slot = 0; slot < slots_; ++slot) {
            target_[slot] = -1;
        }
    }
    OPTGAP_HD static std::int64_t rest(std::int32_t left) { return left > 0 ? left : 0; }
    OPTGAP_HD void put(std::int32_t slot, std::int32_t chest) {
        std::int32_t const now = left_[chest] - on_.damage(owner_[slot], chest);
        turns_ += rest(now) - rest(left_[chest]) + 1;
        left_[chest] = now;
        target_[slot] = chest;
        next_[slot] = head_[chest];
        previous_[slot] = -1;
        if (head_[chest] >= 0) {
            previous_[head_[chest]] = slot;
        }
        head_[chest] = slot;
    }
    OPTGAP_HD void take(std::int32_t slot) {
        std::int32_t const chest = target_[slot];
        std::int32_t const now = left_[chest] + on_.damage(owner_[slot], chest);
        turns_ += rest(now) - rest(left_[chest]) - 1;
        left_[chest] = now;
        target_[slot] = -1;
        if (next_[slot] >= 0) {
            previous_[next_[slot]] = previous_[slot];
        }
        if (previous_[slot] >= 0) {
            next_[previous_[slot]] = next_[slot];
        } else {
            head_[chest] = next_[slot];
        }
    }
    /// Records a change, to be undone if the step is not kept.
    OPTGAP_HD void change(std::int32_t slot, std::int32_t chest) {
        changed_[2 * changes_] = slot;
        changed_[2 * changes_ + 1] = target_[slot];
        ++changes_;
        if (target_[slot] >= 0) {
            take(slot);
        }
        if (chest >= 0) {
            put(slot, chest);
        }
    }
    OPTGAP_HD void undo() {
        while (changes_ > 0) {
            --changes_;
            std::int32_t const slot = changed_[2 * changes_];
            if (target_[slot] >= 0) {
                take(slot);
            }
            if (changed_[2 * changes_ + 1] >= 0) {
                put(slot, changed_[2 * changes_ + 1]);
            }
        }
    }
    OPTGAP_HD void release(std::int32_t slot) {
        change(slot, -1);
        freed_[freed_count_++] = slot;
    }
    /// Removes superfluous uses from a chest, the strongest first, and `last` only if no other is superfluous.
    OPTGAP_HD void trim(std::int32_t chest, std::int32_t last) {
        while (left_[chest] < 0) {
            std::int32_t best = -1;
            std::int32_t most = 0;
            for (std::int32_t slot = head_[chest]; slot >= 0; slot = next_[slot]) {
                std::int32_t const own = slot == last ? 0 : on_.damage(owner_[slot], chest);
                bool const more = best < 0 || own > most || (own == most && slot < best);
                if (on_.damage(owner_[slot], chest) <= -left_[chest] && more) {
                    best = slot;
                    most = own;
                }
            }
            if (best < 0) {
                return;
            }
            release(best);
        }
    }

    OPTGAP_HD void trim_all() {
        for (std::int32_t chest = 0; chest < on_.n; ++chest) {
            changes_ = 0;
            freed_count_ = 0;
            trim(chest, -1);
        }
    }

    OPTGAP_HD void aim(draw_stream& stream) {
        std::int32_t const slot = stream.uniform(0, slots_ - 1);
        std::int32_t const weapon = owner_[slot];
        std::int32_t const known = on_.n < favourites ? on_.n : favourites;
        std::int32_t const chest = stream.uniform(0, 7) > 0
                                       ? best_targets_[weapon * favourites + stream.uniform(0, known - 1)]
                                       : stream.uniform(0, on_.n - 1);
        if (pos_[chest] > pos_[weapon] && chest != target_[slot]) {
            change(slot, chest);
            trim(chest, slot);
        }
    }
    OPTGAP_HD void shift(std::int32_t from, std::int32_t to) {
        std::int32_t const moved = at_[from];
        std::int32_t const by = from < to ? 1 : -1;
        for (std::int32_t place = from; place != to; place += by) {
            at_[place] = at_[place + by];
            pos_[at_[place]] = place;
        }
        at_[to] = moved;
        pos_[moved] = to;
    }
    /// Removes uses at a chest by weapons that open after it, and uses of its weapon at chests that open before it.
    OPTGAP_HD void free_impossible(std::int32_t chest) {
        for (std::int32_t slot = head_[chest]; slot >= 0;) {
            std::int32_t const next = next_[slot];
            if (pos_[owner_[slot]] > pos_[chest]) {
                release(slot);
            }
            slot = next;
        }
        for (std::int32_t slot = first_[chest]; slot < first_[chest + 1]; ++slot) {
            if (target_[slot] >= 0 && pos_[target_[slot]] < pos_[chest]) {
                release(slot);
            }
        }
    }
    /// Places the freed uses where each saves most turns, one after the other; this may free other uses.
    OPTGAP_HD void place_freed() {
        std::int32_t const known = on_.n < favourites ? on_.n : favourites;
        for (std::int32_t done = 0; done < freed_count_ && done < max_placed; ++done) {
            std::int32_t const slot = freed_[done];
            std::int32_t const weapon = owner_[slot];
            std::int32_t best = -1;
            std::int64_t most = 1;
            for (std::int32_t k = 0; k < known; ++k) {
                std::int32_t const chest = best_targets_[weapon * favourites + k];
                std::int32_t const power = on_.damage(weapon, chest);
                if (power <= most) {
                    break;
                }
                std::int64_t const useful = power < left_[chest] ? power : rest(left_[chest]);
                if (pos_[chest] > pos_[weapon] && useful > most) {
                    best = chest;
                    most = useful;
                }
            }
            if (best >= 0 && target_[slot] < 0) {
                change(slot, best);
                trim(best, slot);
            }
        }
    }

    room on_;
    std::int32_t slots_;
    std::int64_t turns_ = 0;
    std::int32_t changes_ = 0;
    std::int32_t freed_count_ = 0;
    std::int32_t* at_;
    std::int32_t* pos_;
    std::int32_t* head_;
    std::int32_t* left_;  ///< hardness that the uses leave; negative if they do more damage than needed
    std::int32_t* target_;
    std::int32_t* next_;
    std::int32_t* previous_;
    std::int32_t* first_;         ///< use of each weapon
    std::int32_t* best_targets_;  ///< of each weapon, the most damage first
    std::int32_t* owner_;
    std::int32_t* freed_;
    std::int32_t* changed_;
};

}  // namespace tasks::chests
OPTGAP_KERNELS_END
