#include "tools/cli/look/explain/explain_proposal.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>

#include "kernels/text/flat/flat_json.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {
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
std::optional<flat_value> place_of(flat_value at, std::string_view field) {
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
    read.read(text, most_proposal_depth);
    if (read.expected != nullptr || one.field.empty()) {
        return {};
    }
    std::optional<flat_value> const instance = read.root().find("instance");
    std::optional<flat_value> found = place_of(read.root(), one.field);
    found = !found && instance ? place_of(*instance, one.field) : found;
    if (!found) {
        return {};
    }
    std::int64_t const begin = found->raw().data() - text.data();
    return {begin, begin + std::int64_t(found->raw().size())};
}

std::string objective_or_none(std::int64_t objective) {
    return objective == no_objective ? "none" : std::to_string(objective);
}

std::string gates_text(checked_proposal const& one, painter const& paint) {
    bool const read = is_proposal_code(one.code) || one.code == code_ok;
    if (!read) {
        return paint.faint("  not looked at: the completion's form is broken\n");
    }
    // What was not run stopped before the first gate that needs a proof.
    std::int32_t const stop = one.code == code_ok || one.code == code_over_quota ? code_proposal_not_run
                              : one.code == code_proposal_not_run                ? std::int32_t(code_unproven)
                                                                                 : one.code;
    std::string out;
    for (std::int32_t gate = code_not_json; gate < code_proposal_not_run; ++gate) {
        char const* const sentence = gate_sentences[gate - code_not_json];
        if (gate < stop) {
            out += fmt::format("  {}  {:<18}{}\n", paint.good("yes"), proposal_code_name(gate), sentence);
        } else if (gate == one.code) {
            out += fmt::format("  {}  {:<18}{}\n", paint.bad("no "), proposal_code_name(gate), sentence);
        } else {
            out += paint.faint(fmt::format("  -    {:<18}{}", proposal_code_name(gate), sentence)) + "\n";
        }
    }
    constexpr char const* quota = "is within its task's quota of the step";
    std::string_view const name = proposal_code_name(code_over_quota);
    return out + (one.code == code_ok           ? fmt::format("  {}  {:<18}{}\n", paint.good("yes"), name, quota)
                  : one.code == code_over_quota ? fmt::format("  {}  {:<18}{}\n", paint.bad("no "), name, quota)
                                                : paint.faint(fmt::format("  -    {:<18}{}", name, quota)) + "\n");
}

std::string reward_text(std::int32_t code) {
    if (code == code_ok) {
        return "1: it passes every gate\n";
    }
    if (code == code_proposal_not_run) {
        return "none: the steps of the run were used up before it; it may be tried again\n";
    }
    if (code == code_over_quota) {
        return "0: it passes every gate, and its task had its quota\n";
    }
    if (!is_proposal_code(code)) {
        return "-1: the completion's form is broken\n";
    }
    return fmt::format("{:.4f} = -1/2 + 3/8 * {}/{}: gate {} of {} fails\n", double(gate_reward(code)),
                       code - code_not_json, code_trivial - code_not_json, code - code_not_json + 1,
                       std::size(gate_sentences));
}

}  // namespace

proposal_explainer::proposal_explainer(context& ctx, score_options const& options)
    : ctx_(ctx),
      options_(options),
      tasks_((ctx.get_engine(false), ctx.tasks())),
      reward_{},
      run_{ctx.get_engine(false), tasks_, options_, reward_, false, run_names(ctx.get_engine(false)), {}},
      rows_(run_) {}

bool proposal_explainer::take(row_item& item) {
    if (!item.sound() || rows_.claims(item.row) == claim::none) {
        return false;
    }
    texts_.clear();
    roll_ = {};
    row_batch batch{{&item, 1}, {&roll_, 1}, {0}, texts_};
    rows_.read(batch);
    if (!item.sound()) {
        return true;
    }
    row_ = {};
    rows_.grade(batch, {}, {&row_, 1});
    posed_ = roll_.completion.substr(std::size_t(row_.answer.begin), std::size_t(row_.answer.end - row_.answer.begin));
    return true;
}

std::string proposal_explainer::text(row_item const& item, painter const& paint) const {
    checked_proposal const& one = rows_.found(row_);
    bool const formed = is_proposal_code(one.code) || one.code == code_ok;
    std::string_view const task = one.task < 0 ? "no task" : ctx_.get_engine(false).tasks()[std::size_t(one.task)].name;
    std::string out =
        paint.title(fmt::format("row {}: a proposal of kind {}, {}", item.number, name_of(one.kind), task));
    out += "\n\n";
    if (formed) {
        out += paint.title(fmt::format("proposal, {} bytes", posed_.size())) + "\n";
        out += marked_excerpt(posed_, wrong_place(posed_, one), paint);
    } else {
        format_spec const& format = known_formats()[std::size_t(roll_.format)];
        out += paint.title(fmt::format("completion, {} bytes", roll_.completion.size())) + "\n";
        out += marked_excerpt(roll_.completion, row_.answer, paint);
        out += fmt::format("format    {}: {}\n", format.name, paint.bad(sentence_for(one.code, format)));
    }
    out += "\n" + paint.title("gates") + "\n" + gates_text(one, paint);
    if (!one.rule.empty()) {
        std::string const place = one.where < 0 || !one.field.empty() ? "" : fmt::format(", at byte {}", one.where);
        std::string const why = fmt::format("{}{}{}{}", one.field, one.field.empty() ? "" : " ", one.rule, place);
        out += fmt::format("why       {}\n", paint.bad(printable(why)));
    }
    if (!one.canonical.empty()) {
        out += fmt::format("\nkey       {}\ncanonical {}{}\n", one.key, one.canonical, one.coarse ? ", coarse" : "");
    }
    if (one.base.steps > 0 || one.base.proven()) {
        out += fmt::format("{} {}, bound {}, {} steps; floor policy {}, greedy {}, {} levels among {} noisy ones\n",
                           one.base.status == baseline_status::infeasible ? "no answer exists, objective"
                           : one.base.proven()                            ? "optimum  "
                                                                          : "best known",
                           objective_or_none(one.base.objective), objective_or_none(one.base.bound), one.base.steps,
                           objective_or_none(one.base.floor), objective_or_none(one.base.greedy), one.levels,
                           proposal_greedies);
    }
    return out + fmt::format("\n{}    {}", paint.title("reward"), reward_text(one.code));
}

}  // namespace optgap::cli
