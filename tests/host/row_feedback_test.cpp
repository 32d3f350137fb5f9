// What models may be told of their rows: properties of every kind of rows of this build, over rows of all kinds
// (tests/rows/rows.jsonl) and over answers to every task.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>

#include "host/rows/answer/answer_finding.hpp"
#include "host/rows/read/instances.hpp"
#include "host/rows/scorer.hpp"
#include "optgap/rows/scorer.hpp"

namespace optgap::rows {
namespace {

constexpr feedback_level levels[] = {feedback_level::verdict, feedback_level::rule, feedback_level::place};

engine const& feedback_engine() {
    static engine const made({.where = device::cpu, .threads = 2});
    return made;
}

scorer feedback_scorer() {
    score_options options;
    options.kinds.flag({.name = "external"}) = true;
    return {feedback_engine(), options};
}

finding found_in(scorer& by, std::string const& line) {
    row_item item;
    item.take(line, 1);
    return by.find({&item, 1}, 0);
}

std::string json_quoted(std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
}

/// The whole numbers that stand in a text.
std::set<std::string> numbers_in(std::string_view text) {
    std::set<std::string> out;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) {
            ++end;
        }
        if (end > i) {
            out.emplace(text.substr(i, end - i));
        }
        i = std::max(end, i + 1);
    }
    return out;
}

/// The numbers that a model has seen: those of its row but for the baselines, and of the prompt.
std::set<std::string> numbers_of_prompt_and_completion(std::string const& line) {
    row_item item;
    item.take(line, 1);
    std::set<std::string> out;
    for (json_field const& field : item.row.fields()) {
        if (!field.key.starts_with("baseline")) {
            out.merge(numbers_in(field.value));
        }
    }
    task_table const tasks(feedback_engine());
    instance_set instances(tasks);
    instances.resolve({&item, 1});
    if (item.sound()) {
        out.merge(numbers_in(feedback_engine().prompt(instances.task(0), instances.words(0), 0, formats()[0])));
    }
    return out;
}

/// Each level's text is on one line, printable, bounded, and begins with that of the level before.
void expect_sound_levels(finding const& found, std::string const& of) {
    std::string before;
    for (feedback_level const level : levels) {
        std::string const text = feedback_text(found, level);
        EXPECT_TRUE(text.starts_with(before)) << of;
        EXPECT_LE(text.size(), 1000u) << of;
        EXPECT_EQ(text, one_line(text, 1000)) << "not printable: " << of;
        EXPECT_EQ(text.find('\n'), std::string::npos) << of;
        before = text;
    }
    EXPECT_EQ(found.sound, found.rule.empty() && found.place.empty()) << of << ": " << before;
}

/// A row of the answer kind whose baseline is given.
std::string answer_line(std::string const& key, std::string_view completion, std::int64_t objective, bool proven) {
    return fmt::format(R"({{"key":"{}","completion":{},"baseline":{{"objective":{},"bound":{},"proven":{}}}}})", key,
                       json_quoted(completion), objective, proven ? objective : objective + 7, proven);
}

TEST(row_feedback, of_every_kind_names_no_number_of_the_baseline) {
    scorer by = feedback_scorer();
    std::map<std::string_view, int> seen;
    std::ifstream file("tests/rows/rows.jsonl");
    for (std::string line; std::getline(file, line);) {
        row_item item;
        item.take(line, 1);
        graded_run const run = by.run({&item, 1});
        if (!item.sound() || run.rows[0].group < 0) {
            EXPECT_THROW(static_cast<void>(found_in(by, line)), field_error);
            continue;
        }
        graded_row const row = run.rows[0];
        seen[by.kind_name(row)] += 1;
        finding const found = found_in(by, line);
        expect_sound_levels(found, line.substr(0, 200));
        if (found.subject != "text") {  // a text's code does not depend on its checks
            EXPECT_EQ(found.sound, row.value.code == code_ok) << line;
        }
        std::set<std::string> const given = numbers_of_prompt_and_completion(line);
        std::set<std::string> const told = numbers_in(feedback_text(found, feedback_level::place));
        for (std::int64_t const secret : {row.baseline_objective, row.baseline_bound}) {
            if (secret != no_objective) {
                std::string const digits = std::to_string(std::abs(secret));
                EXPECT_TRUE(!told.contains(digits) || given.contains(digits))
                    << digits << " in " << feedback_text(found, feedback_level::place);
            }
        }
    }
    for (kind_entry const& kind : kind_entries()) {
        if (kind.info->place != graded_in::slot) {  // programs are run by tests/cli
            EXPECT_GE(seen[kind.info->name], 2) << kind.info->name;
        }
    }
}

/// Completions of every sort, right and wrong.
std::vector<std::string> completions_for(engine const& by, std::string const& key) {
    instance_batch one;
    instance_key const parsed = parse_key(key);
    std::int32_t const task = by.task_index(parsed.task);
    one = by.generate(std::vector<instance_spec>{{task, parsed.level, parsed.part, parsed.seed}});
    csr_words const greedy = by.greedy(one.view());
    std::vector<std::string> out{"", "no answer", "<think>x</think><answer>maybe</answer>", "[1]",
                                 "<answer>[]</answer>"};
    std::vector<std::string> lists{"[]",    "[0,0]",        "[[0,0],[0]]", "[-1]", "[99999999999]",
                                   "[1.5]", "[7,1,999999]", "Impossible"};
    if (greedy.row(0).size() > 1 && greedy.row(0)[0] == -1) {
        lists.push_back(fmt::format("[{}]", fmt::join(greedy.row(0).subspan(1), ",")));
        lists.push_back(fmt::format("[{}]", fmt::join(greedy.row(0).subspan(2), ",")));
    }
    for (std::string const& list : lists) {
        out.push_back(fmt::format("<think>x</think><answer>{}</answer>", list));
    }
    return out;
}

TEST(row_feedback, of_answers_to_every_task_is_the_same_whatever_the_baseline) {
    scorer by = feedback_scorer();
    for (task_info const& task : feedback_engine().tasks()) {
        std::string const key = fmt::format("{}@{}:train:easy:3", task.name, task.version);
        for (std::string const& completion : completions_for(feedback_engine(), key)) {
            finding const one = found_in(by, answer_line(key, completion, 987654321, false));
            finding const other = found_in(by, answer_line(key, completion, 192837465, true));
            expect_sound_levels(one, key + " " + completion);
            std::string const told = feedback_text(one, feedback_level::place);
            EXPECT_EQ(told, feedback_text(other, feedback_level::place)) << key << " " << completion;
            EXPECT_EQ(told.find("98765432"), std::string::npos) << told;
        }
    }
}

TEST(row_feedback, of_arrays_is_that_of_rows) {
    engine const& by = feedback_engine();
    scorer rows = feedback_scorer();
    std::string const key = "knapsack@1:train:easy:3";
    instance_key const parsed = parse_key(key);
    instance_batch const one =
        by.generate(std::vector<instance_spec>{{by.task_index("knapsack"), parsed.level, parsed.part, parsed.seed}});
    std::vector<std::string> const completions = completions_for(by, key);
    std::vector<std::string_view> const texts(completions.begin(), completions.end());
    std::vector<std::int32_t> const first(texts.size(), 0);
    baseline const base{.objective = 999, .bound = 1006, .status = baseline_status::bounded};
    for (feedback_level const level : levels) {
        std::vector<std::string> const told = feedback_of_answers(
            by, {.instances = one.view(), .baselines = {&base, 1}, .texts = texts, .instance_of = first}, level);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            EXPECT_EQ(told[i], feedback_text(found_in(rows, answer_line(key, texts[i], 999, false)), level));
        }
    }
}

TEST(row_feedback, of_hostile_completions_is_bounded_and_printable) {
    scorer by = feedback_scorer();
    std::string hostile;
    while (hostile.size() < (1u << 20)) {
        hostile += "\x1b[31m\x07<score>\r\n\xE2\x80\xAE</answer>\xC2\x9B{\"task\": \"\x01\", 7";
    }
    std::string const text = json_quoted(hostile);
    std::string const answer = json_quoted("<think>x</think><answer>" + hostile + "</answer>");
    std::string const question = json_quoted("<question>{\"task\": " + json_quoted(hostile) + "}</question>");
    for (std::string const& line : {
             R"({"key":"tsp@1:train:easy:1","completion":)" + text + "}",
             R"({"key":"tsp@1:train:easy:1","completion":)" + answer + "}",
             R"({"key":"a/b@1:train:d1:1","external":{"reward":-1},"completion":)" + answer + "}",
             R"({"role":"proposer","completion":)" + question + "}",
             R"({"proposal":)" + text + "}",
             R"({"role":"judge","completion":)" + text + R"(,"judged":{"key":"tsp@1:train:easy:1","completion":""}})",
             R"({"chain":{"chain":1,"style":[{"check":"words","max":3}]},"completion":)" + text + "}",
         }) {
        try {
            expect_sound_levels(found_in(by, line), line.substr(0, 60));
        } catch (field_error const& refused) {
            ADD_FAILURE() << line.substr(0, 60) << ": " << refused.what();
        }
    }
}

TEST(row_feedback, is_part_of_the_explanation) {
    scorer by = feedback_scorer();
    std::string const line =
        R"({"key":"tsp@1:train:easy:1","completion":"<think>x</think><answer>[0, 1, 1]</answer>"})";
    row_item item;
    item.take(line, 1);
    explanation const whole = by.explain({&item, 1}, 0);
    EXPECT_EQ(whole.found.rule, "one of the values stands there twice");
    EXPECT_EQ(whole.found.place.substr(0, 38), "City 1 at index 2 was visited before; ");
    EXPECT_NE(explanation_text(whole, 1, painter(false)).find(whole.found.place), std::string::npos);

    row_scorer public_one(feedback_engine());
    EXPECT_EQ(public_one.explain(line), explanation_text(whole, 1, painter(false)));
    EXPECT_EQ(public_one.feedback(line, feedback_level::verdict), "The form is right. The answer breaks a rule.");
    EXPECT_EQ(public_one.feedback(line),
              "The form is right. The answer breaks a rule. One of the values stands there twice.");
    EXPECT_EQ(public_one.feedback(line, feedback_level::place), feedback_text(whole.found, feedback_level::place));
    EXPECT_THROW(static_cast<void>(public_one.feedback(R"({"key":"tsp@1:train:easy:1"})")), field_error);
    EXPECT_THROW(static_cast<void>(feedback_level_named("optimum")), error);
}

TEST(shown_text, escapes_what_steers_and_keeps_the_rest) {
    EXPECT_EQ(printable("a\nb\t\x1b\x7f"), "a\nb\t\\x1b\\x7f");
    EXPECT_EQ(printable("Zürich \xE2\x82\xAC \xF0\x9F\x98\x80"), "Zürich \xE2\x82\xAC \xF0\x9F\x98\x80");
    EXPECT_EQ(printable("\xE2\x80\xAE\xC2\x9B"), "\\u{202e}\\u{009b}");
    EXPECT_EQ(printable("\xC0\xAF\xED\xA0\x80\xF5\xE2\x82"), "\\xc0\\xaf\\xed\\xa0\\x80\\xf5\\xe2\\x82");
    EXPECT_EQ(one_line("a\r\nb", 10), "a  b");
    EXPECT_EQ(one_line("0123456789", 10), "0123456789");
    EXPECT_EQ(one_line("0123456789a", 10), "0123456...");
    EXPECT_EQ(as_sentence("the end"), "The end.");
}

}  // namespace
}  // namespace optgap::rows
