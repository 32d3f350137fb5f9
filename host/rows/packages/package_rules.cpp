// Estimators of advantages and reward shapes whose function is a class of a user's package. A worker gets the columns
// of many rows in one request; one request gives the same numbers however many others run.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "host/rows/packages/package.hpp"
#include "kernels/reward/added.hpp"
#include "kernels/reward/estimator_batch.hpp"
#include "kernels/reward/quality.hpp"
#include "kernels/reward/shape_entry.hpp"
#include "optgap/status.hpp"

namespace optgap::rows {
namespace {

using json = nlohmann::ordered_json;

/// An estimator's or a shape's declaration, as the registry has it, and where its function is.
template <class Info>
struct packaged : Info {
    std::shared_ptr<kind_package> of;
    declared_rule const* rule;
};
using packaged_estimator = packaged<estimator_info>;
using packaged_shape = packaged<shape_info>;

packaged_estimator const& packaged_of(advantage_spec const& spec) {
    return static_cast<packaged_estimator const&>(*estimator_of(spec.form).info);
}
packaged_shape const& packaged_of(reward_spec const& spec) {
    return static_cast<packaged_shape const&>(*shape_of(spec.shape).info);
}

template <class Number>
package_column column_of(char const* name, std::vector<Number> const& values) {
    static_assert(sizeof(Number) == sizeof(double));
    return {name, std::as_bytes(std::span(values))};
}

json request_for(char const* verb, declared_rule const& rule, double const* own) {
    json parameters = json::object();
    for (std::size_t k = 0; k < rule.parameters.size(); ++k) {
        parameters[rule.parameters[k].name] = own[k];
    }
    return {{"verb", verb}, {"name", rule.name}, {"parameters", std::move(parameters)}, {"columns", json::array()}};
}

/// Asks the worker. Throws error{invalid_argument} where it has no answer.
template <class Info>
std::vector<double> numbers_of(packaged<Info> const& by, char const* field, json request,
                               std::span<package_column const> columns, std::size_t count) {
    try {
        return by.of->ask_numbers(std::move(request), columns, count);
    } catch (package_failure const& problem) {
        misuse(fmt::format("{}: {} of the package {} failed: {}", field, by.rule->name, by.of->name(), problem.why));
    }
}

void write_advantages(estimator_batch& batch, advantage_spec const& spec) {
    packaged_estimator const& by = packaged_of(spec);
    advantage_inputs const& in = batch.in;
    std::vector<std::int64_t> rows, begin{0};
    batch.each_group(in.group, [&](estimator_batch::rows found) {
        if (found.size() > 1 || (found.size() == 1 && spec.of_one == lone_row::as_is)) {
            rows.insert(rows.end(), found.begin(), found.end());
            begin.push_back(std::int64_t(rows.size()));
        }
    });
    if (rows.empty()) {
        return;
    }
    std::vector<std::vector<double>> values;
    values.reserve(1 + std::size_t(component_count));
    std::vector<package_column> columns{column_of("begin", begin)};
    auto const add = [&](char const* name, auto const& column) {
        std::vector<double>& made = values.emplace_back();
        for (std::int64_t const r : rows) {
            made.push_back(double(column[std::size_t(r)]));
        }
        columns.push_back(column_of(name, made));
    };
    add("rewards", in.rewards);
    std::vector<std::int64_t> lengths;
    if (by.reads.lengths) {
        for (std::int64_t const r : rows) {
            lengths.push_back(in.length[std::size_t(r)]);
        }
        columns.push_back(column_of("lengths", lengths));
    }
    for (std::size_t c = 0; by.reads.components && c < std::size_t(component_count); ++c) {
        add(component_names[c], in.columns[c]);
    }
    json request = request_for("advantages", *by.rule, spec.own);
    request["parameters"]["epsilon"] = spec.epsilon;
    std::vector<double> const found = numbers_of(by, "advantage.estimator", std::move(request), columns, rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (!(std::fabs(found[k]) <= double(std::numeric_limits<float>::max()))) {
            misuse(fmt::format("advantage.estimator: {} of the package {} gave {} for row {}; expected a number",
                               by.rule->name, by.of->name(), found[k], rows[k]));
        }
        batch.value[std::size_t(rows[k])] = found[k];
    }
}

/// The inputs of a shape's rows on the way to the worker, and its values on the way back.
struct shape_exchange {
    std::vector<double> quality, optimal, floor, baseline, maximise;
    std::vector<double> values = {};
    std::size_t next = 0;
    bool answered = false;

    double take(shape_inputs const& in) {
        if (answered) {
            return values[next++];
        }
        bool const compared = in.base.objective != no_objective;
        quality.push_back(in.quality);
        optimal.push_back(in.optimal ? 1.0 : 0.0);
        floor.push_back(anchor_quality(anchor::floor, in.base, in.direction));
        baseline.push_back(compared ? double(in.base.objective) : std::numeric_limits<double>::quiet_NaN());
        maximise.push_back(in.direction == sense::maximise ? 1.0 : 0.0);
        return 0.0;
    }

    void ask(reward_spec const& spec) {
        packaged_shape const& by = packaged_of(spec);
        answered = true;
        if (quality.empty()) {
            return;
        }
        package_column const columns[] = {column_of("quality", quality), column_of("optimal", optimal),
                                          column_of("floor", floor), column_of("baseline", baseline),
                                          column_of("maximise", maximise)};
        values = numbers_of(by, "reward.shape", request_for("shape", *by.rule, spec.own), columns, quality.size());
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (!(values[k] >= by.rule->limits.low && values[k] <= by.rule->limits.high)) {
                misuse(fmt::format(
                    "reward.shape: {} of the package {} gave {} for a quality of {}; its range in "
                    "kind.json is {:g} to {:g}",
                    by.rule->name, by.of->name(), values[k], quality[k], by.rule->limits.low, by.rule->limits.high));
            }
        }
    }
};

thread_local shape_exchange* exchange_here = nullptr;  ///< of this thread's two passes

/// A package's shape as the loop over rows sees it.
struct shape_by_worker {
    static double value(shape_inputs const& in, reward_spec const&) { return exchange_here->take(in); }
    static reward_limits limits(reward_spec const& spec) { return packaged_of(spec).rule->limits; }
};

/// Writes rows twice: the first pass collects what the shape reads, the second has its values.
template <class Write>
auto in_two_passes(reward_spec const& spec, Write const& write) {
    shape_exchange mine;
    struct scope {
        ~scope() { exchange_here = nullptr; }
    } const ends;
    exchange_here = &mine;
    write();
    mine.ask(spec);
    return write();
}

void write_rows_by_worker(reward_inputs const& in, sense const* direction, reward_spec const& spec, reward_row* out,
                          std::int64_t begin, std::int64_t end) {
    in_two_passes(spec, [&] { write_rows<shape_by_worker>(in, direction, spec, out, begin, end); });
}

reward_parts write_row_by_worker(reward_row& out, reward_case const& of, reward_spec const& spec) {
    return in_two_passes(spec, [&] { return write_shaped_reward<one_shape<shape_by_worker>>(out, of, spec); });
}

/// Never freed: the registry holds pointers to them.
template <class Info>
packaged<Info>& kept(std::shared_ptr<kind_package> const& of, declared_rule const& rule) {
    auto* const made = new packaged<Info>{{}, of, &rule};
    made->name = rule.name.data();
    made->formula = rule.formula.data();
    made->source = rule.source.empty() ? "" : rule.source.data();
    made->parameters = rule.parameters;
    std::ranges::copy(rule.start, made->start.own);
    return *made;
}

}  // namespace

void add_rules(std::shared_ptr<kind_package> const& of) {
    auto const require_free = [&](bool taken, char const* field, char const* noun, std::string_view name) {
        if (taken) {
            throw field_error("kinds", fmt::format("{}: {}: {} is {} already", of->name(), field, name, noun));
        }
    };
    for (declared_rule const& rule : of->declared().estimators) {
        require_free(is_estimator_name(rule.name), "estimators", "an estimator", rule.name);
    }
    for (declared_rule const& rule : of->declared().shapes) {
        require_free(is_shape_name(rule.name), "shapes", "a shape", rule.name);
    }
    for (declared_rule const& rule : of->declared().estimators) {
        packaged_estimator& info = kept<estimator_info>(of, rule);
        info.reads = rule.reads;
        info.scope = rule.scope;
        estimator_entry entry{&info, {}, false};
        entry.batch = write_advantages;
        entry.reads_lengths = [](advantage_spec const& spec) { return packaged_of(spec).reads.lengths; };
        add_estimator(entry);
    }
    for (declared_rule const& rule : of->declared().shapes) {
        packaged_shape& info = kept<shape_info>(of, rule);
        info.words = rule.words.empty() ? info.formula : rule.words.data();
        info.start.format_valid = rule.constants.format_valid;
        info.start.format_broken = rule.constants.format_broken;
        info.start.infeasible = rule.constants.infeasible;
        shape_entry entry{&info, {}, false, write_rows_by_worker, write_row_by_worker, limits_of<shape_by_worker>};
        entry.by_process = true;
        add_shape(entry);
    }
}

}  // namespace optgap::rows
