#include "tests/long/cases.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/text/number_text.hpp"
#include "kernels/text/task_text.hpp"
#include "tests/long/completions.hpp"
#include "tests/support/task_cases.hpp"
#include "tests/text/reference_scanner.hpp"

namespace optgap::long_checks {
namespace {

using testing::words;

/// Levels of the paper, and the first steps of the difficulty scale, where the same rules meet other sizes.
difficulty drawn_level(std::mt19937_64& random) {
    auto const drawn = std::int32_t(random() % 24);
    return drawn < 8 ? difficulty{drawn % 4 - 4} : difficulty::scale(2 * (drawn - 8));
}

struct posed {
    instance_batch instance;
    std::vector<words> answers;
};

posed pose(engine const& by, std::int32_t task, std::int64_t mutations, std::mt19937_64& random, found_rows& found,
           std::int32_t show) {
    posed made;
    instance_spec const spec{task, drawn_level(random), split::test, random()};
    made.instance = by.generate({&spec, 1});
    made.answers = testing::answers_for(by, task, made.instance.blocks.row(0), mutations, random);
    if (show >= 0) {
        instance_hash const hash = hash_words(made.instance.blocks.row(0));
        found.shown += to_string(key_of(by.tasks()[std::size_t(task)], spec, hash)) + "\n";
    }
    return made;
}

std::string told(verdict const& of) {
    return fmt::format("code {} at {}, objective {}, violation {} of {}", of.code, of.where,
                       of.feasible() ? of.objective : 0, of.violation, of.violation_max);
}

bool same(parsed_text const& one, parsed_text const& other) {
    return one.format_code == other.format_code && one.answer_code == other.answer_code && one.where == other.where &&
           one.answer == other.answer;
}

bool same(verdict const& one, verdict const& other) {
    return one.code == other.code && one.where == other.where && one.violation == other.violation &&
           one.violation_max == other.violation_max && (!one.feasible() || one.objective == other.objective);
}

std::string told(parsed_text const& of, std::span<std::int32_t const> block) {
    return fmt::format("format {}, answer {} at {}, text {}..{}, block {}", of.format_code, of.answer_code, of.where,
                       of.answer.begin, of.answer.end, fmt::join(block, " "));
}

/// Puts the fault into the engine's verdict on an answer.
void spoil(verdict& of, std::span<std::int32_t const> block, plant fault) {
    if (fault == plant::objective && of.feasible()) {
        std::uint64_t sum = 1;
        for (std::int32_t const value : block) {
            sum = sum * 31 + std::uint64_t(value);
        }
        of.objective += sum % 509 == 0 ? 1 : 0;
    }
    if (fault == plant::rule && of.violation == 1 && of.violation_max > 16) {
        of = {.violation_max = of.violation_max};
    }
}

/// Reports both sides of a row that differs or was requested.
void tell(place one, std::int32_t row, std::string const& what, std::string const& fast, std::string const& slow,
          found_rows& found, bool show) {
    one.row = row;
    if (fast != slow) {
        found.mismatches.push_back(
            fmt::format(R"({{"mismatch": "{}", "fast": "{}", "slow": "{}"}})", key_text(one), fast, slow));
    }
    if (show) {
        found.shown += fmt::format("{}\nfast: {}\nslow: {}\n", what, fast, slow);
    }
}

/// Compares the engine's verdicts with the task's reference.
void check_answers(engine const& by, std::int32_t task, place const& one, plant fault, found_rows& found,
                   std::int32_t show) {
    std::mt19937_64 random = randomness(one);
    posed const made = pose(by, task, 117, random, found, show);
    csr_words answers;
    for (words const& answer : made.answers) {
        answers.append(answer);
    }
    std::vector<std::int32_t> const of(made.answers.size(), 0);
    std::vector<verdict> fast = by.verify(made.instance.view(), answers.view(), of);
    testing::oracle const& twin = *testing::oracles()[std::size_t(task)];
    for (std::size_t r = 0; r < fast.size(); ++r) {
        words const& answer = made.answers[r];
        spoil(fast[r], answer, fault);
        verdict const slow = twin.verify(made.instance.blocks.row(0), answer);
        ++found.rows;
        found.feasible += slow.feasible() ? 1 : 0;
        if (!same(fast[r], slow) || std::int32_t(r) == show) {
            tell(one, std::int32_t(r), fmt::format("answer block {}", fmt::join(answer, " ")), told(fast[r]),
                 told(slow), found, std::int32_t(r) == show);
        }
    }
}

struct texts {
    std::vector<std::string> all;
    std::vector<std::int32_t> format_of;
    std::vector<finish> finished;
};

texts written(task_info const& info, task_text const& text, std::vector<words> const& answers,
              std::mt19937_64& random) {
    texts made;
    for (words const& answer : answers) {
        for (std::int32_t times = 0; times < 4; ++times) {
            made.format_of.push_back(std::int32_t(random() % formats().size()));
            made.finished.push_back(finish(random() % 4));
            std::string const spelled = random() % 4 == 0 ? answer_text(answer) : answer_in_words(text, answer);
            bool const is_word = !answer.empty() && answer[0] == answer_word && !info.words.empty();
            made.all.push_back(completion(is_word ? std::string(info.words[0]) : spelled,
                                          formats()[std::size_t(made.format_of.back())], random));
        }
    }
    return made;
}

/// The slow side's verdict on a text that is not an answer (engine::grade).
void apply_text(verdict& of, parsed_text const& text, baseline const& base) {
    if (text.answer_code != code_ok) {
        bool const silent = text.answer_code == code_empty && base.status == baseline_status::infeasible;
        of = {.code = silent ? std::int32_t(code_unparsable) : text.answer_code,
              .where = text.where,
              .violation = of.violation_max,
              .violation_max = of.violation_max};
    }
}

/// Compares the engine's reading and verdict of whole completions with the reference of scanner and grammar, followed
/// by the task's reference.
void check_completions(engine const& by, std::int32_t task, place const& one, plant fault, found_rows& found,
                       std::int32_t show) {
    std::mt19937_64 random = randomness(one);
    posed const made = pose(by, task, 21, random, found, show);
    task_info const& info = by.tasks()[std::size_t(task)];
    texts const given = written(info, *registry()[std::size_t(task)].text, made.answers, random);
    solved_batch const solved = by.solve(made.instance.view(), 2000);
    std::vector<std::string_view> views(given.all.begin(), given.all.end());
    if (fault == plant::parser) {
        for (std::string_view& view : views) {
            view = view.substr(0, view.find('\0'));
        }
    }
    std::vector<std::int32_t> const of(views.size(), 0);
    grade_batch const fast = by.grade({.instances = made.instance.view(),
                                       .baselines = solved.rows,
                                       .texts = views,
                                       .instance_of = of,
                                       .finished = given.finished,
                                       .format_of = given.format_of,
                                       .formats = formats()});
    std::vector<std::string> accepted;
    for (std::string_view const word : info.words) {
        accepted.emplace_back(word);
    }
    testing::oracle const& twin = *testing::oracles()[std::size_t(task)];
    for (std::size_t r = 0; r < views.size(); ++r) {
        text_reference::result const read = text_reference::completion(
            given.all[r], formats()[std::size_t(given.format_of[r])], accepted, given.finished[r], info.syntax);
        verdict slow = twin.verify(made.instance.blocks.row(0), read.block);
        apply_text(slow, read.parsed, solved.rows[0]);
        verdict judged = fast.verdicts[r];
        spoil(judged, fast.answers.row(std::int64_t(r)), fault);
        ++found.rows;
        found.feasible += slow.feasible() ? 1 : 0;
        auto const block = fast.answers.row(std::int64_t(r));
        if (!same(fast.parsed[r], read.parsed) || !std::ranges::equal(block, read.block) || !same(judged, slow) ||
            std::int32_t(r) == show) {
            tell(one, std::int32_t(r),
                 fmt::format("format {}, finish {}, completion:\n{}", formats()[std::size_t(given.format_of[r])].name,
                             std::int32_t(given.finished[r]), given.all[r]),
                 told(fast.parsed[r], block) + "; " + told(judged), told(read.parsed, read.block) + "; " + told(slow),
                 found, std::int32_t(r) == show);
        }
    }
}

}  // namespace

void check_case(engine const& by, place const& one, plant fault, found_rows& found, std::int32_t show) {
    std::int32_t const task = by.task_index(one.task);
    try {
        (one.what == check::answers ? check_answers : check_completions)(by, task, one, fault, found, show);
    } catch (std::exception const& thrown) {
        std::string said = thrown.what();
        std::ranges::replace_if(
            said, [](char c) { return c == '"' || c == '\\' || c < ' '; }, '\'');
        found.mismatches.push_back(
            fmt::format(R"({{"mismatch": "{}", "fast": "threw {}", "slow": ""}})", key_text(one), said));
    }
}

}  // namespace optgap::long_checks
