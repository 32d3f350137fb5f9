#include "host/programs/statement.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <memory>

#include "host/programs/output.hpp"
#include "kernels/registry/registry.hpp"
#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

/// The sections and words of each style. {name} is replaced by its content.
constexpr std::array<char const*, statement_styles> style_texts = {
    // 0
    "# {title}\n\n"
    "Write a {language} program that solves instances of a problem. It is run on {count} that you cannot see, once on "
    "each, and its answers are compared by their {objective}: {direction} it.\n\n"
    "## The problem\n\n"
    "Here it is as it reads for one small instance, the example below:\n\n"
    "{rules}\n\n"
    "## Input\n\n{input}\n"
    "## Output\n\n{output}\n"
    "## Example\n\n{Input}:\n```\n{example_input}```\n{Output}:\n```\n{example_output}```\n{example_note}\n\n"
    "## Limits\n\n{limits}\n\n{rules_of_language}\n\n"
    "{ending}",
    // 1
    "Problem: {title}\nGoal: {direction} the {objective}\nLanguage: {language}\nTests: {count}, hidden\n\n"
    "STATEMENT (for the instance of the example)\n{rules}\n\n"
    "INPUT\n{input}\n"
    "OUTPUT\n{output}\n"
    "LIMITS\n{limits}\n{rules_of_language}\n\n"
    "SAMPLE {INPUT}\n{example_input}\nSAMPLE {OUTPUT}\n{example_output}\n{example_note}\n\n"
    "{ending}",
    // 2
    "I need a heuristic, as a {language} program, for this task: {title}. A person was given one instance in these "
    "words:\n\n"
    "{rules}\n\n"
    "Your program gets other instances, {count}, one a run, which are not shown here. What it {reads}:\n\n"
    "{input}\n"
    "For the instance above that is\n```\n{example_input}```\n"
    "and a program might {print}\n```\n{example_output}```\n{example_note} {output}\n"
    "What counts is the {objective}: {direction} it. {limits} {rules_of_language}\n\n"
    "{ending}",
};

std::string filled(std::string_view text, std::span<std::pair<std::string_view, std::string> const> parts) {
    std::string out;
    while (!text.empty()) {
        std::size_t const open = std::min(text.find('{'), text.size());
        out += text.substr(0, open);
        text.remove_prefix(open);
        if (text.empty()) {
            break;
        }
        std::size_t const close = text.find('}');
        std::string_view const name = text.substr(1, close - 1);
        for (auto const& [own, value] : parts) {
            out += own == name ? value : std::string();
        }
        text.remove_prefix(close + 1);
    }
    return out;
}

std::string output_section(task_info const& task, bool called) {
    std::string out =
        called ? "Return the lines of the answer as a list of strings: " : "Print the answer and nothing else: ";
    out += std::string(task.answer_form) + ", ";
    bool const own =
        task.syntax.alphabet != nullptr || task.syntax.expressions || task.syntax.numbers != bare_number::none;
    out += own ? "as in the example, or its integers as a list in brackets."
           : answers_are_rows(task)
               ? "or without brackets, each inner list on a line of its own as integers with blanks between them."
               : "or without brackets, as integers with blanks between them.";
    for (std::size_t w = 0; w < task.words.size(); ++w) {
        out += (w == 0 ? " Where there is no answer: " : " or ") + std::string(task.words[w]);
        out += w + 1 == task.words.size() ? "." : "";
    }
    return out + "\n";
}

std::string named(program_language language) { return language == program_language::python ? "Python" : "C++"; }

words_view view_of(std::span<std::int32_t const> words) { return {words.data(), std::int64_t(words.size())}; }

/// Scratch memory with the alignment that the contract of tasks requires.
std::vector<std::int32_t> aligned(std::int64_t words, std::int32_t*& begin) {
    constexpr std::size_t line = 64;
    std::vector<std::int32_t> memory(std::size_t(words) + line / sizeof(std::int32_t));
    void* at = memory.data();
    std::size_t room = memory.size() * sizeof(std::int32_t);
    begin = static_cast<std::int32_t*>(std::align(line, 1, at, room));
    return memory;
}

}  // namespace

std::string limits_section(program_limits const& limits) {
    std::string out = "Each run may use " + std::to_string(limits.run.cpu_ms) + " ms of processor time, " +
                      std::to_string(limits.run.memory_mb) + " MB of memory and " +
                      std::to_string(limits.run.output_kb) + " KB of output";
    out +=
        ", start of the interpreter included; the program's text may have " + std::to_string(limits.source_kb) +
        " KB. A run that needs more, crashes, ends with another status than 0 or prints no feasible answer counts as "
        "invalid.";
    return out;
}

std::string language_section(program_language language, bool called) {
    std::string const how = language == program_language::python
                                ? "The program is run by Python 3 with its standard library."
                                : "The program is compiled by g++ with -O2 -std=c++20.";
    return how +
           (called
                ? " Its function `solve` is called once a run, and the strings that it returns are printed, a line "
                  "each; "
                  "the program itself reads nothing and prints nothing; it has no files, no network, no threads and no "
                  "other processes."
                : " It reads standard input and writes standard output; it has no files, no network, no threads and no "
                  "other processes.");
}

std::string ending_of(format_spec const& format, program_language language) {
    std::string const tag(name_of(language));
    std::string out = format.reasoning == reasoning_rule::required
                          ? "Reason first, between " + format.markers[0].open + " and " + format.markers[0].close + ". "
                          : "You may reason first. ";
    out += format.one_block ? "Then give the whole program in exactly one fenced block:\n"
                            : "End with the whole program in one fenced block; the last one counts:\n";
    out += "```" + tag + "\n...\n```\n";
    out += format.tail == tail_rule::strict ? "Write nothing after it." : "";
    return out;
}

example_answer answer_of_example(engine const& by, std::int32_t task, std::span<std::int32_t const> instance) {
    task_kernels const& kernels = *registry()[std::size_t(task)].builds[0];
    words_view const words = view_of(instance);
    std::int32_t* scratch = nullptr;
    auto const memory = aligned(kernels.scratch_words(words), scratch);
    example_answer out;
    bool const maximised = by.tasks()[std::size_t(task)].objective_sense == sense::maximise;
    for (auto const policy : {kernels.floor, kernels.greedy}) {
        out.block.resize(std::size_t(kernels.answer_words(words)));
        out.block.resize(std::size_t(policy(words, out.block.data(), scratch)));
        verdict const found =
            out.block.empty() ? verdict{code_empty} : kernels.verify(words, view_of(out.block), scratch);
        if (found.feasible() && (!maximised || found.objective > 0)) {
            out.objective = found.objective;
            return out;
        }
    }
    instance_batch one;
    one.append(task, instance);
    solved_batch const solved = by.solve(one.view());
    auto const best = solved.answers.row(0);
    out.block.assign(best.begin(), best.end());
    out.objective = solved.rows[0].objective;
    return out;
}

std::string write_statement(engine const& by, statement_request const& request) {
    if (request.style < 0 || request.style >= statement_styles) {
        misuse("style: " + std::to_string(request.style) + " does not exist, statements have 0 to " +
               std::to_string(statement_styles - 1));
    }
    require_interface(request.language, request.interface);
    task_text const& text = *registry()[std::size_t(request.task)].text;
    task_info const& info = by.tasks()[std::size_t(request.task)];
    json const example = instance_to_json(text, view_of(request.example));
    std::vector<json> hidden;
    for (std::vector<std::int32_t> const& words : request.instances) {
        hidden.push_back(instance_to_json(text, view_of(words)));
    }
    std::vector<input_field> const fields = input_fields(text, hidden.empty() ? example : hidden[0]);
    for (json const& own : hidden) {
        bool same = own.size() == fields.size();
        for (input_field const& wanted : fields) {
            same = same && own.contains(wanted.name);
        }
        if (!same) {
            misuse("instances: their JSON forms have different fields, so a program cannot read them alike");
        }
    }
    // Like this page's last style, a task's last prompt style is reserved for evaluation.
    std::int32_t const prompt_style = request.style + 1 == statement_styles ? text.styles - 1 : request.style;
    draw const source{hash_words(request.example).low, 0x70726f67};
    example_answer const shown = answer_of_example(by, request.task, request.example);
    std::string const note = shown.block.empty() ? "No answer is known for the example."
                                                 : "This answer counts; its " + std::string(info.objective) + " is " +
                                                       std::to_string(shown.objective) + ".";
    std::string rules = text.prompt(view_of(request.example), std::min(prompt_style, text.styles - 1), source);
    rules.resize(rules.find_last_not_of("\n ") + 1);
    std::size_t const count = request.instances.size();
    bool const called = request.interface == program_interface::solve;
    std::vector<input_field> const own = input_fields(text, example);
    std::string const printed = shown.block.empty() ? std::string("\n") : write_output(info, text, shown.block);
    std::pair<std::string_view, std::string> const parts[] = {
        {"title", std::string(info.title)},
        {"language", named(request.language)},
        {"count", count == 1 ? "one instance" : std::to_string(count) + " instances"},
        {"objective", std::string(info.objective)},
        {"direction", info.objective_sense == sense::minimise ? "minimise" : "maximise"},
        {"rules", rules},
        {"input",
         input_section(fields, hidden.empty() ? std::vector<json>{example} : hidden, request.input, request.interface)},
        {"output", output_section(info, called)},
        {"Input", called ? "Call" : "Input"},
        {"Output", called ? "Returned" : "Output"},
        {"INPUT", called ? "CALL" : "INPUT"},
        {"OUTPUT", called ? "RESULT" : "OUTPUT"},
        {"reads", called ? "gets" : "reads"},
        {"print", called ? "return" : "print"},
        {"example_input", called ? solve_call(own, example) : write_input(own, example, request.input)},
        {"example_output", called && !shown.block.empty() ? solve_value(printed) : printed},
        {"example_note", note},
        {"limits", limits_section(request.limits)},
        {"rules_of_language", language_section(request.language, called)},
        {"ending", ending_of(request.format, request.language)},
    };
    return filled(style_texts[std::size_t(request.style)], parts);
}

}  // namespace optgap::programs
