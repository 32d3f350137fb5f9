// optgap advantages: any estimator on row_numbers that are there already, from any reward.

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/reward/score_columns.hpp"
#include "host/rows/json/json_text.hpp"
#include "kernels/text/task_text.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/score/score_command.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {
namespace {

constexpr std::string_view advantage_columns[] = {"advantage"};
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::pair<char const*, std::int32_t> components[] = {{"format", component_format},
                                                               {"feasible", component_feasible},
                                                               {"quality", component_quality},
                                                               {"normalized", component_normalized},
                                                               {"optimal", component_optimal}};

double number_or_none(json const& value, std::string const& field) {
    if (value.is_null()) {
        return no_number;
    }
    if (value.is_boolean()) {
        return value.get<bool>() ? 1.0 : 0.0;
    }
    if (!value.is_number()) {
        throw field_error(field, "must be a number or null");
    }
    return value.get<double>();
}

/// All rows' inputs, one entry per sound row.
class row_numbers {
public:
    explicit row_numbers(advantage_spec const& spec) : spec_(spec) {}

    /// Throws field_error and leaves the row out.
    void add(json_row const& row) {
        bool const ranks = ranks_scores(spec_.form);
        entry read;
        read.group = id_of(row, "group", groups_);
        read.cohort = reads_cohorts(spec_.form) ? id_of(row, "cohort", cohorts_) : 0;
        if (json const reward = value_of(row, "reward", !ranks); !reward.is_discarded()) {
            read.reward = float(number_or_none(reward, "reward"));
        }
        if (std::isinf(read.reward)) {
            throw field_error("reward", "must be finite");
        }
        if (reads_lengths(spec_)) {
            json const length = value_of(row, "length", true);
            if (!length.is_number_integer() || length < 0 || length > std::numeric_limits<std::int32_t>::max()) {
                throw field_error("length", "must be the row's number of tokens, 0 or more");
            }
            read.length = length.get<std::int32_t>();
        }
        std::vector<double> const scores = ranks ? scores_of(row) : std::vector<double>();
        if (ranks) {
            read.minimise = minimises(row);
        }
        std::array<float, component_count> column{};
        for (auto const& [name, at] : components) {
            if (reads_component(spec_, reward_component(at))) {
                column[std::size_t(at)] = float(number_or_none(value_of(row, name, true), name));
            }
        }
        // Only now is the row sound.
        rewards_.push_back(read.reward);
        group_.push_back(read.group);
        cohort_.push_back(read.cohort);
        length_.push_back(read.length);
        direction_.push_back(read.minimise ? sense::minimise : sense::maximise);
        scores_.insert(scores_.end(), scores.begin(), scores.end());
        for (std::size_t c = 0; c < column.size(); ++c) {
            column_[c].push_back(column[c]);
        }
    }

    [[nodiscard]] std::vector<float> advantages(engine const& by) const {
        std::vector<std::span<float const>> const columns(column_.begin(), column_.end());
        return by.advantages({.rewards = rewards_,
                              .group = group_,
                              .cohort = cohort_,
                              .length = length_,
                              .columns = columns,
                              .scores = scores_,
                              .columns_of_scores = std::int32_t(width_ == 0 ? 1 : width_),
                              .direction = direction_},
                             spec_);
    }

    /// Of river, groups that masked rows leave too small.
    [[nodiscard]] std::int64_t small_groups() const {
        return spec_.form == estimator::river ? count_small_groups(rewards_, group_) : 0;
    }

private:
    using ids = std::unordered_map<std::string, std::int32_t>;
    struct entry {
        float reward = 0;
        std::int32_t group = 0, cohort = 0, length = 0;
        bool minimise = false;
    };

    /// A discarded value when the key is absent and not needed.
    static json value_of(json_row const& row, char const* name, bool needed) {
        std::string_view const* const text = row.find(name);
        if (text == nullptr) {
            if (needed) {
                throw field_error(name, "missing: this estimator reads it");
            }
            return json(json::value_t::discarded);
        }
        return read_json(*text);
    }

    static std::int32_t id_of(json_row const& row, char const* name, ids& known) {
        std::string_view const* const text = row.find(name);
        if (text == nullptr || is_json_null(*text)) {
            throw field_error(name, "missing: any value that rows of one group share");
        }
        return known.try_emplace(std::string(*text), std::int32_t(known.size())).first->second;
    }

    std::vector<double> scores_of(json_row const& row) {
        json const list = value_of(row, "scores", false);
        std::vector<double> scores;
        if (list.is_discarded()) {
            scores.push_back(number_or_none(value_of(row, "reward", true), "reward"));
        } else if (!list.is_array() || list.empty()) {
            throw field_error("scores", "must be a list with one number, or null for invalid, per instance");
        } else {
            for (std::size_t m = 0; m < list.size(); ++m) {
                scores.push_back(number_or_none(list[m], fmt::format("scores[{}]", m)));
            }
        }
        width_ = width_ == 0 ? scores.size() : width_;
        if (scores.size() != width_) {
            throw field_error("scores", fmt::format("must have {} entries, as in the rows before", width_));
        }
        return scores;
    }

    static bool minimises(json_row const& row) {
        json const direction = value_of(row, "sense", false);
        if (!direction.is_discarded() && direction != "minimise" && direction != "maximise") {
            throw field_error("sense", "must be \"minimise\" or \"maximise\"");
        }
        return direction == "minimise";
    }

    advantage_spec const& spec_;
    ids groups_, cohorts_;
    std::vector<float> rewards_;
    std::vector<std::int32_t> group_, cohort_, length_;
    std::vector<sense> direction_;
    std::vector<double> scores_;
    std::size_t width_ = 0;
    std::array<std::vector<float>, component_count> column_;
};

/// Groups may be spread over the whole file: the first pass keeps the row_numbers, the second writes the rows.
void advantages(context& ctx, std::vector<std::string> const& files, std::string const& estimator_text) {
    advantage_spec const spec = parse_advantage_spec(estimator_text);
    row_numbers all(spec);
    row_input input(ctx, files, "advantages", {}, true);
    std::vector<std::pair<std::string, std::string>> why;  // field and rule per row, empty where it is sound
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        for (row_item& item : items) {
            if (item.sound()) {
                try {
                    all.add(item.row);
                } catch (field_error const& broken) {
                    item.reject(broken.field(), broken.rule());
                }
            }
            why.emplace_back(item.field, item.rule);
        }
    }
    input.finish(ctx);
    std::vector<float> const found = all.advantages(ctx.get_engine());
    if (std::int64_t const small = all.small_groups(); small > 0) {
        ctx.note(fmt::format("{} group{} of fewer than 4 rows with a reward: of_small says what they get", small,
                             small == 1 ? "" : "s"));
    }
    row_output output;
    input.rewind();
    std::size_t row_number = 0;
    std::size_t next = 0;
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        for (row_item& item : items) {
            if (row_number == why.size()) {
                throw io_error("a file changed while it was read");
            }
            auto const& [field, rule] = why[row_number++];
            if (!rule.empty()) {
                item.reject(field, rule);
                output.reject(item);
                continue;
            }
            row_writer row = output.begin(item, advantage_columns);
            row.real("advantage", found[next++]);
            row.finish();
            output.end_row();
        }
    }
    output.finish(ctx);
}

}  // namespace

void add_advantages(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "advantages", "Group-relative advantages of rewards, scores or components that are there already",
        {R"(optgap advantages rewards.jsonl --estimator rloo)",
         R"(optgap advantages scores.jsonl --estimator '{"estimator": "river", "tie": "shared"}')"},
        {"Each row holds a `group` and what the estimator reads: `reward` (null: masked), `length`, `cohort`,",
         "components, or `scores`, one number per instance (null: invalid) with `sense` (default maximise).",
         "Estimators and presets of the trainers: optgap rules, docs/advantages.md.", rows_help});
    auto files = std::make_shared<std::vector<std::string>>();
    auto estimator_text = std::make_shared<std::string>("grpo");
    add_files(command, *files, "JSONL with groups and row_numbers");
    add_packages_option(command, ctx);
    command.add_option("--estimator", *estimator_text, "A name of `optgap rules` or a JSON object").show_default();
    command.on_run([&ctx, files, estimator_text] { advantages(ctx, *files, *estimator_text); });
}

}  // namespace optgap::cli
