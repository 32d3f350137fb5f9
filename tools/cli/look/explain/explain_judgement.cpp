#include "tools/cli/look/explain/explain_judgement.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "host/rows/judgement/judgement.hpp"
#include "host/rows/read/fields.hpp"

namespace optgap::cli {
namespace {

constexpr std::size_t shown_pairs = 8;

/// Rows of a file that are paid together, and which of them is explained.
struct paid_judgements {
    judge_reward rule;
    std::vector<judged_row> rows;
    std::vector<std::int64_t> line;
    std::size_t own = 0;
    judge_pay pay;
};

std::string band_words(double value) { return std::string(judge_band_names[band_of(value)]); }

std::string said_words(judgement const& said) { return fmt::format("{:.4g}", 1 + 9 * said.value); }

std::string parse_text(judgement const& said, std::string_view parser, bool cut, painter const& paint) {
    std::string const end = cut ? ", the text was cut off" : "";
    switch (said.code) {
        case code_ok:
            return fmt::format("{}: score {}, which is worth ({} - 1)/9 = {:.4f}, of band {}{}", parser,
                               said_words(said), said_words(said), said.value, band_words(said.value), end);
        case code_several_scores: return paint.bad("several: a tag of <score> stands there more than once" + end);
        case code_score_out_of_range: return paint.bad("out_of_range: the score is no integer from 1 to 10" + end);
        default:
            return said.readable()
                       ? paint.bad(
                             fmt::format("no_score: no pair of <score> tags holds a number; {} takes it for {:g}{}",
                                         parser, said.value, end))
                       : paint.bad("no_score: no integer stands alone between one <score> and one </score>" + end);
    }
}

/// What is proven of the judged row, and what a judge should have said.
std::string truth_text(judged_thing const& of, judge_truth const& truth, std::string const& code) {
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

/// The comparisons of `pairs`, the first few of them one a line.
void add_pairs(paid_judgements const& all, step_table& steps) {
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
            steps.add(fmt::format("row {}", all.line[r]),
                      fmt::format("truth {:.4g} against {:.4g}, score {} against {}", own.truth.value,
                                  other.truth.value, said_words(own.said), said_words(other.said)),
                      tie     ? "1/2"
                      : right ? "1"
                              : "0");
        }
    }
    if (own.said.readable() && others > shown_pairs) {
        steps.add("", fmt::format("and {} more", others - shown_pairs), "");
    }
    steps.add("own",
              others == 0           ? "no other judgement of this question differs in truth"
              : own.said.readable() ? fmt::format("share of {} pairs in the right order", others)
                                    : "its score cannot be read",
              others == 0 ? "none" : fmt::format("{:.10g}", all.pay.own[all.own]));
    steps.add("constant", "a judge that always says the same has every pair tied", "-0.5");
}

void add_own(paid_judgements const& all, step_table& steps) {
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
    steps.add("own", why, fmt::format("{:.10g}", all.pay.own[all.own]));
    if (all.rule != judge_reward::format) {
        std::size_t const known =
            std::size_t(std::ranges::count_if(all.rows, [](judged_row const& one) { return one.truth.known(); }));
        steps.add("constant",
                  fmt::format("a judge that always says {}, over {} judgement{}", all.pay.constant_score, known,
                              known == 1 ? "" : "s"),
                  signed_number(-all.pay.constant));
    }
}

std::string reward_lines(paid_judgements const& all, graded_row const& scored) {
    judged_row const& row = all.rows[all.own];
    step_table steps;
    if (all.rule != judge_reward::format && !row.truth.known()) {
        steps.add("own", "nothing is proven of what it judges", "none");
    } else if (all.rule == judge_reward::pairs) {
        add_pairs(all, steps);
    } else {
        add_own(all, steps);
    }
    float const paid = scored.value.reward;
    if (scored.value.truncated != 0) {
        double const rest = all.pay.own[all.own] - all.pay.constant;
        steps.add("cut off", "`truncated` of --reward says what it earns",
                  float(rest) == paid ? "the same"
                  : std::isnan(paid)  ? "none"
                                      : "0");
    }
    steps.add("reward", "", std::isnan(paid) ? "none" : signed_number(double(paid)));
    return steps.text();
}

}  // namespace

bool judgement_explainer::take(row_item const& item) {
    if (!item.sound() || !is_judgement(item.row)) {
        return false;
    }
    row_writer(lines_[item.number], &item.row).finish();
    return true;
}

std::string judgement_explainer::text(std::int64_t number, painter const& paint) {
    scorer by = make_scorer(ctx_, options_);
    std::vector<row_item> items(lines_.size());
    std::size_t own = 0, next = 0;
    for (auto const& [at, line] : lines_) {
        items[next].take(std::string_view(line).substr(0, line.size() - 1), at);
        own = at == number ? next : own;
        ++next;
    }
    std::vector<graded_row> scored = by.score(items);
    if (!items[own].sound()) {
        ctx_.end_with(exit_rejected);
        return fmt::format("row {} is rejected: {}: {}\n", number, items[own].field, items[own].rule);
    }
    by.settle(scored);
    auto const& judges = *by.kind_of<judgement_kind>(scored[own]);
    paid_judgements all{judges.rule(), {}, {}, 0, {}};
    for (std::size_t i = 0; i < scored.size(); ++i) {
        if (items[i].sound()) {
            all.own = i == own ? all.rows.size() : all.own;
            all.rows.push_back(judges.judged(scored[i]));
            all.line.push_back(items[i].number);
        }
    }
    all.pay = judge_pays(all.rule, all.rows);

    std::string const completion = string_of(items[own].row, "completion").value_or("");
    judged_row const& row = all.rows[all.own];
    judged_thing const& of = judges.thing_of(scored[own]);
    json_row judged;
    std::string rule;
    judged.split(*items[own].row.find("judged"), rule);
    std::string const code =
        of.question ? string_of(judged, "code").value_or("ok") : std::string(by.code_name(of.task, of.code));
    std::string const what = of.question
                                 ? "a proposal"
                                 : fmt::format("an answer to {}", ctx_.get_engine().tasks()[std::size_t(of.task)].name);
    std::string out = paint.title(fmt::format("row {}: a judgement of {}", number, what)) + "\n\n";
    out += paint.title(fmt::format("completion, {} bytes", completion.size())) + "\n";
    out += marked_excerpt(completion, row.said.span, paint);
    out += fmt::format("parse     {}\n",
                       parse_text(row.said, options_.kinds.text({.name = "judge-parser", .fallback = "strict"}),
                                  scored[own].value.truncated != 0, paint));
    out += "\n" + paint.title("what it judges") + "\n";
    if (auto const key = string_of(judged, "key")) {
        out += fmt::format("key       {}\n", printable(*key));
    }
    if (auto const said = string_of(judged, "completion")) {
        out += fmt::format("text      {}\n", shortened(*said, 120));
    }
    out += fmt::format("verdict   {}\n", truth_text(of, row.truth, printable(code)));
    out += fmt::format("\n{}, {}\n{}", paint.title("reward"),
                       options_.kinds.text({.name = "judge", .fallback = "band"}), reward_lines(all, scored[own]));
    return out;
}

}  // namespace optgap::cli
