// Rows of problems that this build does not have. An outside verdict stands in the row:
//
//   {"key": "mine/toy@1:train:d3:17", "completion": "…", "external": {"reward": 0.5}}
//
// Under --environments a row may hold the `problem` instead: its environment is asked (asked_verdicts.hpp).
//
// docs/external.md and, for Python, python/optgap/rows/external/protocol.py describe its fields.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/external/asked_verdicts.hpp"
#include "host/rows/json/json_text.hpp"
#include "host/rows/read/fields.hpp"
#include "host/rows/read/row_place.hpp"
#include "host/rows/row_kind.hpp"
#include "optgap/external.hpp"

namespace optgap::rows {
namespace {

constexpr std::int64_t unit = std::int64_t(1) << 30;  ///< quality 1 as an objective, where the verdict is a reward
constexpr double rounding = 1e-9;                     ///< how far a sum of fractions may exceed 1

/// A verdict on the scale of objectives.
struct judged {
    bool right = false;                        ///< an answer of some value
    bool scaled = false;                       ///< a reward, in units
    bool correct = false;                      ///< the environment states that nothing is better
    std::int32_t wrong = code_external_wrong;  ///< the code of an answer that is not right
    std::int64_t objective = 0;
    sense direction = sense::maximise;
    baseline base;
    double given = std::numeric_limits<double>::quiet_NaN();  ///< the reward that the environment gave; NaN: none
};

json_row object_at(json_row const& row, std::string_view name, std::string const& field,
                   std::initializer_list<std::string_view> known) {
    json_row object;
    std::string rule;
    if (!object.split(*row.find(name), rule)) {
        throw field_error(field, fmt::format("must be an object of {}", fmt::join(known, ", ")));
    }
    for (json_field const& found : object.fields()) {
        if (std::none_of(known.begin(), known.end(), [&](std::string_view one) { return key_is(found.key, one); })) {
            throw field_error(fmt::format("{}.{}", field, found.key.substr(0, 60)),
                              fmt::format("is unknown, expected {}", fmt::join(known, ", ")));
        }
    }
    return object;
}

std::int64_t integer_at(json_row const& row, std::string_view name, std::string const& field) {
    std::int64_t const value = integer_of(row, name, no_objective, field);
    if (value == no_objective) {  // absent, or the one value reserved for it
        throw field_error(field, has(row, name) ? "must be above -2^63" : "missing");
    }
    return value;
}

std::int64_t anchor_at(json_row const& anchors, std::string_view name) {
    return has(anchors, name) ? integer_at(anchors, name, fmt::format("external.anchors.{}", name)) : no_objective;
}

bool flag_at(json_row const& row, std::string_view name, bool fallback, std::string const& field) {
    if (!has(row, name)) {
        return fallback;
    }
    std::string_view const value = *row.find(name);
    if (value != "true" && value != "false") {
        throw field_error(field, "must be true or false");
    }
    return value == "true";
}

/// A number from `low` to 1; one beyond it by no more than a rounding is the nearer end.
double number_at(json_row const& said, std::string_view name, double low) {
    auto const number = read_json(*said.find(name));
    double const value = number.is_number() ? number.get<double>() : 2.0;
    if (!(value >= low - rounding && value <= 1 + rounding)) {
        throw field_error(fmt::format("external.{}", name), fmt::format("must be a number from {:g} to 1", low));
    }
    return std::clamp(value, low, 1.0);
}

judged of_reward(json_row const& said) {
    for (std::string_view const name : {"sense", "anchors"}) {
        if (has(said, name)) {
            throw field_error(fmt::format("external.{}", name), "goes with an objective, and this verdict is a reward");
        }
    }
    judged out;
    out.given = number_at(said, "reward", -1.0);
    double const quality = has(said, "quality") ? number_at(said, "quality", 0.0) : (out.given + 1) / 2;
    out.objective = std::llrint(quality * double(unit));
    out.scaled = true;
    out.right = out.objective > 0;
    out.correct = out.objective == unit;
    out.base = {.objective = unit, .floor = 0, .greedy = 0};
    return out;
}

judged of_objective(json_row const& said) {
    if (has(said, "quality")) {
        throw field_error("external.quality", "goes with a reward, and this verdict is an objective");
    }
    judged out;
    out.objective = integer_at(said, "objective", "external.objective");
    std::string_view const* const sense_text = said.find("sense");
    bool const up = sense_text != nullptr && *sense_text == R"("maximise")";
    if (!up && (sense_text == nullptr || *sense_text != R"("minimise")")) {
        throw field_error("external.sense", "must be \"minimise\" or \"maximise\"");
    }
    out.direction = up ? sense::maximise : sense::minimise;
    if (!has(said, "anchors")) {
        throw field_error("external.anchors", "missing: {\"objective\": …}, what the objective is measured against");
    }
    json_row const anchors = object_at(said, "anchors", "external.anchors", {"objective", "floor", "greedy"});
    out.base.objective = integer_at(anchors, "objective", "external.anchors.objective");
    out.base.floor = anchor_at(anchors, "floor");
    out.base.greedy = anchor_at(anchors, "greedy");
    out.right = !up || out.objective > 0 || out.base.objective <= 0;
    out.correct = up ? out.objective >= out.base.objective : out.objective <= out.base.objective;
    return out;
}

/// Throws field_error.
judged read_verdict(json_row const& row) {
    json_row const said = object_at(row, "external", "external",
                                    {"reward", "quality", "objective", "sense", "anchors", "correct", "code"});
    if (has(said, "reward") == has(said, "objective")) {
        throw field_error("external.reward", has(said, "reward") ? "stands beside an objective, expected one of them"
                                                                 : "missing, and so is an objective");
    }
    judged out = has(said, "reward") ? of_reward(said) : of_objective(said);
    out.correct = flag_at(said, "correct", out.correct, "external.correct");
    if (has(said, "code")) {
        std::string_view const code = *said.find("code");
        if (!is_json_string(code)) {
            throw field_error("external.code", "must be a word");
        }
        std::string const word = decode_json_string(code);
        out.right = out.right && word == "ok";
        // An environment that gave no verdict: why not. Its own words for a wrong answer are no codes.
        for (std::int32_t c = code_external_wrong; c < external_code_end; ++c) {
            out.wrong = external_code_name(c) == word ? c : out.wrong;
        }
    }
    // Nothing is proven. A bound stands where the environment reports "correct", since some rewards score only the best
    // answer.
    out.base.status = baseline_status::bounded;
    out.base.bound = out.correct ? out.objective : no_objective;
    return out;
}

/// Whether a text is only white space, as Python's `strip` defines it. The environment is not asked about such a text.
bool is_blank(std::string_view text) {
    constexpr std::string_view wide[] = {"\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003",
                                         "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a",
                                         "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"};
    while (!text.empty()) {
        std::size_t taken = std::string_view("\t\n\v\f\r\x1c\x1d\x1e\x1f ").find(text[0]) != std::string_view::npos;
        for (std::string_view const one : wide) {
            taken = text.starts_with(one) ? one.size() : taken;
        }
        if (taken == 0) {
            return false;
        }
        text.remove_prefix(taken);
    }
    return true;
}

/// Throws field_error for a key, or for columns beside it, that cannot have an `external` verdict.
void require_outside(json_row const& row) {
    auto const key = string_of(row, "key");
    bool const ours = key ? !is_external_key(*key) : has(row, "task");
    if (ours || has(row, "instance")) {
        throw field_error("external", "never counts beside a task of this build, which verifies its answers itself");
    }
    if (!key) {
        throw field_error("key", "missing: a verdict from outside needs one like mine/toy@1:train:d3:17");
    }
    std::string const task = external_place(*key).task;
    if (auto const named = string_of(row, "task"); named && *named != task) {
        throw field_error("task", fmt::format("is '{}', but the key names '{}'", *named, task));
    }
}

bool has_external_key(json_row const& row) {
    std::string_view const* const key = row.find("key");
    return key != nullptr && is_json_string(*key) && is_external_key(decode_json_string(*key));
}

constexpr option outside{.name = "external",
                         .type = option_type::flag,
                         .help = "Score rows of others' problems by the verdict that they hold as `external`"};
constexpr option asked_environments{
    .name = "environments",
    .help =
        "Ask these about rows that hold their `problem`: FILE.py:CLASS, mine/toy, rg/*, "
        "with commas"};
constexpr option as_this_user{.name = "trusted",
                              .type = option_type::flag,
                              .help = "Run --environments as this user; else an isolation level holds them"};
constexpr option external_options[] = {outside, asked_environments, as_this_user};
constexpr column external_reads[] = {
    {"key", column_type::text, "names the problem: mine/toy@1:train:d3:17, with a slash in the task's name"},
    {"completion", column_type::text, "what the model wrote"},
    {"external", column_type::json,
     R"({"reward": -1 to 1, perhaps "quality"}, or {"objective", "sense", "anchors"}, perhaps with `correct` and `code`)"},
    {"problem", column_type::json, "in place of a verdict: the problem, about which --environments are asked"},
    {"accepts_empty", column_type::boolean, "the environment was asked about an empty answer, too"}};
constexpr code_range external_codes{code_external_wrong, external_code_end,
                                    [](std::int32_t code) { return external_code_name(code); }};
constexpr kind_info external_info{.name = "external",
                                  .page = "external.md",
                                  .known_by = "`external`, under `--external`, or `problem`, under `--environments`",
                                  .rank = 20,
                                  .reads = external_reads,
                                  .options = external_options,
                                  .codes = external_codes,
                                  .place = graded_in::worker};

class external_kind final : public row_kind {
public:
    explicit external_kind(run_services& run)
        : run_(run),
          allowed_(run.options.kinds.flag(outside)),
          asked_(run.options.kinds.text(asked_environments), run.options.kinds.flag(as_this_user)) {}

    kind_info const& info() const override { return external_info; }
    claim claims(json_row const& row) const override {
        bool const expected = allowed_ || asked_.can_ask();
        return has(row, "external") || (expected && has_external_key(row)) ? claim::marked : claim::none;
    }

    void read(row_batch& batch) override {
        batch.each([&](std::size_t i) {
            json_row const& row = batch.items[i].row;
            bool const says = has(row, "external"), asks = !says && asked_.can_ask() && has(row, "problem");
            if (!allowed_ && !asks) {
                throw field_error("external",
                                  says ? "is a verdict from outside, which counts only under `optgap score --external`"
                                       : "missing, and so is the problem, about which its environment would be asked");
            }
            require_outside(row);
            if (!says && !asks) {
                throw field_error("external", "missing: the verdict, such as {\"reward\": 0.5}");
            }
            if (says) {
                static_cast<void>(read_verdict(row));
                static_cast<void>(flag_at(row, "accepts_empty", false, "accepts_empty"));
            }
            batch.rollouts[i] = read_rollout(batch.items[i], run_.options, batch.texts);
            require_tokens(batch.rollouts[i], run_.reward);
        });
        asked_.ask(batch, [](json_row const& row) { static_cast<void>(read_verdict(row)); });
    }

    void grade(row_batch& batch, std::span<sourced_baseline const>, std::span<graded_row> out) override {
        std::vector<std::string_view> texts;
        std::vector<std::int32_t> format_of, length;
        std::vector<finish> finished;
        for (std::size_t const i : batch.mine) {
            texts.push_back(batch.rollouts[i].completion);
            format_of.push_back(batch.rollouts[i].format);
            finished.push_back(batch.rollouts[i].finished);
            length.push_back(batch.rollouts[i].length);
        }
        std::vector<answer_place_found> const places = find_answers(texts, format_of, finished);

        std::vector<judged> said;
        std::vector<verdict> verdicts;
        std::vector<std::int32_t> format_codes;
        std::vector<baseline> baselines;
        std::vector<sense> direction;
        std::vector<double> given;
        for (std::size_t r = 0; r < batch.mine.size(); ++r) {
            auto const [begin, end] = places[r].answer;
            json_row const& row = asked_.row_of(batch, batch.mine[r]);
            judged one = read_verdict(row);
            verdict found{.code = one.right ? std::int32_t(code_ok) : one.wrong,
                          .objective = one.objective,
                          .violation = one.right ? 0 : 1,
                          .violation_max = 1};
            bool const blank = is_blank(texts[r].substr(std::size_t(begin), std::size_t(end - begin)));
            bool const takes_blank = flag_at(row, "accepts_empty", false, "accepts_empty");
            bool const asked = places[r].has_answer && (!blank || takes_blank);
            if (!asked || (blank && !one.right)) {
                found = {.code = code_empty, .violation = 1, .violation_max = 1};
            }
            given.push_back(asked ? one.given : std::numeric_limits<double>::quiet_NaN());
            verdicts.push_back(found);
            format_codes.push_back(places[r].format_code);
            baselines.push_back(one.base);
            direction.push_back(one.direction);
            said.push_back(one);
        }
        std::vector<reward_row> const rewarded = external_rewards({.verdicts = verdicts,
                                                                   .format_codes = format_codes,
                                                                   .finished = finished,
                                                                   .length = length,
                                                                   .baselines = baselines,
                                                                   .direction = direction,
                                                                   .given = given},
                                                                  run_.reward.specs[0]);
        for (std::size_t r = 0; r < batch.mine.size(); ++r) {
            judged const& one = said[r];
            bool const feasible = rewarded[r].feasible > 0;
            graded_row& row = out[batch.mine[r]];
            row.value = rewarded[r];
            row.reached = feasible && one.correct;
            row.objective = feasible && !one.scaled ? one.objective : no_objective;
            row.violation = feasible ? 0 : 1;
            // For every external row more is better, so that rewards and objectives of either sense rank in one file.
            row.score = one.scaled                         ? double(rewarded[r].quality)
                        : one.direction == sense::maximise ? double(one.objective)
                                                           : -double(one.objective);
            row.answer = places[r].answer;
            row.baseline_objective = one.scaled ? no_objective : one.base.objective;
            row.baseline_kind = "external";
            std::string const key = *string_of(batch.items[batch.mine[r]].row, "key");
            row.task = run_.names.task(external_place(key).task);
            row.group = run_.names.group(batch.group_of(batch.mine[r], fmt::format("key {}", key)));
            row.length = length[r];
            row.format = format_of[r];
        }
        asked_.forget(batch);
    }

    finding find(explained_rows const& rows) override {
        finding out = row_kind::find(rows);
        out.rule = rows.row().value.code == code_external_wrong
                       ? "the environment that the problem is from gives the answer no worth"
                       : std::move(out.rule);
        return out;
    }

    void forget() override { asked_.forget(); }

private:
    run_services& run_;
    bool allowed_;
    asked_verdicts asked_;
};

}  // namespace

kind_entry external_rows() { return {&external_info, make_kind<external_kind>}; }

}  // namespace optgap::rows
