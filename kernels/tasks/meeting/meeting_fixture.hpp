#pragma once
// Shared by the tests of meeting: instances, and one solo call of each of the task's functions.

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/tasks/meeting/meeting.hpp"
#include "kernels/tasks/meeting/meeting_reference.hpp"
#include "kernels/text/task_text.hpp"
#include "tests/support/instance_json.hpp"

extern optgap::task_text const optgap_text_meeting;

namespace optgap::meeting_fixture {

using optgap::tasks::meeting::task;
using block = std::vector<std::int32_t>;

inline words_view view(block const& words) { return {words.data(), std::int64_t(words.size())}; }

/// 64-byte aligned, and filled with arbitrary values: scratch is never zero.
class scratch_memory {
public:
    explicit scratch_memory(std::int64_t words) : memory_(std::size_t(words) + 16, 0x5a5a5a5a) {}
    std::int32_t* data() {
        auto const address = reinterpret_cast<std::uintptr_t>(memory_.data());
        return memory_.data() + (64 - address % 64) % 64 / 4;
    }

private:
    block memory_;
};

inline block calendar(char const* text) { return optgap::testing::read_instance(optgap_text_meeting, text); }

inline block const paper = calendar(
    R"({"attendees":[[0,1,2],[1,3],[0,2,3]],"durations":[60,30,90],)"
    R"("availability":[[[900,1700]],[[900,1200],[1300,1700]],[[900,1700]],[[1000,1400]]],"capacities":[5,3]})");

/// The block of rows of three values each.
inline block triples(std::vector<std::int32_t> const& values) {
    block out = {std::int32_t(values.size() / 3)};
    out.resize(1 + values.size() / 3, 3);
    out.insert(out.end(), values.begin(), values.end());
    return out;
}

/// The verifier's verdict, which must equal the oracle's.
inline verdict verify(block const& instance, block const& answer) {
    solo team;
    scratch_memory scratch(task::scratch_words(view(instance)));
    verdict const found = task::verify(team, view(instance), view_answer(view(answer)), scratch.data());
    EXPECT_EQ(found, reference::meeting::verify(instance, answer));
    return found;
}

inline block generate(std::uint64_t seed, difficulty level) {
    solo team;
    draw const source{seed, 0x3ee7};
    block words(std::size_t(task::instance_words(source, level)));
    scratch_memory scratch(task::generate_scratch_words(source, level));
    task::generate(team, source, level, words.data(), scratch.data());
    return words;
}

struct solved {
    solve_result result;
    block answer;
};
inline solved solve(block const& instance, std::int64_t budget = task::default_budget) {
    scratch_memory scratch(task::exact_scratch_words(view(instance)));
    solved found{{}, block(std::size_t(task::answer_words(view(instance))))};
    found.result = task::exact(view(instance), budget, found.answer.data(), scratch.data());
    found.answer.resize(std::size_t(found.result.answer_words));
    return found;
}

/// The answer that `write(answer, scratch)` writes.
template <class Writer>
block written(block const& instance, Writer const& write) {
    scratch_memory scratch(task::scratch_words(view(instance)));
    block answer(std::size_t(task::answer_words(view(instance))));
    answer.resize(std::size_t(write(answer.data(), scratch.data())));
    return answer;
}
inline block greedy(block const& instance) {
    solo team;
    return written(instance, [&](std::int32_t* answer, std::int32_t* scratch) {
        return task::greedy(team, view(instance), answer, scratch);
    });
}
inline block floor(block const& instance) {
    solo team;
    return written(instance, [&](std::int32_t* answer, std::int32_t* scratch) {
        return task::floor(team, view(instance), answer, scratch);
    });
}

struct improved {
    improve_result result;
    block answer;
};
inline improved improve(block const& instance, block const& start, std::int64_t steps, std::uint64_t seed = 3) {
    solo team;
    scratch_memory scratch(task::scratch_words(view(instance)));
    improved found{{}, start};
    found.answer.resize(start.size() + std::size_t(task::answer_words(view(instance))));
    found.result =
        task::improve(team, view(instance), found.answer.data(), {.answer_words = std::int64_t(start.size())},
                      {0, steps}, draw{seed, 7}, scratch.data());
    found.answer.resize(std::size_t(found.result.answer_words));
    return found;
}

/// Small instances with odd minutes: windows of any length, long and short meetings, rooms that are scarce or missing.
/// Two in three are busy: they have more meetings than fit.
inline block odd_instance(std::uint64_t seed) {
    draw_stream stream(draw{seed, 99}, 0);
    bool const busy = seed % 3 != 0;
    std::int32_t const meetings = stream.uniform(busy ? 5 : 1, busy ? 7 : 6);
    std::int32_t const people = stream.uniform(busy ? 3 : 1, 6);
    std::int32_t const rooms = stream.uniform(busy ? 1 : 0, 3);
    block words = {meetings, people, rooms};
    block lists;
    std::int32_t const longest = busy ? 7 : stream.uniform(0, 1) == 0 ? 4 : 17;
    for (std::int32_t m = 0; m < meetings; ++m) {
        words.push_back(stream.uniform(1, longest));
    }
    for (std::int32_t m = 0; m < meetings; ++m) {
        std::int32_t const certain = stream.uniform(0, people - 1);
        for (std::int32_t p = 0; p < people; ++p) {
            if (p == certain || stream.chance(350)) {
                lists.push_back(p);
            }
        }
        words.push_back(std::int32_t(lists.size()));
    }
    std::int32_t windows = 0;
    for (std::int32_t p = 0; p < people; ++p) {
        std::int32_t t = stream.uniform(0, busy ? 2 : 6);
        for (std::int32_t w = stream.uniform(stream.chance(50) ? 0 : 1, busy ? 2 : 3); w > 0; --w) {
            lists.push_back(t);
            lists.push_back(t + stream.uniform(busy ? 8 : 1, busy ? 16 : 19));
            t = lists.back() + stream.uniform(1, busy ? 2 : 8);
            ++windows;
        }
        words.push_back(windows);
    }
    for (std::int32_t r = 0; r < rooms; ++r) {
        words.push_back(stream.uniform(0, people + 1));
    }
    words.insert(words.end(), lists.begin(), lists.end());
    return words;
}

}  // namespace optgap::meeting_fixture
