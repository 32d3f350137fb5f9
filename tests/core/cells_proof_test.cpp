// Proofs by the family of cells, reported to a sink. The tree in the lines is replayed without the search, and found
// closed. Slices report the same lines as the whole search.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/core/exact_call.hpp"
#include "kernels/tasks/futoshiki/futoshiki.hpp"

namespace optgap {
namespace {

using task = tasks::futoshiki::task;
using block = std::vector<std::int32_t>;

struct recorder {
    static constexpr bool wanted = true;
    std::vector<block> lines;
    template <class... Numbers>
    void line(std::int32_t kind, Numbers... numbers) {
        lines.push_back({kind, std::int32_t(numbers)...});
    }
};

struct logged_solve {
    solve_result result;
    block answer;
    std::vector<block> lines;
};

/// The search in slices that end at these steps.
logged_solve solved(block const& words, std::vector<std::int64_t> const& ends) {
    words_view const instance{words.data(), std::int64_t(words.size())};
    logged_solve out{{}, block(std::size_t(task::answer_words(instance))), {}};
    block scratch(std::size_t(exact_call<task>::scratch_words(instance)));
    block state(std::size_t(exact_call<task>::state_words(instance)), -1);
    recorder sink;
    std::int64_t begin = 0;
    for (std::int64_t const end : ends) {
        scratch.assign(scratch.size(), 0x5A5A5A5A);
        out.result = exact_call<task>::run(instance, out.result, {begin, end, state.data()}, out.answer.data(),
                                           scratch.data(), sink);
        if (out.result.status == baseline_status::optimal || out.result.steps < end) {
            break;
        }
        begin = end;
    }
    out.lines = sink.lines;
    return out;
}

/// The number of grids that satisfy all constraints with these values and givens, counted cell by cell.
std::int64_t solutions(block const& words, std::vector<std::array<std::int32_t, 2>> const& values) {
    words_view const instance{words.data(), std::int64_t(words.size())};
    std::int32_t const n = words[0];
    block grid(words.begin() + 2, words.begin() + 2 + n * n);
    for (auto const& [cell, value] : values) {
        if (grid[std::size_t(cell)] != 0 && grid[std::size_t(cell)] != value) {
            return 0;
        }
        grid[std::size_t(cell)] = value;
    }
    auto const count = [&](auto const& self, std::size_t at) -> std::int64_t {
        while (at < grid.size() && grid[at] != 0) {
            ++at;
        }
        if (at == grid.size()) {
            for (std::int32_t k = 0; k < task::constraints(instance); ++k) {
                if (!families::holds(task::constraint(instance, k), grid.data())) {
                    return 0;
                }
            }
            return 1;
        }
        std::int64_t found = 0;
        for (std::int32_t value = 1; value <= n; ++value) {
            bool repeats = false;
            for (std::size_t other = 0; other < grid.size(); ++other) {
                bool const meets =
                    other / std::size_t(n) == at / std::size_t(n) || other % std::size_t(n) == at % std::size_t(n);
                repeats = repeats || (meets && other != at && grid[other] == value);
            }
            grid[at] = value;
            found += repeats ? 0 : self(self, at + 1);
            grid[at] = 0;
        }
        return found;
    };
    return count(count, 0);
}

/// Reads the tree. Each branch must list every value that a solution below it has, each listed value is tried, each
/// leaf must have no solution.
class replay {
public:
    replay(block const& words, std::vector<block> const& lines) : words_(words), lines_(lines) {}

    bool closed() {
        bool const whole = node(0);
        return whole && next_ == lines_.size();
    }
    int leaves = 0;

private:
    bool node(std::int32_t level) {
        if (next_ == lines_.size() || lines_[next_][1] != level) {
            return false;
        }
        block const own = lines_[next_++];
        if (own[0] == families::cells_dead) {
            ++leaves;
            return solutions(words_, values_) == 0;
        }
        if (own[0] != families::cells_branch) {
            return false;
        }
        std::uint64_t const listed = std::uint32_t(own[3]) | std::uint64_t(std::uint32_t(own[4])) << 32;
        for (std::int32_t value = 1; value <= words_[0]; ++value) {
            values_.push_back({own[2], value});
            bool good = true;
            if ((listed >> value & 1) == 0) {
                good = solutions(words_, values_) == 0;
            } else {
                good = next_ < lines_.size() && lines_[next_] == block{families::cells_tried, level, own[2], value};
                ++next_;
                good = good && node(level + 1);
            }
            values_.pop_back();
            if (!good) {
                return false;
            }
        }
        return true;
    }

    block const& words_;
    std::vector<block> const& lines_;
    std::size_t next_ = 0;
    std::vector<std::array<std::int32_t, 2>> values_;
};

/// A square of 4 rows with two givens and five signs that propagation alone does not refute.
block unsolvable() {
    return {4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 3, 0, 0, 0,
            3, 0, 2, 1, 2, 1, 1, 1, 2, 1, 3, 2, 2, 2, 1, 2, 2, 2, 3};
}

TEST(cells_proof, a_square_without_a_solution_has_a_closed_tree) {
    block const words = unsolvable();
    ASSERT_EQ(solutions(words, {}), 0);
    logged_solve const whole = solved(words, {1000});
    EXPECT_EQ(whole.result.bound, 12) << "all but one";
    EXPECT_LT(whole.result.steps, 1000);
    replay tree(words, whole.lines);
    EXPECT_TRUE(tree.closed());
    EXPECT_GT(tree.leaves, 1);
    for (std::size_t gone = 0; gone < whole.lines.size(); ++gone) {
        std::vector<block> fewer = whole.lines;
        fewer.erase(fewer.begin() + std::ptrdiff_t(gone));
        EXPECT_FALSE(replay(words, fewer).closed()) << "without line " << gone;
    }
}

/// A step on one in a hundred of the cells is only a part of a value's cost.
TEST(cells_proof, slices_end_where_the_whole_search_ends_and_tell_the_same) {
    std::int64_t cut = 0;
    for (std::int32_t const d : {16, 57}) {
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            draw const source{seed, 5};
            difficulty const level = difficulty::scale(d);
            block words(std::size_t(task::instance_words(source, level)));
            block scratch(std::size_t(task::generate_scratch_words(source, level)));
            solo team;
            task::generate(team, source, level, words.data(), scratch.data());
            logged_solve const whole = solved(words, {400});
            std::vector<std::int64_t> ends;
            for (std::int64_t at = 1; at < 400; at += 1 + std::int64_t(seed) + at / 3) {
                ends.push_back(at);
            }
            ends.push_back(400);
            logged_solve const sliced = solved(words, ends);
            EXPECT_EQ(sliced.answer, whole.answer);
            EXPECT_EQ(sliced.lines, whole.lines);
            EXPECT_EQ(sliced.result.steps, whole.result.steps);
            EXPECT_EQ(sliced.result.status, whole.result.status);
            EXPECT_EQ(sliced.result.bound, whole.result.bound);
            cut += whole.result.steps == 400 ? 1 : 0;
        }
    }
    EXPECT_GT(cut, 0) << "some search is longer";
}

TEST(cells_proof, a_plant_as_start_is_proven_before_the_first_step) {
    for (std::int32_t const d : {0, 16, 57}) {
        draw const source{9, 5};
        difficulty const level = difficulty::scale(d);
        block words(std::size_t(task::instance_words(source, level)));
        block scratch(std::size_t(task::generate_scratch_words(source, level)));
        solo team;
        task::generate(team, source, level, words.data(), scratch.data());
        words_view const instance{words.data(), std::int64_t(words.size())};
        block answer(std::size_t(task::planted_words(source, level)));
        block work(std::size_t(task::planted_scratch_words(source, level)));
        ASSERT_EQ(task::planted(source, level, answer.data(), work.data()), std::int64_t(answer.size()));
        verdict const found =
            task::verify(team, instance, view_answer({answer.data(), task::answer_words(instance)}), nullptr);
        EXPECT_EQ(found.objective, task::constraints(instance));
        recorder sink;
        solve_result const start{.objective = found.objective, .answer_words = std::int64_t(answer.size())};
        block const before = answer;
        solve_result const result = exact_call<task>::run(instance, start, {0, 100}, answer.data(), work.data(), sink);
        EXPECT_EQ(result.status, baseline_status::optimal);
        EXPECT_EQ(result.steps, 0);
        EXPECT_EQ(answer, before);
        EXPECT_TRUE(sink.lines.empty());
    }
}

}  // namespace
}  // namespace optgap
