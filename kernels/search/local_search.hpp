#pragma once
// Local search over declared moves, by any team. Each step makes the best move, even if it loses. Something that has
// just moved may not move again, unless the move leads to a better state than any before (tabu search, Glover 1989).
// After many steps without a better answer, some random moves lead away from the best one (iterated local search,
// Stützle 1998). Ties go by index, counted from a random one in each step. Lanes share the moves, and the answer does
// not depend on the team. A search may be cut after any step.
//
// Its state has a loss, which guides the search and need not be the objective. Moves are grouped in rows, each handled
// by one lane; a move's number is row * width + place. A neighbourhood defines
//
//   image_words(instance)           words of scratch kept between slices: the state and what is expensive to
//                                   recompute; an even number
//   table_words(instance)           words of scratch that every slice recomputes
//   things(instance)                number of things that move, at least 1
//   (instance, image, tables)       constructor
//   prepare(team)                   computes tables that no move changes; synced
//   look(team)                      computes tables of a state that an earlier slice left; synced
//   begin(team, answer)             sets the state of a feasible answer; returns its loss; synced
//   objective(loss)                 of the state, no_objective if it is no answer; the same on all lanes
//   write(team, answer)             writes the state as a block; returns its words; synced
//   rows(), width()                 the state's moves; the same on all lanes
//   each_move(row, offer)           calls offer(place, change of the loss) for each permitted move of a row
//   moved(move)                     the one or two things that a move moves
//   apply(team, move)               makes the move; called by all lanes; synced
//
// It may also define ideal(), a loss that no state is below: the search ends when it is reached; rest(instance), the
// minimum number of steps for which a thing that has moved may not move again, by default one plus an eighth of the
// number of things (a random number of steps, at most as many again, is added); and first(team), called before the
// first `begin`, which computes the part of the image that no move changes; synced.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/search_slice.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

struct moved_things {
    std::int32_t first;
    std::int32_t second = -1;
};

/// The state of a search, apart from the neighbourhood's image and the steps from which things may move again.
struct local_numbers {
    std::int64_t loss;
    std::int64_t least;   ///< least loss of all states
    std::int64_t kept;    ///< loss of the best answer
    std::int32_t now;     ///< steps since the last kick
    std::int32_t better;  ///< the last of these steps that found a better answer
};

template <class Moves>
[[nodiscard]] OPTGAP_HD std::int64_t local_image_words(words_view instance) {
    return Moves::image_words(instance) + (Moves::things(instance) + 1) / 2 * 2;
}
template <class Moves>
[[nodiscard]] std::int64_t local_scratch_words(words_view instance) {
    return local_image_words<Moves>(instance) + Moves::table_words(instance);
}
template <class Moves>
[[nodiscard]] std::int64_t local_state_words(words_view instance) {
    return kept_words<local_numbers>(local_image_words<Moves>(instance));
}

template <class Moves, class Team>
class local_search {
public:
    /// Starts from an answer with objective `result.objective`, which the best answer found replaces.
    OPTGAP_HD local_search(Team& team, words_view instance, sense direction, std::int32_t* answer,
                           improve_result const& result, draw source, std::int32_t* scratch)
        : team_(team),
          moves_(instance, scratch, scratch + local_image_words<Moves>(instance)),
          direction_(direction),
          answer_(answer),
          result_(result),
          source_(source),
          scratch_(scratch),
          image_(local_image_words<Moves>(instance)),
          free_at_(scratch + Moves::image_words(instance)),
          things_(Moves::things(instance)),
          rest_(1 + things_ / 8) {
        if constexpr (requires { Moves::rest(instance); }) {
            rest_ = Moves::rest(instance);
        }
    }

    OPTGAP_HD improve_result run(search_slice slice) {
        moves_.prepare(team_);
        if (slice.fresh()) {
            if constexpr (requires { moves_.first(team_); }) {
                moves_.first(team_);
            }
            go_back();
            at_.least = at_.kept = at_.loss;
        } else {
            take_up(team_, slice, at_, scratch_, image_);
            moves_.look(team_);
        }
        for (; result_.moves < slice.end && !is_ideal(); ++result_.moves) {
            philox_block const chance = random_block(source_, 0, std::uint32_t(result_.moves));
            if (at_.now - at_.better >= patience()) {
                kick(chance);
            }
            ranked chosen = best_move(chance);
            if (chosen.key == never) {  // nothing may move, or there is no move
                chosen = random_move(chance);
            }
            if (chosen.key == never) {
                break;
            }
            make(chosen, chance.word[1]);
            note();
        }
        result_.evaluations += team_.sum(rated_);
        keep(team_, slice, at_, scratch_, image_);
        return result_;
    }

private:
    static constexpr std::int64_t never = INT64_MAX;

    [[nodiscard]] OPTGAP_HD std::int32_t patience() const { return 10 + things_; }

    [[nodiscard]] OPTGAP_HD bool is_ideal() const {
        if constexpr (requires { Moves::ideal(); }) {
            return at_.kept <= Moves::ideal();
        } else {
            return false;
        }
    }

    /// Returns to the state of the best answer; everything may move.
    OPTGAP_HD void go_back() {
        team_.sync();
        team_.each(things_, [&](std::int64_t i) { free_at_[i] = 0; });
        at_.loss = moves_.begin(team_, view_answer({answer_, result_.answer_words}));
        at_.now = at_.better = 0;
    }

    /// Returns {change, move}; the change is `never` if no move is permitted.
    [[nodiscard]] OPTGAP_HD ranked best_move(philox_block const& chance) {
        std::int32_t const width = moves_.width();
        std::int32_t const count = moves_.rows() * width;
        std::int32_t const first = count > 0 ? to_range(chance.word[0], 0, count - 1) : 0;
        ranked own{never, INT32_MAX};
        for (std::int32_t row = team_.rank(); row < moves_.rows(); row += team_.size()) {
            moves_.each_move(row, [&](std::int32_t place, std::int64_t change) {
                ++rated_;
                std::int32_t const move = row * width + place;
                ranked const offered{change, move < first ? move - first + count : move - first};
                if (change <= own.key && (is_free(moves_.moved(move)) || at_.loss + change < at_.least)) {
                    own = smaller(own, offered);
                }
            });
        }
        ranked const best = team_.min_by(own.key, own.index);
        std::int32_t const before = count - first;  // among the moves from `first` on
        return {best.key, best.index < before ? best.index + first : best.index - before};
    }
    [[nodiscard]] OPTGAP_HD bool is_free(moved_things things) const {
        return free_at_[things.first] <= at_.now && (things.second < 0 || free_at_[things.second] <= at_.now);
    }

    OPTGAP_HD void make(ranked chosen, std::uint32_t word) {
        moved_things const things = moves_.moved(chosen.index);
        team_.sync();
        ++at_.now;
        if (team_.rank() == 0) {
            std::int32_t const until = at_.now + rest_ + to_range(word, 0, rest_);
            free_at_[things.first] = until;
            free_at_[things.second < 0 ? things.first : things.second] = until;
        }
        at_.loss += chosen.key;
        moves_.apply(team_, chosen.index);
    }

    /// Makes random moves from the best answer.
    OPTGAP_HD void kick(philox_block const& chance) {
        go_back();
        std::int32_t const wanted = 2 + to_range(chance.word[2], 0, 1 + things_ / 3);
        for (std::int32_t made = 0; made < wanted; ++made) {
            philox_block const words = random_block(source_, std::uint32_t(made) + 1, std::uint32_t(result_.moves));
            ranked const chosen = random_move(words);
            if (chosen.key == never) {
                return;
            }
            make(chosen, words.word[1]);
        }
        at_.better = at_.now;
    }
    /// Called by one lane: a random move of a random row, or of the first row after it that has one.
    [[nodiscard]] OPTGAP_HD ranked random_move(philox_block const& words) {
        ranked chosen{never, 0};
        if (team_.rank() == 0) {
            std::int32_t const rows = moves_.rows();
            std::int32_t row = rows > 0 ? to_range(words.word[0], 0, rows - 1) : 0;
            for (std::int32_t seen = 0; seen < rows && chosen.key == never; ++seen) {
                std::uint32_t least = 0;
                moves_.each_move(row, [&](std::int32_t place, std::int64_t change) {
                    std::uint32_t const lot = mixed(words.word[2] + std::uint32_t(place));
                    if (chosen.key == never || lot < least) {
                        chosen = {change, row * moves_.width() + place};
                        least = lot;
                    }
                });
                row = row + 1 < rows ? row + 1 : 0;
            }
        }
        return team_.broadcast(chosen);
    }
    /// A permutation of the 32-bit words without a visible pattern.
    [[nodiscard]] OPTGAP_HD static std::uint32_t mixed(std::uint32_t x) {
        x = (x ^ x >> 16) * 0x7FEB352Du;
        x = (x ^ x >> 15) * 0x846CA68Bu;
        return x ^ x >> 16;
    }

    /// Keeps the state if it is a better answer, or an equally good one with less loss.
    OPTGAP_HD void note() {
        at_.least = at_.loss < at_.least ? at_.loss : at_.least;
        std::int64_t const objective = moves_.objective(at_.loss);
        if (objective == no_objective) {
            return;
        }
        bool const more = objective > result_.objective;
        bool const better = objective != result_.objective && more == (direction_ == sense::maximise);
        if (better || (objective == result_.objective && at_.loss < at_.kept)) {
            result_.objective = objective;
            result_.answer_words = moves_.write(team_, answer_);
            at_.kept = at_.loss;
            at_.better = at_.now;
        }
    }

    Team& team_;
    Moves moves_;
    sense direction_;
    std::int32_t* answer_;
    improve_result result_;
    draw source_;
    std::int32_t* scratch_;
    std::int64_t image_;
    std::int32_t* free_at_;  ///< the step from which each thing may move again
    std::int32_t things_;
    std::int32_t rest_;
    std::int64_t rated_ = 0;  ///< by this lane
    local_numbers at_{};
};

}  // namespace search
OPTGAP_KERNELS_END
