#pragma once
// The longest common subsequence of several words: what remains of each when some letters are removed.
//
//   ACGT, AGCT, CAGT:   AGT, 3 letters, is the optimum; ACT is not a subsequence of CAGT

#include "kernels/core/check_layout.hpp"
#include "kernels/families/declarative_task.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/common_subsequence/common_subsequence_moves.hpp"
#include "kernels/tasks/common_subsequence/common_subsequence_search.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::common_subsequence {

// Purposes of random words.
inline constexpr std::uint32_t draw_plant = 0;
inline constexpr std::uint32_t draw_words = 1;

inline constexpr field words_layout[] = {
    {"k", field_kind::size, "there are 2 to 64 words", 2, 64},
    {"longest", field_kind::size, "a word has 1 to 1000 letters", 1, 1000},
    {"letters", field_kind::number, "letters, how many different ones there may be, is 1 to 4", 1, max_letters},
    {"words", field_kind::lists, "the letters of a word are 1 to letters", 1, of(2), of(0), of(1)},
};

struct task : families::searching<task, families::declarative_task> {
    using neighbourhood = letter_changes;
    static constexpr sense objective_sense = sense::maximise;
    static constexpr char const* codes[] = {"not_common", nullptr};
    static constexpr char const* bound_kinds[] = {"proven", "pairs of words", nullptr};
    static constexpr std::span<field const> layout = words_layout;

    static char const* check(words_view instance) {
        if (char const* const broken = check_layout(layout, instance)) {
            return broken;
        }
        word_list const words(instance);
        for (std::int32_t i = 0; i < words.k; ++i) {
            if (words.length(i) == 0) {
                return "every word has a letter";
            }
        }
        return nullptr;
    }

    OPTGAP_HD static std::int32_t words_of(difficulty level) {
        std::int32_t const k = 3 + step_of(level) / 8;
        return k < 12 ? k : 12;
    }
    OPTGAP_HD static std::int32_t length_of(difficulty level) {
        std::int32_t const length = 8 + step_of(level) + step_of(level) / 4;
        return length < 200 ? length : 200;
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return 3 + std::int64_t(words_of(level)) * length_of(level);
    }
    /// A planted word of half the length is placed in all words at random positions; then each word loses a quarter of
    /// its letters, different ones in each.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* out, std::int32_t*) {
        std::int32_t const k = words_of(level);
        std::int32_t const length = length_of(level);
        std::int32_t const planted = length / 2;
        if (team.rank() == 0) {
            out[0] = k;
            out[1] = length;
            out[2] = max_letters;
        }
        team.each(k, [&](std::int64_t i) {
            std::int32_t* const word = out + 3 + i * length;
            std::int32_t left = planted;
            // Two random words for each letter: the first decides whether a planted letter is placed here (all choices
            // of positions are equally likely), the second which letter is placed otherwise.
            for (std::int32_t at = 0; at < length; ++at) {
                std::uint32_t const draw = std::uint32_t(3 * (i * length + at));
                bool const kept = uniform(source, draw_words, draw, 0, length - at - 1) < left;
                bool const lost = uniform(source, draw_words, draw + 1, 0, 999) < 250;
                word[at] = kept && !lost ? uniform(source, draw_plant, std::uint32_t(planted - left), 1, max_letters)
                                         : uniform(source, draw_words, draw + 2, 1, max_letters);
                left -= kept ? 1 : 0;
            }
        });
        team.sync();
    }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return word_list(instance).k; }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(instance[1]); }
    /// One letter past the matched part, for each word; letters beyond the length of a word are not counted.
    OPTGAP_HD static std::int64_t violation_max(word_list const& words) {
        return std::int64_t(words.k) * words.longest;
    }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t*) {
        word_list const words(instance);
        std::int64_t const most = violation_max(words);
        if (answer.is_word()) {
            return worst(code_unparsable, most);
        }
        if (!answer.is_flat() && answer.rows != 0) {
            return worst(code_bad_depth, most);
        }
        std::int64_t outside = INT64_MAX;
        team.each(answer.count, [&](std::int64_t i) {
            if (i < outside && (answer.values[i] < 1 || answer.values[i] > words.letters)) {
                outside = i;
            }
        });
        outside = team.min_by(outside, 0).key;
        if (outside != INT64_MAX) {
            return worst(code_out_of_range, most, std::int32_t(outside));
        }
        std::int64_t past = 0;
        std::int64_t first = INT64_MAX;
        team.each(words.k, [&](std::int64_t i) {
            std::int64_t matched = 0;
            for (std::int32_t at = 0; matched < answer.count; ++matched) {
                at = words.behind(i, at, answer.values[matched]);
                if (at == 0) {
                    break;
                }
            }
            std::int64_t const own = answer.count - matched;
            past += own < words.longest ? own : words.longest;
            first = own > 0 && i < first ? i : first;
        });
        past = team.sum(past);
        first = team.min_by(first, 0).key;
        if (past > 0) {
            return {first_task_code, std::int32_t(first), 0, past, most};
        }
        return {code_ok, -1, answer.count, 0, most};
    }

    /// The letter with the most occurrences common to all words, repeated that often; ties by letter.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        word_list const words(instance);
        std::int64_t most = 0;
        std::int32_t chosen = 1;
        for (std::int32_t c = 1; c <= words.letters; ++c) {
            std::int64_t least = words.longest;
            team.each(words.k, [&](std::int64_t i) {
                std::int64_t count = 0;
                for (std::int32_t at = 0; at < words.longest; ++at) {
                    count += words.word(i)[at] == c ? 1 : 0;
                }
                least = count < least ? count : least;
            });
            least = team.min_by(least, 0).key;
            chosen = least > most ? c : chosen;
            most = least > most ? least : most;
        }
        team.each(1 + most, [&](std::int64_t i) { answer[i] = i == 0 ? answer_flat : chosen; });
        team.sync();
        return 1 + most;
    }

    /// The letter whose next positions are nearest, summed over the words; ties by letter.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        return grow(team, instance, answer, scratch, [](std::int64_t const* moved, std::int32_t letters) {
            ranked best{INT64_MAX, 0};
            for (std::int32_t c = 1; c <= letters; ++c) {
                best = smaller(best, {moved[c - 1], c});
            }
            return best.index;
        });
    }
    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        draw_stream stream(source, 0);
        return grow(team, instance, answer, scratch, [&](std::int64_t const* moved, std::int32_t letters) {
            search::noisy_pick pick(stream);
            for (std::int32_t c = 1; c <= letters; ++c) {
                if (moved[c - 1] < INT64_MAX) {
                    pick.offer(c, moved[c - 1]);
                }
            }
            return pick.chosen();
        });
    }

    static std::int64_t exact_state_words(words_view instance) {
        return place_search::state_words(word_list(instance));
    }
    static std::int64_t exact_scratch_words(words_view instance) {
        return exact_state_words(instance) + place_search::scratch_words(word_list(instance));
    }
    template <class Proof>
    static solve_result exact(words_view instance, solve_result result, search_slice slice, std::int32_t* answer,
                              std::int32_t* scratch, Proof&) {
        solo team;
        std::int32_t* const tables = scratch + exact_state_words(instance);
        if (slice.fresh() && result.answer_words == 0) {
            result.answer_words = greedy(team, instance, answer, tables);
            result.objective = result.answer_words - 1;
        }
        place_search search(word_list(instance), slice.state != nullptr ? slice.state : scratch, tables);
        if (slice.fresh()) {
            search.begin();
        } else {
            search.take_up();
        }
        search.run(slice.end, std::int32_t(result.objective), [&](std::int32_t const* letters, std::int32_t length) {
            answer[0] = answer_flat;
            for (std::int32_t i = 0; i < length; ++i) {
                answer[1 + i] = letters[i];
            }
            result.answer_words = 1 + length;
            result.objective = length;
        });
        search.keep();
        result.steps = search.steps();
        settle(result, search.bound(std::int32_t(result.objective)), 1);
        return result;
    }

private:
    /// Appends letters, each chosen by pick(moved, letters) from those that all words still contain. `moved` is the sum
    /// by which the positions move, INT64_MAX for a letter that some word no longer contains.
    template <class Team, class Pick>
    OPTGAP_HD static std::int64_t grow(Team& team, words_view instance, std::int32_t* answer, std::int32_t* places,
                                       Pick const& pick) {
        word_list const words(instance);
        team.each(words.k, [&](std::int64_t i) { places[i] = 0; });
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        for (std::int64_t used = 1;; ++used) {
            std::int64_t moved[max_letters];
            bool ended = true;
            for (std::int32_t c = 1; c <= words.letters; ++c) {
                std::int64_t own = 0;
                bool missing = false;
                team.each(words.k, [&](std::int64_t i) {
                    std::int32_t const at = words.behind(i, places[i], c);
                    own += at - places[i];
                    missing |= at == 0;
                });
                own = team.sum(own);
                missing = team.any(missing);
                moved[c - 1] = missing ? INT64_MAX : own;
                ended = ended && missing;
            }
            if (ended) {
                return used;
            }
            std::int32_t const next = pick(moved, words.letters);
            team.each(words.k, [&](std::int64_t i) { places[i] = words.behind(i, places[i], next); });
            if (team.rank() == 0) {
                answer[used] = next;
            }
            team.sync();
        }
    }
};

}  // namespace tasks::common_subsequence
OPTGAP_KERNELS_END
