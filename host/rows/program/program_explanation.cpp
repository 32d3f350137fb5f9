// What became of a program: its text, its compilation, its runs.

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/programs/output.hpp"
#include "host/rows/codes.hpp"
#include "host/rows/program/program.hpp"
#include "host/rows/read/answers.hpp"
#include "host/rows/read/fields.hpp"
#include "kernels/text/task_text.hpp"
#include "optgap/programs/codes.hpp"

namespace optgap::rows {
namespace {

constexpr std::size_t shown_output = 200;
constexpr std::size_t shown_log = 1600;

/// What a program's code means, for people; empty for the codes of answers.
std::string_view sentence_of_program(std::int32_t code) {
    switch (code) {
        case code_format_missing_reasoning: return "there is no reasoning part before the program";
        case code_format_repeated: return "the reasoning part stands there more than once";
        case code_truncated: return "the text was cut off before the program was complete";
        case code_program_missing: return "there is no complete fenced block with a program in the row's language";
        case code_program_repeated: return "the format allows one program, and there are several";
        case code_program_trailing:
            return "something other than white space and end-of-turn tokens follows the program";
        case code_program_language: return "no block is marked with the row's language";
        case code_program_too_long: return "the program's text is longer than the limits allow";
        case code_compile_error: return "the compiler refuses it";
        case code_compile_limit: return "the compiler needs more than the limits allow";
        case code_run_steps:
        case code_run_time: return "it needed more time than the limits allow";
        case code_run_memory: return "it asked for more memory than the limits allow";
        case code_run_output: return "it printed more than the limits allow";
        case code_run_crash: return "it was ended by a signal";
        case code_run_exit: return "it ended with another status than 0";
        case code_run_forbidden: return "it made a system call that no program needs";
        case code_run_no_output: return "it printed nothing";
        case code_judged_wrong: return "the problem's judge calls its output wrong";
        case code_judge_failed: return "its output makes the problem's judge fail";
        case code_infrastructure: return "the machine failed, not the program: the row has no reward";
        default: return "";
    }
}

/// The source's line that "line 3: ..." names.
std::string named_line(std::string_view source, std::string_view complaint) {
    std::size_t const at = complaint.find("line ");
    std::size_t line = 0;
    if (at == std::string_view::npos ||
        std::from_chars(complaint.data() + at + 5, complaint.data() + complaint.size(), line).ec != std::errc() ||
        line == 0) {
        return "";
    }
    for (std::size_t k = 1; k < line && !source.empty(); ++k) {
        source.remove_prefix(std::min(source.find('\n'), source.size() - 1) + 1);
    }
    std::string_view const found = source.substr(0, source.find('\n'));
    return found.empty() ? "" : fmt::format("line {}: {}", line, found);
}

/// The first code of a row's instances that is not ok; their number where all are.
std::size_t first_failed(std::span<std::int32_t const> codes) {
    return std::size_t(std::ranges::find_if(codes, [](std::int32_t code) { return code != code_ok; }) - codes.begin());
}

/// Whether all hidden instances share the code, since the program did not get to a run.
bool is_before_runs(std::int32_t code) {
    return is_program_format_code(code) || code < code_unparsable || code == code_compile_error ||
           code == code_compile_limit;
}

}  // namespace

std::string program_kind::code_words(std::int32_t task, std::int32_t code) const {
    std::string_view const name = code_name(run_.by, task, code);
    std::string_view const sentence = sentence_of_program(code);
    return sentence.empty() ? std::string(name) : fmt::format("{}: {}", name, sentence);
}

std::int32_t program_kind::hidden_instances(graded_row const& row) const {
    return std::int32_t(details(row).codes.size());
}

/// Tells the kind of the first failure and nothing of what the program read or printed: its instances are hidden.
finding program_kind::find(explained_rows const& rows) {
    graded_row const& row = rows.row();
    program_details const& shown = details(row);
    std::size_t const failed = first_failed(shown.codes);
    finding out{.subject = "program",
                .formed = row.value.format > 0,
                .sound = row.value.code == code_ok && failed == shown.codes.size()};
    if (out.sound) {
        return out;
    }
    bool const runs = !shown.masked && failed < shown.codes.size();
    std::int32_t const code = runs ? shown.codes[failed] : row.value.code;
    format_spec const& format = known_formats()[std::size_t(std::max(0, row.format))];
    std::string what(sentence_of_program(code));
    what = what.empty() ? sentence_for(code, format) : what;
    if (is_before_runs(code) || code == code_infrastructure) {
        out.rule = what;
        out.place = code == code_compile_error && !shown.compile_line.empty()
                        ? fmt::format("the compiler says: {}", shown.compile_line)
                        : std::string();
        return out;
    }
    if (is_program_code(code)) {
        out.rule = fmt::format("on a hidden instance {}", what);
    } else if (what.empty()) {
        std::string words(run_.by.code_name(row.task, code));
        std::ranges::replace(words, '_', ' ');
        out.rule = fmt::format("on a hidden instance its answer breaks a rule of the task: {}", words);
    } else {
        out.rule = fmt::format("on a hidden instance its answer is wrong: {}", what);
    }
    out.place = fmt::format("the first such instance is number {}, counted from 0", failed);
    return out;
}

explanation program_kind::explain(explained_rows const& rows) {
    json_row const& source = rows.item().row;
    text_arena texts;
    rollout const roll = read_rollout(rows.item(), run_.options, texts, format_use::programs);
    program_claim claim = read_program(source, roll, options_, problems_, own_);
    if (claim.own != nullptr) {
        explanation out;
        explain_own(out, claim, rows);
        return out;
    }
    program_problems::problem const& problem = problems_.all()[std::size_t(claim.problem)];
    task_info const& info = run_.by.tasks()[std::size_t(problem.task)];
    programs::program_row const& row = claim.row;
    programs::found_program const text =
        programs::extract_program(row.completion, *row.format, row.language, row.finished, row.limits.source_kb * 1024);
    explanation out;
    out.title = printable(
        string_of(source, "key")
            .value_or(fmt::format("{}@{}:x:{}*{}", info.name, info.version, hex32(problem.hash), problem.rows.count)));
    out.about = fmt::format("{}, {} {}, {} hidden instance{}", info.title,
                            info.objective_sense == sense::minimise ? "minimise" : "maximise", info.objective,
                            problem.rows.count, problem.rows.count == 1 ? "" : "s");
    out.found = find(rows);
    bool const whole = text.code == code_ok;
    section& read =
        out.add_excerpt(fmt::format("completion, {} bytes", row.completion.size()), row.completion, text.span);
    read.add("format",
             fmt::format("{}: {}", row.format->name, whole ? "well formed" : code_words(problem.task, text.code)),
             whole ? tone::good : tone::bad);
    if (!text.source.empty()) {
        read.add("program", fmt::format("{}, {} lines, {}", name_of(row.language),
                                        std::count(text.source.begin(), text.source.end(), '\n') + 1,
                                        programs::source_hash(text.source)));
    }
    if (whole) {
        explain_run(out, claim, rows);
    }
    return out;
}

/// Compiles it once more and runs it on one instance, since rows keep neither logs nor outputs.
void program_kind::explain_run(explanation& out, program_claim const& claim, explained_rows const& rows) {
    graded_row const& graded = rows.row();
    program_details const& shown = details(graded);
    programs::program_row const& row = claim.row;
    program_problems::problem const& problem = problems_.all()[std::size_t(claim.problem)];
    std::string const source =
        programs::extract_program(row.completion, *row.format, row.language, row.finished, row.limits.source_kb * 1024)
            .source;
    programs::sandbox& in = sandboxes_->kept(row.language, row.limits.run.steps > 0);
    section& built = out.add("");
    built.add("isolation", in.isolation(row.language));
    programs::compile_result const ready = in.compile({row.language, source, row.limits.compile, {}, row.interface});
    if (ready.code != programs::run_code::ok) {
        built.add("compile", code_words(problem.task, programs::code_of(ready.code)), tone::bad);
        built.add("", printable(ready.first_line));
        built.add("", printable(named_line(source, ready.first_line)));
        section& log = out.add_excerpt("what the compiler wrote", ready.log.substr(0, shown_log), {});
        log.has_excerpt = !ready.log.empty();
        return;
    }
    built.add("compile", "ok", tone::good);

    section& verdicts = out.add("hidden instances, and the objective on each");
    for (std::size_t k = 0; k < shown.codes.size(); ++k) {
        baseline const& base = shown.baselines[k];
        std::int32_t const code = shown.codes[k];
        verdicts.steps.push_back(
            {fmt::format("instance {}", k),
             fmt::format("{}; best known {}{}",
                         is_program_code(code) ? program_code_name(code) : run_.by.code_name(problem.task, code),
                         objective_or_null(base.objective), base.proven() ? ", proven" : ""),
             shown.objectives[k] == no_objective ? "-" : std::to_string(shown.objectives[k])});
    }
    verdicts.steps.push_back({"valid", "", fmt::format("{} %", int(shown.valid * 100 + 0.5))});
    verdicts.steps.push_back({"quality", "mean", fmt::format("{:.3f}", graded.value.quality)});
    verdicts.steps.push_back(
        {"reward", "ranks among a group need the group", fmt::format("{:+.3f}", graded.value.reward)});

    std::size_t const failed = first_failed(shown.codes);
    std::int32_t const instance =
        rows.instance >= 0 ? rows.instance : std::int32_t(failed == shown.codes.size() ? 0 : failed);
    task_text const& text = run_.tasks.text(problem.task);
    std::span<std::int32_t const> const block = problems_.words(problem.rows.first + instance);
    words_view const words{block.data(), std::int64_t(block.size())};
    json const fields = instance_to_json(text, words);
    std::string const input = write_input(programs::input_fields(text, fields), fields, row.input);
    programs::run_request request;
    request.program = ready.program;
    request.input = input;
    request.limits = row.limits.run;
    programs::run_result const ended = in.run(request);
    section& one = out.add(fmt::format("instance {}", instance));
    one.add("input", shortened(input, shown_output));
    one.add("ended",
            fmt::format("{}, {:.0f} ms of processor time, {} MB",
                        code_words(problem.task, programs::code_of(ended.code)), ended.cpu_ms, ended.peak_kb / 1024));
    one.add("printed", shortened(ended.output, shown_output));
    if (!ended.error_head.empty()) {
        one.add("stderr", shortened(ended.error_head, shown_log));
    }
    if (ended.code != programs::run_code::ok) {
        return;
    }
    csr_words answers;
    std::vector<std::int32_t> answer;
    parsed_text const parsed = programs::read_output(run_.by, problem.task, ended.output, answer);
    if (parsed.answer_code != code_ok) {
        std::string const why = sentence_for(parsed.answer_code, *row.format);
        one.add("answer",
                why.empty() ? code_words(problem.task, parsed.answer_code)
                            : fmt::format("{}: {}", run_.by.code_name(problem.task, parsed.answer_code), why),
                tone::bad);
        return;
    }
    answers.append(answer);
    instance_batch batch;
    batch.append(problem.task, block);
    verdict const found = run_.by.verify(batch.view(), answers.view())[0];
    task_info const& info = run_.by.tasks()[std::size_t(problem.task)];
    one.add("answer", shortened(answer_json(answer, info), 120));
    one.add("verdict",
            found.feasible() ? fmt::format("feasible, {} {}", info.objective, found.objective)
                             : fmt::format("infeasible ({})", run_.by.code_name(problem.task, found.code)),
            found.feasible() ? tone::good : tone::bad);
    one.add("", printable(text.explain(words, {answer.data(), std::int64_t(answer.size())}, found)));
}

}  // namespace optgap::rows
