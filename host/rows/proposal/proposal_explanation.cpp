// Why a proposal passes its gates or fails one.

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "host/rows/proposal/proposal.hpp"
#include "kernels/text/flat/flat_json.hpp"

namespace optgap::rows {
namespace {

/// What each gate asks of a proposal, in their order.
constexpr char const* gate_sentences[] = {
    "is one JSON object with brackets at most 8 deep",
    "has the fields of one kind, each once and of its type",
    "names a task of this build",
    "has no more bytes than are allowed",
    "announces no more words, prompt, answer or digits than are allowed",
    "is an instance by the task's entry check, from a known parent",
    "is not a problem that is held out, under any labels",
    "is not the problem of an earlier row, under any labels",
    "is not near to earlier ones",
    "is proven within its budget",
    "has an answer, or is among the share that may have none",
    "is not solved by greed",
};
static_assert(std::size(gate_sentences) == code_proposal_not_run - code_not_json);

/// "weights[3]" or "edit[0].path" inside of a value; nothing where the text has no such place.
std::optional<flat_value> value_at(flat_value at, std::string_view field) {
    while (!field.empty()) {
        if (field[0] == '[') {
            std::size_t i = 0;
            auto const [end, problem] = std::from_chars(field.data() + 1, field.data() + field.size(), i);
            if (problem != std::errc() || !at.is_array() || i >= at.size()) {
                return std::nullopt;
            }
            at = at[i];
            field.remove_prefix(std::min(field.size(), std::size_t(end - field.data()) + 1));
        } else {
            field.remove_prefix(field[0] == '.' ? 1 : 0);
            std::string_view const name = field.substr(0, field.find_first_of(".["));
            auto const member = at.is_object() ? at.find(name) : std::nullopt;
            if (!member) {
                return std::nullopt;
            }
            at = *member;
            field.remove_prefix(name.size());
        }
    }
    return at;
}

/// Where in its text a proposal is wrong; {0, 0} where no place is to be shown.
text_span wrong_place(std::string_view text, checked_proposal const& one) {
    if (one.where >= 0 && one.field.empty()) {
        auto const at = std::min<std::int64_t>(one.where, std::int64_t(text.size()));
        return {at, std::min<std::int64_t>(at + 1, std::int64_t(text.size()))};
    }
    flat_json read;
    read.read(text, max_proposal_depth);
    if (read.expected != nullptr || one.field.empty()) {
        return {};
    }
    std::optional<flat_value> const instance = read.root().find("instance");
    std::optional<flat_value> found = value_at(read.root(), one.field);
    found = !found && instance ? value_at(*instance, one.field) : found;
    if (!found) {
        return {};
    }
    std::int64_t const begin = found->raw().data() - text.data();
    return {begin, begin + std::int64_t(found->raw().size())};
}

constexpr char const* quota_sentence = "is within its task's quota of the step";

char const* gate_sentence(std::int32_t code) {
    return code == code_over_quota ? quota_sentence : gate_sentences[code - code_not_json];
}

/// Whether a gate reads the text alone, so that its reason tells nothing of proofs and of other problems.
bool reads_text_alone(std::int32_t code) { return code >= code_not_json && code <= code_bad_instance; }

std::string number_or_none(std::int64_t objective) {
    return objective == no_objective ? "none" : std::to_string(objective);
}

std::string gate_reason(checked_proposal const& one) {
    std::string const place = one.where < 0 || !one.field.empty() ? "" : fmt::format(", at byte {}", one.where);
    return one.rule.empty() ? std::string()
                            : fmt::format("{}{}{}{}", one.field, one.field.empty() ? "" : " ", one.rule, place);
}

void add_gates(section& out, checked_proposal const& one) {
    if (!is_proposal_code(one.code) && one.code != code_ok) {
        out.add("", "not looked at: the completion's form is broken");
        return;
    }
    // What was not run stopped before the first gate that needs a proof.
    std::int32_t const stop = one.code == code_ok || one.code == code_over_quota ? code_proposal_not_run
                              : one.code == code_proposal_not_run                ? std::int32_t(code_unproven)
                                                                                 : one.code;
    for (std::int32_t gate = code_not_json; gate < code_proposal_not_run; ++gate) {
        out.checks.push_back({std::string(proposal_code_name(gate)), gate_sentence(gate),
                              gate < stop        ? tone::good
                              : gate == one.code ? tone::bad
                                                 : tone::plain});
    }
    out.checks.push_back({std::string(proposal_code_name(code_over_quota)), quota_sentence,
                          one.code == code_ok           ? tone::good
                          : one.code == code_over_quota ? tone::bad
                                                        : tone::plain});
}

std::string gate_reward_text(std::int32_t code) {
    if (code == code_ok) {
        return "1: it passes every gate";
    }
    if (code == code_proposal_not_run) {
        return "none: the steps of the run were used up before it; it may be tried again";
    }
    if (code == code_over_quota) {
        return "0: it passes every gate, and its task had its quota";
    }
    if (!is_proposal_code(code)) {
        return "-1: the completion's form is broken";
    }
    return fmt::format("{:.4f} = -1/2 + 3/8 * {}/{}: gate {} of {} fails", double(gate_reward(code)),
                       code - code_not_json, code_trivial - code_not_json, code - code_not_json + 1,
                       std::size(gate_sentences));
}

void add_proof(explanation& out, checked_proposal const& one) {
    if (one.canonical.empty()) {
        return;
    }
    section& proof = out.add("problem");
    proof.add("key", one.key);
    proof.add("canonical", one.canonical + (one.coarse ? ", coarse" : ""));
    if (one.base.steps > 0 || one.base.proven()) {
        proof.add(one.base.status == baseline_status::infeasible ? "no answer exists, objective"
                  : one.base.proven()                            ? "optimum"
                                                                 : "best known ",
                  fmt::format("{}, bound {}, {} steps; floor policy {}, greedy {}, {} levels among {} noisy ones",
                              number_or_none(one.base.objective), number_or_none(one.base.bound), one.base.steps,
                              number_or_none(one.base.floor), number_or_none(one.base.greedy), one.levels,
                              proposal_greedies));
    }
}

}  // namespace

finding proposal_row_kind::find(explained_rows const& rows) {
    graded_row const& row = rows.row();
    checked_proposal const& one = found(row);
    finding out{.subject = "proposal", .formed = row.value.format > 0, .sound = one.sound()};
    if (!out.formed) {
        out.rule = sentence_for(one.code, known_formats()[std::size_t(std::max(0, row.format))]);
    } else if (one.code == code_proposal_not_run) {
        out.rule = "it was not proven: the steps of the run were used up before it";
    } else if (is_proposal_code(one.code)) {
        out.rule = fmt::format("the rule {}: a proposal {}", proposal_code_name(one.code), gate_sentence(one.code));
        out.place = reads_text_alone(one.code) ? gate_reason(one) : std::string();
    }
    return out;
}

explanation proposal_row_kind::explain(explained_rows const& rows) {
    graded_row const& row = rows.row();
    checked_proposal const& one = found(row);
    text_arena texts;
    rollout const roll = read_one(rows.item(), texts);
    std::string_view const task = one.task < 0 ? "no task" : run_.by.tasks()[std::size_t(one.task)].name;
    explanation out{.title = fmt::format("a proposal of kind {}, {}", name_of(one.kind), task), .found = find(rows)};
    if (is_proposal_code(one.code) || one.code == code_ok) {
        std::string_view const posed =
            roll.completion.substr(std::size_t(row.answer.begin), std::size_t(row.answer.end - row.answer.begin));
        out.add_excerpt(fmt::format("proposal, {} bytes", posed.size()), posed, wrong_place(posed, one));
    } else {
        section& text =
            out.add_excerpt(fmt::format("completion, {} bytes", roll.completion.size()), roll.completion, row.answer);
        text.add("format", fmt::format("{}: {}", known_formats()[std::size_t(roll.format)].name, out.found.rule),
                 tone::bad);
    }
    add_gates(out.add("gates"), one);
    if (!one.rule.empty()) {
        out.add("").add("why", printable(gate_reason(one)), tone::bad);
    }
    add_proof(out, one);
    out.add("").add("reward", gate_reward_text(one.code));
    return out;
}

}  // namespace optgap::rows
