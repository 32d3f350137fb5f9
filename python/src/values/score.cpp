#include "python/src/values/score.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "optgap/reward_rules.hpp"
#include "python/src/values/baselines.hpp"
#include "python/src/values/lookups.hpp"

namespace optgap::python {

score_arguments read_score_arguments(nb::kwargs const& arguments) {
    auto const column = [&](char const* name) { return nb::cast<std::optional<int32_in>>(arguments[name]); };
    return {.task = nb::cast<int32_in>(arguments["task"]),
            .words = nb::cast<int32_in>(arguments["words"]),
            .offsets = nb::cast<int64_in>(arguments["offsets"]),
            .baselines = nb::cast<nb::dict>(arguments["baselines"]),
            .texts = arguments["texts"],
            .instance_of = nb::cast<int32_in>(arguments["instance_of"]),
            .group = column("group"),
            .cohort = column("cohort"),
            .length = column("length"),
            .finished = column("finish"),
            .format_of = nb::cast<int32_in>(arguments["format_of"]),
            .reward = nb::cast<std::string>(arguments["reward"]),
            .advantage = nb::cast<std::string>(arguments["advantage"])};
}

std::vector<finish> finishes_from(std::span<std::int32_t const> codes) {
    std::vector<finish> out;
    for (std::int32_t const how : codes) {
        if (how < 0 || how > std::int32_t(finish::abort)) {
            throw argument_error("finish", std::to_string(how) + " is no way to finish");
        }
        out.push_back(finish(how));
    }
    return out;
}

score_inputs::score_inputs(score_arguments const& in, std::int32_t threads)
    : baselines_(baselines_from(in.baselines)),
      texts_(in.texts, "texts", threads),
      finished_(finishes_from(span_of(in.finished))) {
    // The library takes an empty column for an absent one.
    auto const require_rows = [&](char const* name, std::optional<int32_in> const& given) {
        if (given && given->size() != texts_.size()) {
            throw argument_error(name, "expected one entry per text (" + std::to_string(texts_.size()) + "), got " +
                                           std::to_string(given->size()));
        }
    };
    require_rows("group", in.group);
    require_rows("cohort", in.cohort);
    require_rows("length", in.length);
    require_rows("finish", in.finished);
    request_ = {.instances = instances_of(in.task, in.words, in.offsets),
                .baselines = baselines_,
                .texts = texts_.views(),
                .instance_of = span_of(in.instance_of),
                .length = span_of(in.length),
                .finished = finished_,
                .format_of = span_of(in.format_of),
                .reward = parse_reward_rules(in.reward, lookup_engine().tasks())};
    among_ = {
        .group = span_of(in.group), .cohort = span_of(in.cohort), .advantage = parse_advantage_spec(in.advantage)};
}

nb::dict score_columns(score_batch&& found, row_origins const& of) {
    std::size_t const rows = found.rows.size();
    std::vector<std::int64_t> objective(rows), violation(rows), begin(rows), end(rows);
    std::vector<std::uint8_t> format(rows), feasible(rows), optimal(rows), truncated(rows), proven(rows);
    std::vector<std::int32_t> task(rows);
    for (std::size_t r = 0; r < rows; ++r) {
        row_facts const row(found.rows[r], found.verdicts[r]);
        std::size_t const instance = std::size_t(of.instance_of[r]);
        objective[r] = row.objective;
        violation[r] = row.violation;
        begin[r] = found.parsed[r].answer.begin;
        end[r] = found.parsed[r].answer.end;
        format[r] = row.format ? 1 : 0;
        feasible[r] = row.feasible ? 1 : 0;
        optimal[r] = row.optimal ? 1 : 0;
        truncated[r] = row.truncated ? 1 : 0;
        proven[r] = of.baselines[instance].proven() ? 1 : 0;
        task[r] = of.task[instance];
    }
    shared_rows<reward_row> const rewards(std::move(found.rows));
    shared_rows<verdict> const verdicts(std::move(found.verdicts));
    nb::dict seconds;
    seconds["parse"] = found.seconds.parse;
    seconds["verify"] = found.seconds.verify;
    seconds["reward"] = found.seconds.reward;
    seconds["advantage"] = found.seconds.advantage;
    nb::dict columns;
    columns["task"] = to_array(std::move(task));
    columns["reward"] = rewards.column(&reward_row::reward);
    columns["advantage"] = to_array(std::move(found.advantage));
    columns["format"] = to_mask(std::move(format));
    columns["feasible"] = to_mask(std::move(feasible));
    columns["quality"] = rewards.column(&reward_row::quality);
    columns["raw_ratio"] = rewards.column(&reward_row::raw_ratio);
    columns["normalized"] = rewards.column(&reward_row::normalized);
    columns["optimal"] = to_mask(std::move(optimal));
    columns["length_penalty"] = rewards.column(&reward_row::length_penalty);
    columns["objective"] = to_array(std::move(objective));
    columns["violation"] = to_array(std::move(violation));
    columns["code"] = rewards.column(&reward_row::code);
    columns["where"] = verdicts.column(&verdict::where);
    columns["begin"] = to_array(std::move(begin));
    columns["end"] = to_array(std::move(end));
    columns["proven"] = to_mask(std::move(proven));
    columns["truncated"] = to_mask(std::move(truncated));
    columns["words"] = to_array(std::move(found.answers.words));
    columns["offsets"] = to_array(std::move(found.answers.offsets));
    columns["beaten"] = to_array(std::move(found.beaten));
    columns["seconds"] = seconds;
    return columns;
}

}  // namespace optgap::python
