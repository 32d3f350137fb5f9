// Proposals: the gates of the text against their slow reference, and the independence of rows.

#include "optgap/proposals/proposal.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/support/sample.hpp"
#include "tests/support/task_cases.hpp"
#include "tests/text/reference_proposal.hpp"

namespace optgap::testing {
namespace {

/// One proposal of each kind and task that has it.
std::vector<std::string> proposals_of_all() {
    engine const& by = cpu_engine();
    std::vector<std::string> out{
        R"({"parent": "clique@1:train:d1:0", "require": [0], "forbid": [1]})",
        R"({"parent": "knapsack@1:train:d1:0", "edit": [{"op": "replace", "path": "/capacity", "value": 31}]})",
        R"({"task": "tsp", "instance": {"points": [[0, 1.50], [-2.25, 3], [7, 8], [0.125, 6]], "metric": "euc_2d"}})"};
    for (std::int32_t t = 0; t < std::int32_t(by.tasks().size()); ++t) {
        std::string const name(by.tasks()[std::size_t(t)].name);
        instance_batch const one = instances_of(t, difficulty::scale(1), 1);
        out.push_back(R"({"task": ")" + name + R"(", "instance": )" + by.instance_json(t, one.blocks.row(0)) + "}");
        out.push_back(R"({"task": ")" + name + R"(", "level": "d1", "seed": 3})");
    }
    return out;
}

TEST(proposals, are_read_as_their_slow_twin_reads_them) {
    engine const& by = cpu_engine();
    proposal_checker const checker(by, {});
    std::vector<std::string> const sound = proposals_of_all();
    for (std::string const& text : sound) {
        checked_proposal const found = checker.read(text);
        ASSERT_EQ(proposal_difference(by, text, found), "") << text;
        EXPECT_TRUE(found.sound()) << text << found.field << found.rule;
    }
    std::mt19937 draw(7);
    std::string const letters = "{}[]\",:0123456789-.einsaltu ";
    std::int64_t broken = 0;
    for (std::int64_t i = 0; i < (long_form() ? 300'000 : repeats(6'000)); ++i) {
        std::string text = sound[draw() % sound.size()];
        for (std::size_t changes = 1 + draw() % 3; changes > 0; --changes) {
            std::size_t const at = draw() % text.size();
            switch (draw() % 4) {
                case 0: text[at] = letters[draw() % letters.size()]; break;
                case 1: text.erase(at, 1 + draw() % 4); break;
                case 2: text.insert(at, 1, letters[draw() % letters.size()]); break;
                default: text.insert(at, text.substr(draw() % text.size(), 1 + draw() % 12)); break;
            }
            text += text.empty() ? "{" : "";
        }
        checked_proposal const found = checker.read(text);
        ASSERT_EQ(proposal_difference(by, text, found), "") << text;
        broken += found.sound() ? 0 : 1;
    }
    EXPECT_GT(broken, 500);
}

TEST(proposals, announce_no_more_than_the_limits_before_anything_is_allocated) {
    proposal_checker const checker(cpu_engine(), {});
    for (task_info const& info : cpu_engine().tasks()) {
        for (char const* const size : {"2147483647", "9999999999", "20000"}) {
            std::string text = R"({"task": ")" + std::string(info.name) + R"(", "instance": {"n": )" + size;
            text += std::string(R"(, "universe": )") + size + R"(, "sets": [[0], [1], [2], [3]], "edges": []}})";
            checked_proposal const found = checker.read(text);
            EXPECT_TRUE(found.code == code_too_large || found.code == code_bad_instance) << text << found.code;
        }
        std::string const spec = R"({"task": ")" + std::string(info.name) + R"(", "level": "d1000000", "seed": 1})";
        EXPECT_LE(std::int64_t(checker.read(spec).words.size()), proposal_limits{}.words) << spec;
    }
}

std::vector<proposal_text> views_of(std::vector<std::string> const& texts) {
    std::vector<proposal_text> out;
    for (std::string const& text : texts) {
        out.push_back({text});
    }
    return out;
}

TEST(proposals, are_judged_alike_in_any_pieces_and_by_any_number_of_threads) {
    std::vector<std::string> texts = proposals_of_all();
    texts.resize(60);
    texts.insert(texts.end(), texts.begin(), texts.begin() + 10);
    proposal_options options;
    options.budget = 2'000;
    options.steps = 3'000;
    proposal_checker whole(cpu_engine(), options);
    std::vector<checked_proposal> const expected = whole.check(views_of(texts));
    engine const threaded({.where = device::cpu, .threads = 4, .server = "off"});
    proposal_checker pieces(threaded, options);
    std::vector<proposal_text> const views = views_of(texts);
    std::vector<checked_proposal> found;
    for (std::size_t first = 0; first < views.size(); first += 7) {
        for (checked_proposal& one :
             pieces.check(std::span(views).subspan(first, std::min<std::size_t>(7, views.size() - first)))) {
            found.push_back(std::move(one));
        }
    }
    ASSERT_EQ(found.size(), expected.size());
    std::set<std::int32_t> codes;
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].code, expected[i].code) << texts[i];
        EXPECT_EQ(found[i].duplicate_of, expected[i].duplicate_of);
        EXPECT_EQ(found[i].base, expected[i].base) << texts[i];
        codes.insert(found[i].code);
    }
    EXPECT_TRUE(codes.contains(code_ok) && codes.contains(code_duplicate) && codes.contains(code_proposal_not_run));
}

TEST(proposals, are_judged_alike_by_one_that_goes_on_from_a_state) {
    std::vector<std::string> texts = proposals_of_all();
    texts.resize(60);
    texts.insert(texts.end(), texts.begin(), texts.begin() + 10);
    proposal_options options;
    options.budget = 2'000;
    options.steps = 3'000;
    options.quota = 2;
    options.near_entries = 1;
    options.near_distance = 30;
    std::vector<proposal_text> const views = views_of(texts);
    proposal_checker whole(cpu_engine(), options);
    std::vector<checked_proposal> const expected = whole.check(views);
    for (std::size_t const part : {1, 13, 40, 65}) {
        proposal_checker first(cpu_engine(), options), second(cpu_engine(), options);
        static_cast<void>(first.check(std::span(views).first(part)));
        static_cast<void>(second.check(std::span(views).last(9)));  // its results are discarded
        second.restore(first.save());
        EXPECT_EQ(second.save(), first.save());
        std::vector<checked_proposal> const found = second.check(std::span(views).subspan(part));
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_EQ(found[i], expected[part + i]) << part << ": " << texts[part + i];
        }
        EXPECT_EQ(second.save(), whole.save());
        for (std::string const broken : {"", "{}", R"({"proposal_checker": 2})",
                                         R"({"proposal_checker": 1, "rows": 0, "infeasible": 0, "used": 0, "passed": [],
                                            "known": [], "parents": [["k", "tsp", [1, 2]]], "near": []})"}) {
            EXPECT_THROW(second.restore(broken), field_error) << broken;
        }
        EXPECT_EQ(second.save(), whole.save());
    }
}

TEST(proposals, gates_that_fail_later_cost_less) {
    for (std::int32_t code = code_not_json; code < code_trivial; ++code) {
        EXPECT_LT(gate_reward(code), gate_reward(code + 1));
    }
    EXPECT_EQ(gate_reward(code_not_json), -0.5f);
    EXPECT_EQ(gate_reward(code_trivial), -0.125f);
    EXPECT_EQ(gate_reward(code_ok), 1.0f);
    EXPECT_EQ(gate_reward(code_format_repeated), -1.0f);
    EXPECT_TRUE(std::isnan(gate_reward(code_proposal_not_run)));
}

}  // namespace
}  // namespace optgap::testing
