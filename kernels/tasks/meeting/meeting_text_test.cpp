// Prompts, JSON and sentences of meeting.

#include <cstdio>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "kernels/tasks/meeting/meeting_fixture.hpp"
#include "tests/support/instance_json.hpp"

namespace optgap {
namespace {

using namespace meeting_fixture;

TEST(meeting_text, tells_each_instance_in_five_ways) {
    block const instance = generate(3, difficulty::benchmark());
    auto const all = tasks::meeting::calendar_of(view(instance));
    std::vector<std::string> seen;
    for (std::int32_t style = 0; style < optgap_text_meeting.styles; ++style) {
        std::string const text = optgap_text_meeting.prompt(view(instance), style, {3, 7});
        for (std::string const& other : seen) {
            EXPECT_NE(text, other);
        }
        for (std::int32_t m = 0; m < all.meetings; ++m) {
            EXPECT_NE(text.find(std::to_string(all.duration[m])), std::string::npos);
        }
        for (std::int32_t i = 0; i < 2 * all.window_end[all.people - 1]; ++i) {
            EXPECT_NE(text.find(std::to_string(all.window[i])), std::string::npos);
        }
        seen.push_back(text);
    }
}

TEST(meeting_text, shows_clock_times_beside_minutes) {
    block const odd =
        calendar(R"({"attendees":[[0]],"durations":[5],"availability":[[[5,65],[600,1439]],[]],"capacities":[1]})");
    std::string const text = optgap_text_meeting.prompt(view(odd), 2, {1, 7});
    EXPECT_NE(text.find("| 0 | 0:05-1:05, 10:00-23:59 | 5-65, 600-1439 |\n| 1 | never | never |\n"), std::string::npos);
}

TEST(meeting_text, shows_worked_examples_that_are_right) {
    std::string shown;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::string const text = optgap_text_meeting.prompt(view(paper), seed % 2 == 0 ? 2 : 3, {seed, 7});
        std::string const example = text.substr(text.find("Worked example"));
        auto const between = [&](char const* from, char const* to) {
            std::size_t const begin = example.find(from) + std::string(from).size();
            return json::parse(example.substr(begin, example.find(to, begin) - begin));
        };
        json instance;
        instance["attendees"] = between("attendees ", ", durations");
        instance["durations"] = between("durations ", ", availability");
        instance["availability"] = between("availability ", ", capacities");
        instance["capacities"] = between("capacities ", ". Person");
        json const rows = between("is over: ", " has 4 attendees");
        block const words = optgap_text_meeting.from_json(instance);
        std::vector<std::int32_t> values;
        for (json const& row : rows) {
            values.insert(values.end(),
                          {row[0].get<std::int32_t>(), row[1].get<std::int32_t>(), row[2].get<std::int32_t>()});
        }
        EXPECT_EQ(verify(words, triples(values)), (verdict{code_ok, -1, 4, 0, 2}));
        EXPECT_EQ(*reference::meeting::optimum(words), 4);
        EXPECT_EQ(optgap_text_meeting.to_json(view(words)), instance);
        EXPECT_NE(example, shown);
        shown = example;
    }
}

TEST(meeting_text, reads_back_the_json_it_writes) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        for (difficulty level : {difficulty::hard(), difficulty::benchmark(), difficulty::scale(10)}) {
            block const instance = generate(seed, level);
            EXPECT_EQ(optgap::testing::read_instance(
                          optgap_text_meeting, optgap::testing::write_instance(optgap_text_meeting, view(instance))),
                      instance);
        }
        block const odd = odd_instance(seed);
        EXPECT_EQ(optgap::testing::read_instance(optgap_text_meeting,
                                                 optgap::testing::write_instance(optgap_text_meeting, view(odd))),
                  odd);
    }
    EXPECT_EQ(
        optgap::testing::write_instance(optgap_text_meeting, view(paper)),
        R"({"attendees":[[0,1,2],[1,3],[0,2,3]],"durations":[60,30,90],)"
        R"("availability":[[[900,1700]],[[900,1200],[1300,1700]],[[900,1700]],[[1000,1400]]],"capacities":[5,3]})");
}

TEST(meeting_text, puts_attendees_and_windows_in_order) {
    block const instance = calendar(
        R"({"attendees":[[2,0]],"durations":[30],"availability":[[[60,90],[0,30],[30,45],[80,100]],[],[[0,9]]],)"
        R"("capacities":[1]})");
    EXPECT_EQ(
        optgap::testing::write_instance(optgap_text_meeting, view(instance)),
        R"({"attendees":[[0,2]],"durations":[30],"availability":[[[0,45],[60,100]],[],[[0,9]]],"capacities":[1]})");
}

TEST(meeting_text, names_the_field_that_breaks_a_rule) {
    char const* const bad[][2] = {
        {"[]", "instance"},
        {R"({"durations":[5],"availability":[[]],"capacities":[1]})", "attendees"},
        {R"({"attendees":[[0]],"durations":[5],"availability":[[]],"capacities":[1],"x":0})", "x"},
        {R"({"attendees":[],"durations":[],"availability":[[]],"capacities":[1]})", "attendees"},
        {R"({"attendees":[[]],"durations":[5],"availability":[[]],"capacities":[1]})", "attendees[0]"},
        {R"({"attendees":[[0,0]],"durations":[5],"availability":[[],[]],"capacities":[1]})", "attendees[0][0]"},
        {R"({"attendees":[[1]],"durations":[5],"availability":[[]],"capacities":[1]})", "attendees[0][0]"},
        {R"({"attendees":[[true]],"durations":[5],"availability":[[]],"capacities":[1]})", "attendees[0][0]"},
        {R"({"attendees":[[0]],"durations":[5,6],"availability":[[]],"capacities":[1]})", "durations"},
        {R"({"attendees":[[0]],"durations":[0],"availability":[[]],"capacities":[1]})", "durations[0]"},
        {R"({"attendees":[[0]],"durations":[1.5],"availability":[[]],"capacities":[1]})", "durations[0]"},
        {R"({"attendees":[[0]],"durations":[5],"availability":[[[5,5]]],"capacities":[1]})", "availability[0][0]"},
        {R"({"attendees":[[0]],"durations":[5],"availability":[[[5]]],"capacities":[1]})", "availability[0][0]"},
        {R"({"attendees":[[0]],"durations":[5],"availability":[[[-5,5]]],"capacities":[1]})", "availability[0][0][0]"},
        {R"({"attendees":[[0]],"durations":[5],"availability":[[[0,1000001]]],"capacities":[1]})",
         "availability[0][0][1]"},
        {R"({"attendees":[[0]],"durations":[5],"availability":[],"capacities":[1]})", "availability"},
        {R"({"attendees":[[0]],"durations":[5],"availability":[[]],"capacities":[18446744073709551615]})",
         "capacities[0]"},
        {R"({"attendees":[[0]],"durations":[5],"availability":[[]],"capacities":7})", "capacities"}};
    for (auto const& [text, field] : bad) {
        try {
            optgap::testing::read_instance(optgap_text_meeting, text);
            ADD_FAILURE() << text;
        } catch (field_error const& caught) {
            EXPECT_EQ(caught.field(), field) << text;
        }
    }
}

std::string explained(block const& answer) {
    return optgap_text_meeting.explain(view(paper), view(answer), verify(paper, answer));
}

TEST(meeting_text, explains_each_broken_rule_with_its_numbers) {
    EXPECT_EQ(explained(triples({0, 0, 900, 1, 1, 1000, 2, 0, 1020})),
              "Person 3 is in meeting 2 (90 minutes from 1020) while meeting 1 (30 minutes from 1000) is on.");
    EXPECT_EQ(explained(triples({0, 0, 1000, 1, 0, 1010})),
              "Room 0 holds meeting 1 (30 minutes from 1010) while meeting 0 (60 minutes from 1000) is on.");
    EXPECT_EQ(explained(triples({1, 0, 1180})),
              "Person 1 is not available for all of meeting 1 (30 minutes from 1180).");
    EXPECT_EQ(explained(triples({0, 2, 1180})),
              "There is no room 2 (entry 0 (counted from 0)): there are 2, numbered from 0.");
    EXPECT_EQ(explained(triples({0, 0, 900, 0, 1, 900})),
              "Meeting 0 is scheduled again at entry 1 (counted from 0), but takes place at most once.");
    EXPECT_EQ(explained({answer_flat}), "No meeting is scheduled, although at least one can take place.");
    EXPECT_EQ(explained({2, 3, 2, 0, 0, 900, 1, 1}),
              "The entry 1 (counted from 0) does not have exactly three numbers: meeting, room, start.");
    EXPECT_EQ(explained({1, 0}), "An entry does not have exactly three numbers: meeting, room, start.");
    EXPECT_EQ(explained(triples({0, 0, 900})), "The schedule keeps every rule and has 3 attendees.");
}

}  // namespace
}  // namespace optgap
