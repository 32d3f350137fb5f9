// Why a judgement earns what it earns: what was read, what is proven of what it judges, and how both compare.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "host/rows/judgement/judgement.hpp"
#include "host/rows/read/fields.hpp"

namespace optgap::rows {
namespace {

constexpr std::size_t shown_pairs = 8;

/// Rows of a file that are rewarded together, and which of them is explained.
struct rewarded_judgements {
    judge_reward rule;
    std::vector<judged_row> rows;
    std::vector<std::int64_t> line;
    std::size_t own = 0;
    judge_result reward;
};

std::string band_words(double value) { return std::string(judge_band_names[band_of(value)]); }

std::string said_words(judgement const& said) { return fmt::format("{:.4g}", 1 + 9 * said.value); }

/// Why a score cannot be read, or counts for less; empty where nothing is wrong.
std::string score_fault(judgement const& said) {
    switch (said.code) {
        case code_ok: return {};
        case code_several_scores: return "a tag of <score> stands there more than once";
        case code_score_out_of_range: return "the score is no integer from 1 to 10";
        default:
            return said.readable() ? "no pair of <score> tags holds a number"
                                   : "no integer stands alone between one <score> and one </score>";
    }
}

void add_parse(section& out, judgement const& said, std::string_view parser, bool cut) {
    std::string const end = cut ? ", the text was cut off" : "";
    if (said.code == code_ok) {
        out.add("parse", fmt::format("{}: score {}, which is worth ({} - 1)/9 = {:.4f}, of band {}{}", parser,
                                     said_words(said), said_words(said), said.value, band_words(said.value), end));
        return;
    }
    std::string const taken = said.code == code_no_score && said.readable()
                                  ? fmt::format("; {} takes it for {:g}", parser, said.value)
                                  : std::string();
    out.add("parse", fmt::format("{}: {}{}{}", judge_code_name(said.code), score_fault(said), taken, end), tone::bad);
}

/// What is proven of the judged row, and what a judge should have said.
std::string truth_text(judged_thing const& of, judge_truth const& truth, std::string const& code) {
    if (of.free_text) {
        return "free text, so that nothing is proven of it and no score is right or wrong";
    }
    if (!truth.known()) {
        return fmt::format("{}: {}, so that no score is right or wrong", code,
                           of.question ? "no gate had its say" : "feasible, and no optimum is proven");
    }
    std::string const right = fmt::format("right is {}, truth", judge_band_names[truth.band]);
    if (of.question) {
        char const* const why = truth.band == 0   ? "a gate fails"
                                : truth.band == 1 ? "a gate for dull ones fails"
                                                  : "it passes every gate";
        return fmt::format("{}: {}; {} {:g}", code, why, right, truth.value);
    }
    if (truth.band == 1) {
        return fmt::format("{}: feasible, not optimal, normalised quality {:.4f}; {} (1 + {:.4f})/3 = {:.4f}", code,
                           of.normalized, right, std::clamp(of.normalized, 0.0, 1.0), truth.value);
    }
    char const* const why = truth.band == 2 ? "proven optimal" : "breaks the format or a rule";
    return fmt::format("{}: {}; {} {:g}", code, why, right, truth.value);
}

void add_step(std::vector<reward_step>& steps, std::string name, std::string how, std::string value) {
    steps.push_back({std::move(name), std::move(how), std::move(value)});
}

/// The comparisons of `pairs`, the first few of them one a line.
void add_pairs(rewarded_judgements const& all, std::vector<reward_step>& steps) {
    judged_row const& own = all.rows[all.own];
    std::size_t others = 0;
    for (std::size_t r = 0; r < all.rows.size(); ++r) {
        judged_row const& other = all.rows[r];
        if (other.group != own.group || !other.truth.known() || !other.said.readable() ||
            other.truth.value == own.truth.value) {
            continue;
        }
        if (++others <= shown_pairs && own.said.readable()) {
            bool const tie = own.said.value == other.said.value;
            bool const right = (own.said.value > other.said.value) == (own.truth.value > other.truth.value);
            add_step(steps, fmt::format("row {}", all.line[r]),
                     fmt::format("truth {:.4g} against {:.4g}, score {} against {}", own.truth.value, other.truth.value,
                                 said_words(own.said), said_words(other.said)),
                     tie     ? "1/2"
                     : right ? "1"
                             : "0");
        }
    }
    if (own.said.readable() && others > shown_pairs) {
        add_step(steps, "", fmt::format("and {} more", others - shown_pairs), "");
    }
    add_step(steps, "own",
             others == 0           ? "no other judgement of this question differs in truth"
             : own.said.readable() ? fmt::format("share of {} pairs in the right order", others)
                                   : "its score cannot be read",
             others == 0 ? "none" : fmt::format("{:.10g}", all.reward.own[all.own]));
    add_step(steps, "constant", "a judge that always says the same has every pair tied", "-0.5");
}

void add_own(rewarded_judgements const& all, std::vector<reward_step>& steps) {
    judged_row const& row = all.rows[all.own];
    std::string why = "its score cannot be read";
    if (all.rule == judge_reward::format) {
        why = row.said.form == 1 ? "one pair of tags" : row.said.form > 0 ? "several pairs of tags" : "no whole pair";
    } else if (row.said.readable() && all.rule == judge_reward::brier) {
        why = fmt::format("1 - ({:.4f} - {:.4f})^2", row.said.value, row.truth.value);
    } else if (row.said.readable()) {
        std::int32_t const off = std::abs(band_of(row.said.value) - row.truth.band);
        why = fmt::format("said {}, right is {}: {}", band_words(row.said.value), judge_band_names[row.truth.band],
                          off == 0   ? "the band"
                          : off == 1 ? "a neighbouring band"
                                     : "the other end");
    }
    add_step(steps, "own", why, fmt::format("{:.10g}", all.reward.own[all.own]));
    if (all.rule != judge_reward::format) {
        std::size_t const known =
            std::size_t(std::ranges::count_if(all.rows, [](judged_row const& one) { return one.truth.known(); }));
        add_step(steps, "constant",
                 fmt::format("a judge that always says {}, over {} judgement{}", all.reward.constant_score, known,
                             known == 1 ? "" : "s"),
                 signed_number(-all.reward.constant));
    }
}

std::vector<reward_step> reward_lines(rewarded_judgements const& all, graded_row const& scored) {
    judged_row const& row = all.rows[all.own];
    std::vector<reward_step> steps;
    if (all.rule != judge_reward::format && !row.truth.known()) {
        add_step(steps, "own", "nothing is proven of what it judges", "none");
    } else if (all.rule == judge_reward::pairs) {
        add_pairs(all, steps);
    } else {
        add_own(all, steps);
    }
    float const rewarded = scored.value.reward;
    if (scored.value.truncated != 0) {
        double const rest = all.reward.own[all.own] - all.reward.constant;
        add_step(steps, "cut off", "`truncated` of --reward says what it earns",
                 float(rest) == rewarded ? "the same"
                 : std::isnan(rewarded)  ? "none"
                                         : "0");
    }
    add_step(steps, "reward", "", std::isnan(rewarded) ? "none" : signed_number(double(rewarded)));
    return steps;
}

}  // namespace

/// Tells what is malformed, and nothing of what is proven.
finding judgement_kind::find(explained_rows const& rows) {
    judgement const& said = found(rows.row()).said;
    finding out{.subject = "judgement", .formed = rows.row().value.format > 0, .sound = said.code == code_ok};
    bool const cut = rows.row().value.code == code_truncated;
    out.rule = cut ? sentence_for(code_truncated, known_formats()[0]) : score_fault(said);
    if (!out.sound && !cut && said.span.end > 0) {
        out.place = fmt::format("what was read stands at byte {}, counted from 0", said.span.begin);
    }
    return out;
}

explanation judgement_kind::explain(explained_rows const& rows) {
    graded_row const& own = rows.row();
    rewarded_judgements all{rule_, {}, {}, 0, {}};
    for (std::size_t i = 0; i < rows.graded.size(); ++i) {
        if (rows.items[i].sound() && rows.graded[i].kind == own.kind) {
            all.own = i == rows.own ? all.rows.size() : all.own;
            all.rows.push_back(judged(rows.graded[i]));
            all.line.push_back(rows.items[i].number);
        }
    }
    all.reward = judge_results(all.rule, all.rows);

    json_row const& source = rows.item().row;
    std::string const completion = string_of(source, "completion").value_or("");
    judged_row const& row = all.rows[all.own];
    judged_thing const& of = thing_of(own);
    json_row judged;
    std::string rule;
    judged.split(*source.find("judged"), rule);
    std::string const code = of.question || of.free_text ? string_of(judged, "code").value_or("ok")
                                                         : std::string(run_.by.code_name(of.task, of.code));
    explanation out;
    out.title =
        fmt::format("a judgement of {}",
                    of.free_text  ? std::string(of.question ? "a question in free text" : "an answer in free text")
                    : of.question ? std::string("a proposal")
                                  : fmt::format("an answer to {}", run_.by.tasks()[std::size_t(of.task)].name));
    out.found = find(rows);
    section& text = out.add_excerpt(fmt::format("completion, {} bytes", completion.size()), completion, row.said.span);
    add_parse(text, row.said, run_.options.kinds.text(reader_option()), own.value.truncated != 0);
    section& thing = out.add("what it judges");
    if (auto const key = string_of(judged, "key")) {
        thing.add("key", printable(*key));
    }
    if (auto const asked = string_of(judged, "question")) {
        thing.add("question", shortened(*asked, 120));
    }
    if (auto const said = string_of(judged, "completion")) {
        thing.add("text", shortened(*said, 120));
    }
    thing.add("verdict", truth_text(of, row.truth, printable(code)));
    out.add(fmt::format("reward, {}", run_.options.kinds.text(rule_option()))).steps = reward_lines(all, own);
    return out;
}

}  // namespace optgap::rows
