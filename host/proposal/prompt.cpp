#include "optgap/proposals/prompt.hpp"

#include <string_view>

#include "kernels/registry/registry.hpp"
#include "optgap/engine.hpp"
#include "optgap/proposals/proposal.hpp"
#include "optgap/status.hpp"
#include "optgap/task_choice.hpp"

namespace optgap {
namespace {

void add_field(std::string& out, std::string_view name, std::string_view rule) {
    out += std::string("- \"") + std::string(name) + "\": " + std::string(rule) + "\n";
}

/// The fields of an instance's JSON and their rules, a line each.
std::string fields_of(task_text const& text) {
    std::string out;
    for (json_rule const& one : text.json_fields) {
        add_field(out, one.name, one.rule);
    }
    bool counted = false;  // all graphs of an instance have the same n
    for (field const& one : text.json_fields.empty() ? text.layout : std::span<field const>()) {
        if (is_graph(one) && !counted) {
            add_field(out, "n", "the number of vertices, which are 0 to n - 1");
            counted = true;
        }
        if (one.kind != field_kind::size && !one.optional) {  // proposals are of the kind that the generator makes
            add_field(out, one.name, one.rule);
        }
    }
    return out;
}

}  // namespace

std::string proposer_prompt(engine const& by, proposer_request const& wanted) {
    if (wanted.task < 0 || std::size_t(wanted.task) >= by.tasks().size()) {
        misuse("task: index " + std::to_string(wanted.task) + " does not exist");
    }
    task_info const& info = by.tasks()[std::size_t(wanted.task)];
    if (!info.direct) {
        misuse(not_direct(info.name));
    }
    bool const aims = wanted.gap_low >= 0 || wanted.gap_high >= 0;
    if (aims && (wanted.gap_low < 0 || wanted.gap_low > wanted.gap_high || wanted.gap_high > 100)) {
        misuse("target: expected 0 <= low <= high <= 100 percent");
    }
    task_text const& text = *registry()[std::size_t(wanted.task)].text;
    std::string const name(info.name);
    std::string out =
        "Pose a new problem of the kind \"" + std::string(info.title) + "\": " + std::string(info.summary) + ". ";
    out += "Answers are compared by their " + std::string(info.objective) +
           (info.objective_sense == sense::minimise ? ", the least" : ", the most") + " being best.\n\n";
    out +=
        "A good problem has a best answer that can be proven, is not solved by a greedy method, and is not an earlier "
        "one under other labels.";
    if (aims) {
        out += " Make one in which a greedy method misses " + std::to_string(wanted.gap_low) + " to " +
               std::to_string(wanted.gap_high) + " percent of the way from a plain answer to the best one.";
    }
    out += "\n\nIts JSON form is {\"task\": \"" + name + "\", \"instance\": {...}}. The instance has the fields\n" +
           fields_of(text);
    if (!wanted.references.empty()) {
        out += "\nEarlier problems, of which yours must not be a copy:\n";
        for (std::string const& one : wanted.references) {
            out += "{\"task\": \"" + name + "\", \"instance\": " + one + "}\n";
        }
    }
    proposal_limits const limits;
    out += "\nUse at most " + std::to_string(limits.bytes) + " bytes and numbers of at most " +
           std::to_string(max_proposal_digits) + " digits.\n\n";
    return out + format_instructions(question_format(), "{\"task\": \"" + name + "\", \"instance\": {...}}");
}

}  // namespace optgap
