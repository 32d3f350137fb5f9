// optgap explain: one row, for people.

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "host/rows/program/program_problems.hpp"
#include "host/rows/read/answers.hpp"
#include "host/rows/read/fields.hpp"
#include "host/rows/read/instances.hpp"
#include "host/rows/read/rollout.hpp"
#include "kernels/text/task_text.hpp"
#include "optgap/answer.hpp"
#include "optgap/reward_rules.hpp"
#include "tools/cli/look/explain/explain_judgement.hpp"
#include "tools/cli/look/explain/explain_program.hpp"
#include "tools/cli/look/explain/explain_proposal.hpp"
#include "tools/cli/look/explain/explain_row.hpp"
#include "tools/cli/pay/explain_text.hpp"
#include "tools/cli/pay/score_command.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {
namespace {

struct explain_options {
    std::string file;
    std::int64_t row = 1;
    std::int32_t instance = -1;
    score_options score;
};

/// What the sections are written from.
struct explained {
    row_item const& item;
    task_info const& info;
    task_text const& text;
    std::span<std::int32_t const> instance;
    format_spec const& format;
    std::string_view completion;  ///< empty data: the row holds only an answer
    finish finished;
    std::int32_t length;
    grade_batch scored;  ///< one row
    baseline base;
    std::span<std::int32_t const> best;
};

char const* finish_name(finish how) {
    constexpr char const* names[] = {"unknown", "stop", "length", "abort"};
    return names[std::size_t(how)];
}

std::string code_words(context& ctx, explained const& row, std::int32_t task, std::int32_t code) {
    std::string const name(ctx.get_engine().code_name(task, code));
    std::string const sentence = sentence_for(code, row.format);
    return sentence.empty() ? name : fmt::format("{}: {}", name, sentence);
}

std::string answer_text(std::span<std::int32_t const> block, explained const& row) {
    bool const list = block.empty() || block[0] == answer_word;
    return shortened(list ? answer_json(block, row.info) : answer_in_words(row.text, block), 120);
}

std::string objective_text(std::int64_t objective) {
    return objective == no_objective ? "none" : std::to_string(objective);
}

std::string verdict_line(context& ctx, explained const& row, painter const& paint) {
    verdict const& found = row.scored.verdicts[0];
    auto const block = row.scored.answers.row(0);
    std::int32_t const index = ctx.task_named(row.info.name);
    if (is_worthless(found, row.base, row.info.objective_sense)) {
        return fmt::format("{}\n          the {} is 0 where {} is possible: an answer worth nothing counts as none\n",
                           paint.bad("infeasible (empty)"), row.info.objective, row.base.objective);
    }
    if (found.feasible()) {
        return paint.good(fmt::format("feasible, {} {}", row.info.objective, found.objective)) + "\n";
    }
    std::string const why = row.scored.parsed[0].answer_code != code_ok
                                ? sentence_for(found.code, row.format)
                                : row.text.explain({row.instance.data(), std::int64_t(row.instance.size())},
                                                   {block.data(), std::int64_t(block.size())}, found);
    std::string const place = found.where < 0 ? "" : fmt::format(", at value {}", found.where);
    return fmt::format(
        "{}\n          {}\n          violation {} of at most {}\n",
        paint.bad(fmt::format("infeasible ({}{})", ctx.get_engine().code_name(index, found.code), place)),
        printable(why), found.violation, found.violation_max);
}

reward_rules rules_of(engine const& by, explain_options const& options) {
    return parse_reward_rules(options.score.reward, by.tasks());
}

std::string render(context& ctx, explained const& row, explain_options const& options, painter const& paint) {
    engine const& by = ctx.get_engine();
    std::int32_t const task = ctx.task_named(row.info.name);
    parsed_text const& parsed = row.scored.parsed[0];
    std::string const key =
        string_of(row.item.row, "key").value_or(to_string(explicit_key(row.info, hash_words(row.instance))));
    std::string out = paint.title(fmt::format("row {}: {}", row.item.number, printable(key))) + "\n";
    out += fmt::format("{}, {} {}\n\n", row.info.title,
                       row.info.objective_sense == sense::minimise ? "minimise" : "maximise", row.info.objective);
    if (row.completion.data() != nullptr) {
        out += paint.title(
                   fmt::format("completion, {} bytes, finish {}", row.completion.size(), finish_name(row.finished))) +
               "\n";
        out += marked_excerpt(row.completion, parsed.answer, paint) + "\n";
        bool const whole = parsed.format_code == code_ok;
        std::string const verdict_of_format =
            whole ? paint.good("well formed") : paint.bad(code_words(ctx, row, task, parsed.format_code));
        out += fmt::format("format    {}: {}\n", row.format.name, verdict_of_format);
    }
    bool const read = parsed.answer_code == code_ok;
    out += fmt::format("parse     {}\n", read ? answer_text(row.scored.answers.row(0), row)
                                              : paint.bad(code_words(ctx, row, task, parsed.answer_code)));
    out += fmt::format("verdict   {}", verdict_line(ctx, row, paint));

    constexpr char const* status_words[] = {"no answer known", "best known", "optimum", "no answer exists"};
    char const* const status_of = status_words[std::size_t(row.base.status)];
    out += row.best.empty() ? fmt::format("\n{}\n", status_of)
                            : fmt::format("\n{:<18}{}\n", status_of, answer_text(row.best, row));
    out +=
        fmt::format("  objective {}, bound {} ({}), floor policy {}, greedy {}\n", objective_text(row.base.objective),
                    objective_text(row.base.bound), row.base.proven() ? "proven" : "not proven",
                    objective_text(row.base.floor), objective_text(row.base.greedy));
    if (row.completion.data() != nullptr) {
        reward_steps const steps{
            row.info.objective_sense,   row.scored.verdicts[0], row.base,  rules_of(by, options).of(task),
            row.scored.format_codes[0], row.finished,           row.length};
        out += fmt::format("\n{}, code {}\n{}", paint.title("reward"), by.code_name(task, row.scored.rows[0].code),
                           steps.text());
    }
    return out;
}

/// The baseline of the row, or the solver's; `best` gets the solver's answer.
baseline baseline_of(engine const& by, instance_set const& instance, std::optional<baseline> const& given,
                     std::int64_t budget, csr_words& best) {
    solved_batch solved = by.solve(instance.view(), budget, by.planted(instance.specs()).view());
    best = std::move(solved.answers);
    if (!given) {
        return solved.rows[0];
    }
    baseline base = *given;
    if (base.objective != solved.rows[0].objective) {
        best = {};
        best.append({});
    }
    base.floor = base.floor == no_objective ? solved.rows[0].floor : base.floor;
    base.greedy = base.greedy == no_objective ? solved.rows[0].greedy : base.greedy;
    return base;
}

void explain_item(context& ctx, row_item& item, explain_options const& options, painter const& paint) {
    if (item.sound() && is_program_row(item.row)) {
        explain_program(ctx, item, options.score, options.instance, paint);
        return;
    }
    if (options.instance >= 0) {
        throw usage_error("--instance belongs to rows whose completion is a program");
    }
    engine const& by = ctx.get_engine(false);
    instance_set instances(ctx.tasks());
    instances.resolve({&item, 1});
    bool const has_completion =
        item.sound() && (item.row.find("completion") != nullptr || item.row.find("answer") == nullptr);
    rollout roll;
    text_arena texts;
    if (has_completion) {
        try {
            roll = read_rollout(item, options.score, texts);
            require_tokens(roll, rules_of(by, options));
        } catch (field_error const& broken) {
            item.reject(broken.field(), broken.rule());
        }
    }
    if (!item.sound()) {
        write_stdout(fmt::format("row {} is rejected: {}: {}\n", item.number, item.field, item.rule));
        ctx.end_with(exit_rejected);
        return;
    }
    std::int32_t const task = instances.task(0);
    csr_words best;
    baseline const base = baseline_of(by, instances, roll.given, options.score.budget, best);
    grade_batch scored;
    if (has_completion) {
        grade_request request;
        std::int32_t const first = 0;
        request.instances = instances.view();
        request.baselines = {&base, 1};
        request.texts = {&roll.completion, 1};
        request.instance_of = {&first, 1};
        request.finished = {&roll.finished, 1};
        request.length = {&roll.length, 1};
        request.format_of = {&roll.format, 1};
        request.reward = rules_of(by, options);
        scored = by.grade(request);
    } else {
        scored.parsed.push_back(read_answer(item, ctx.text(task), scored.answers.words));
        scored.answers.offsets.push_back(std::int64_t(scored.answers.words.size()));
        scored.verdicts = by.verify(instances.view(), scored.answers.view());
        scored.rows.emplace_back();
        if (scored.parsed[0].answer_code != code_ok) {
            verdict& found = scored.verdicts[0];
            found = {scored.parsed[0].answer_code, scored.parsed[0].where, 0, found.violation_max, found.violation_max};
        }
    }
    explained const row{item,
                        by.tasks()[std::size_t(task)],
                        ctx.text(task),
                        instances.words(0),
                        known_formats()[std::size_t(roll.format)],
                        roll.completion,
                        roll.finished,
                        roll.length,
                        std::move(scored),
                        base,
                        best.row(0)};
    write_stdout(render(ctx, row, options, paint));
}

/// Kinds whose rows are explained in more than their columns.
constexpr std::array<std::string_view, 4> own_pages{"answer", "program", "proposal", "judgement"};

void explain(context& ctx, explain_options const& options) {
    ctx.get_engine(false);
    scorer by = make_scorer(ctx, options.score);
    painter const paint(isatty(STDOUT_FILENO) == 1);
    row_input input(ctx, {options.file}, "explain");
    std::int64_t last = 0;
    proposal_explainer proposals(ctx, options.score);
    judgement_explainer judgements(ctx, options.score);
    bool judged = false;  // it was the row, and the others of its file are gathered
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        for (row_item& item : items) {
            last = item.number;
            bool const judges = judgements.take(item);
            bool const proposal = !judges && !judged && proposals.take(item);
            if (item.number != options.row) {
                continue;
            }
            if (judges && options.instance < 0) {
                judged = true;
                continue;
            }
            row_kind const* const kind = by.claimed_by(item.row);
            bool const has_page = kind == nullptr || std::ranges::find(own_pages, kind->info().name) != own_pages.end();
            if (!has_page && item.sound() && options.instance < 0) {
                write_stdout(explain_row(ctx, by, item, paint));
            } else if (proposal && item.sound() && options.instance < 0) {
                write_stdout(proposals.text(item, paint));
            } else {
                explain_item(ctx, item, options, paint);
            }
            return;
        }
    }
    if (judged) {
        write_stdout(judgements.text(options.row, paint));
        return;
    }
    throw usage_error(last < options.row
                          ? fmt::format("--row {}: {} has {} rows", options.row, options.file, last)
                          : fmt::format("--row {}: that line of {} is blank", options.row, options.file));
}

}  // namespace

void add_explain(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "explain", "One row for people: the answer in its text, the broken rule, the optimum, the reward's arithmetic",
        {"optgap explain rollouts.jsonl --row 3",
         R"(optgap explain rollouts.jsonl --row 3 --reward '{"infeasible": "graded"}')",
         "optgap generate tsp --level easy | optgap solve - | optgap explain -",
         "optgap explain programs.jsonl --row 2 --isolation auto --instance 0"},
        {"Rows as in optgap score, or with an `answer` as in optgap verify. Colours only on a terminal."});
    auto options = std::make_shared<explain_options>();
    command.add_option("FILE", options->file, "JSONL with completions or answers; - is stdin").required();
    command.add_option("--row", options->row, "1-based line of the file").at_least(1).show_default();
    add_score_options(command, options->score);
    add_kind_options(command, options->score);
    command
        .add_option("--instance", options->instance,
                    "Of a row whose completion is a program: the hidden instance to show, from 0 on; the first that "
                    "is not feasible when not said")
        .at_least(0);
    command.on_run([&ctx, options] { explain(ctx, *options); });
}

}  // namespace optgap::cli
