#include "tools/cli/look/explain/explain_program.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/programs/output.hpp"
#include "host/rows/program/program.hpp"
#include "host/rows/read/answers.hpp"
#include "host/rows/read/fields.hpp"
#include "kernels/text/task_text.hpp"
#include "optgap/programs/codes.hpp"
#include "optgap/reward_rules.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

constexpr std::size_t shown_lines = 20;
constexpr std::size_t shown_output = 200;

/// What a program's code means, for people; empty for the codes of answers.
std::string_view program_sentence(std::int32_t code) {
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
        case code_infrastructure: return "the machine failed, not the program: the row has no reward";
        default: return "";
    }
}

std::string head_lines(std::string_view text) {
    std::string out;
    for (std::size_t k = 0; k < shown_lines && !text.empty(); ++k) {
        std::size_t const end = std::min(text.find('\n'), text.size());
        out += "  | " + printable(text.substr(0, end)) + "\n";
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out + (text.empty() ? "" : "  | ...\n");
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
    return found.empty() ? "" : fmt::format("  {:>4} | {}\n", line, printable(found));
}

class program_page {
public:
    program_page(context& ctx, row_item& item, score_options const& options, painter const& paint)
        : ctx_(ctx),
          by_(ctx.get_engine(false)),
          item_(item),
          options_(options),
          paint_(paint),
          programs_(program_options_of(options.kinds)),
          problems_(by_) {}

    void print(std::int32_t instance) {
        try {
            roll_ = read_rollout(item_, options_, texts_, format_use::programs);
            claim_ = read_program(item_.row, roll_, programs_, problems_);
        } catch (field_error const& broken) {
            item_.reject(broken.field(), broken.rule());
            write_stdout(fmt::format("row {} is rejected: {}: {}\n", item_.number, item_.field, item_.rule));
            ctx_.end_with(exit_rejected);
            return;
        }
        claim_.row.problem = 0;
        std::int32_t const count = problem().rows.count;
        if (instance >= count) {
            throw usage_error(fmt::format("--instance {}: the problem has instances 0 to {}", instance, count - 1));
        }
        head();
        if (programs_.isolation.empty()) {
            out_ += "\nIt was not run: add --isolation auto.\n";
        } else if (found_.code == code_ok) {
            run(instance);
        }
        write_stdout(out_);
    }

private:
    [[nodiscard]] program_problems::problem const& problem() const {
        return problems_.all()[std::size_t(claim_.problem)];
    }
    [[nodiscard]] task_info const& info() const { return by_.tasks()[std::size_t(problem().task)]; }

    [[nodiscard]] std::string code_words_of(std::int32_t code) const {
        std::string_view const name =
            is_program_code(code) ? program_code_name(code) : by_.code_name(problem().task, code);
        std::string_view const sentence = program_sentence(code);
        return sentence.empty() ? std::string(name) : fmt::format("{}: {}", name, sentence);
    }

    void head() {
        programs::program_row const& row = claim_.row;
        found_ = programs::extract_program(row.completion, *row.format, row.language, row.finished,
                                           row.limits.source_kb * 1024);
        std::string const key = string_of(item_.row, "key")
                                    .value_or(fmt::format("{}@{}:x:{}*{}", info().name, info().version,
                                                          hex32(problem().hash), problem().rows.count));
        out_ += paint_.title(fmt::format("row {}: {}", item_.number, printable(key))) + "\n";
        out_ += fmt::format("{}, {} {}, {} hidden instance{}\n\n", info().title,
                            info().objective_sense == sense::minimise ? "minimise" : "maximise", info().objective,
                            problem().rows.count, problem().rows.count == 1 ? "" : "s");
        out_ += paint_.title(fmt::format("completion, {} bytes", row.completion.size())) + "\n";
        out_ += marked_excerpt(row.completion, found_.span, paint_) + "\n";
        out_ +=
            fmt::format("format    {}: {}\n", row.format->name,
                        found_.code == code_ok ? paint_.good("well formed") : paint_.bad(code_words_of(found_.code)));
        if (!found_.source.empty()) {
            out_ += fmt::format("program   {}, {} lines, {}\n", name_of(row.language),
                                std::count(found_.source.begin(), found_.source.end(), '\n') + 1,
                                programs::source_hash(found_.source));
        }
    }

    void run(std::int32_t instance) {
        program_sandboxes sandboxes(programs_);
        programs::sandbox& in = sandboxes.of(claim_.row.language, claim_.row.limits.run.steps > 0);
        out_ += fmt::format("isolation {}\n", in.rung(claim_.row.language));
        programs::compile_result const built =
            in.compile({claim_.row.language, found_.source, claim_.row.limits.compile, {}, claim_.row.interface});
        if (built.code != programs::run_code::ok) {
            out_ += fmt::format("compile   {}\n", paint_.bad(code_words_of(programs::code_of(built.code))));
            out_ += "  " + printable(built.first_line) + "\n" + named_line(found_.source, built.first_line) +
                    head_lines(built.log);
            return;
        }
        out_ += "compile   " + paint_.good("ok") + "\n";
        table_of_runs(in, instance);
        one_run(in, built.program, instance);
    }

    /// All verdicts; without an instance asked for, sets it to the first that is not feasible.
    void table_of_runs(programs::sandbox& in, std::int32_t& instance) {
        program_problems::problem const& asked = problem();
        programs::program_matrix const matrix =
            programs::run_programs(by_, in, problems_.instances(), {&asked.rows, 1}, {&claim_.row, 1});
        instance_batch own;
        for (std::int32_t k = 0; k < asked.rows.count; ++k) {
            own.append(asked.task, problems_.words(asked.rows.first + k));
        }
        std::vector<baseline> const known =
            by_.solve(own.view(), options_.budget, by_.planted(asked.specs).view()).rows;
        std::vector<pay::paid_program> const paid =
            pay::pay_programs(by_, matrix, {own.view(), known, {&asked.rows, 1}, {&claim_.row, 1}, {}},
                              parse_reward_rules(options_.reward, by_.tasks()));
        table runs({{"instance"}, {"code"}, {"objective"}, {"best known"}, {"proven"}});
        for (std::int32_t k = 0; k < asked.rows.count; ++k) {
            programs::run_cell const& cell = matrix.cells[std::size_t(k)];
            bool const good = paid[0].codes[std::size_t(k)] == code_ok;
            if (instance < 0 && !good) {
                instance = k;
            }
            baseline const& base = known[std::size_t(k)];
            std::int32_t const code = paid[0].codes[std::size_t(k)];
            runs.add({std::to_string(k),
                      std::string(is_program_code(code) ? program_code_name(code) : by_.code_name(asked.task, code)),
                      cell.found.feasible() ? std::to_string(cell.found.objective) : "-",
                      base.objective == no_objective ? "-" : std::to_string(base.objective),
                      base.proven() ? "yes" : "no"});
        }
        instance = std::max(instance, 0);
        out_ +=
            fmt::format("\n{}\n{} % valid, mean quality {:.3f}, reward {:+.3f} (ranks among a group need the group)\n",
                        runs.text(), int(paid[0].valid * 100 + 0.5), paid[0].value.quality, paid[0].value.reward);
    }

    void one_run(programs::sandbox& in, programs::program_handle const& program, std::int32_t instance) {
        task_text const& text = ctx_.text(problem().task);
        std::int64_t const at = problem().rows.first + instance;
        words_view const words{problems_.words(at).data(), std::int64_t(problems_.words(at).size())};
        json const shown = instance_to_json(text, words);
        std::string const input = write_input(programs::input_fields(text, shown), shown, claim_.row.input);
        programs::run_request request;
        request.program = program;
        request.input = input;
        request.limits = claim_.row.limits.run;
        programs::run_result const ended = in.run(request);
        out_ += fmt::format("\n{}\n", paint_.title(fmt::format("instance {}", instance)));
        out_ += fmt::format("input     {}\n", printable(shortened(input, shown_output)));
        out_ += fmt::format("ended     {}, {:.0f} ms of processor time, {} MB\n",
                            code_words_of(programs::code_of(ended.code)), ended.cpu_ms, ended.peak_kb / 1024);
        out_ += fmt::format("printed   {}\n", printable(shortened(ended.output, shown_output)));
        if (!ended.error_head.empty()) {
            out_ += "stderr\n" + head_lines(ended.error_head);
        }
        if (ended.code != programs::run_code::ok) {
            return;
        }
        csr_words answers;
        std::vector<std::int32_t> block;
        parsed_text const parsed = programs::read_output(by_, problem().task, ended.output, block);
        answers.append(block);
        instance_batch one;
        one.append(problem().task, problems_.words(at));
        verdict const found = by_.verify(one.view(), answers.view())[0];
        if (parsed.answer_code != code_ok) {
            std::string const sentence = sentence_for(parsed.answer_code, *claim_.row.format);
            out_ +=
                fmt::format("answer    {}\n", paint_.bad(fmt::format("{}: {}", by_code(parsed.answer_code), sentence)));
            return;
        }
        out_ += fmt::format("answer    {}\n", shortened(answer_json(block, info()), 120));
        out_ += fmt::format("verdict   {}\n          {}\n",
                            found.feasible()
                                ? paint_.good(fmt::format("feasible, {} {}", info().objective, found.objective))
                                : paint_.bad(fmt::format("infeasible ({})", by_code(found.code))),
                            printable(text.explain(words, {block.data(), std::int64_t(block.size())}, found)));
    }

    [[nodiscard]] std::string by_code(std::int32_t code) const {
        return std::string(is_program_code(code) ? program_code_name(code) : by_.code_name(problem().task, code));
    }

    context& ctx_;
    engine const& by_;
    row_item& item_;
    score_options const& options_;
    painter const& paint_;
    program_options programs_;
    program_problems problems_;
    text_arena texts_;
    rollout roll_;
    program_claim claim_;
    programs::found_program found_;
    std::string out_;
};

}  // namespace

void explain_program(context& ctx, row_item& item, score_options const& options, std::int32_t instance,
                     painter const& paint) {
    program_page(ctx, item, options, paint).print(instance);
}

}  // namespace optgap::cli
