#include "optgap/roles/advantages.hpp"

#include <algorithm>
#include <cmath>

#include "host/specs/nearest.hpp"
#include "host/specs/spec_json.hpp"
#include "optgap/engine.hpp"
#include "optgap/status.hpp"

namespace optgap {

using namespace spec_json;

namespace {

role_estimator read_role_estimator(json const& value, std::string const& field) {
    role_estimator out;
    bool const object = value.is_object();
    out.running = object ? value.contains("estimator") && value["estimator"] == "rae" : value == "rae";
    if (!out.running) {
        if (!object && !value.is_string()) {
            refuse(field + ": expected an estimator's name or an object");
        }
        out.spec = parse_advantage_spec(object ? value.dump() : value.get<std::string>());
        return out;
    }
    json const fields = object ? value : json::object();
    for (auto const& [name, own] : fields.items()) {
        if (name == "decay") {
            out.decay = number(own, field + ".decay", 0.0, 1.0);
        } else if (name == "start") {
            if (own != "zero" && own != "first") {
                refuse(field + ".start is " + own.dump() + R"(, expected "zero" or "first")");
            }
            out.start = own == "first" ? mean_start::first : mean_start::zero;
        } else if (name != "estimator") {
            refuse(field + "." + name + " is no field of rae: expected decay and start");
        }
    }
    return out;
}

json estimator_json(role_estimator const& one) {
    if (!one.running) {
        return json::parse(to_json(one.spec));
    }
    json out{{"estimator", "rae"}, {"decay", one.decay}};
    if (one.start == mean_start::first) {  // else left out, for settings that were written before the choice existed
        out["start"] = "first";
    }
    return out;
}

/// The role nearest to a misspelt name; of equally near ones the first.
std::string_view nearest_role(std::string_view name) {
    role nearest = role::proposer;
    for (role const of : {role::solver, role::judge}) {
        nearest = edit_distance(name, name_of(of)) < edit_distance(name, name_of(nearest)) ? of : nearest;
    }
    return name_of(nearest);
}

bool is_role(std::string_view name) {
    return name == name_of(role::proposer) || name == name_of(role::solver) || name == name_of(role::judge);
}

}  // namespace

role_table parse_role_table(std::string_view text) {
    role_table out;
    std::size_t const first = text.find_first_not_of(" \t\r\n");
    json const value =
        first != std::string_view::npos && text[first] == '{' ? json::parse(text, nullptr, false) : json(text);
    if (!value.is_object() || !value.contains("roles")) {
        // A text that is not JSON is refused by the estimators' own reader.
        role_estimator const all = value.is_discarded() ? role_estimator{.spec = parse_advantage_spec(text)}
                                                        : read_role_estimator(value, "advantage");
        out.by_role = all.running;
        out.of.fill(all);
        return out;
    }
    json const& roles = value["roles"];
    if (value.size() != 1 || !roles.is_object()) {
        refuse(
            R"(advantage.roles: expected {"roles": {"proposer": ..., "solver": ..., "judge": ...}} and nothing else)");
    }
    out.by_role = true;
    for (auto const& member : roles.items()) {
        if (!is_role(member.key())) {
            refuse("advantage.roles: " + json(member.key()).dump() + " is no role, did you mean \"" +
                   std::string(nearest_role(member.key())) + "\"? Expected proposer, solver and judge");
        }
    }
    for (std::int32_t r = 0; r < role_count; ++r) {
        std::string const name(name_of(role(r)));
        if (!roles.contains(name)) {
            refuse("advantage.roles." + name + ": missing, expected an estimator for each role");
        }
        out.of[std::size_t(r)] = read_role_estimator(roles[name], "advantage.roles." + name);
    }
    return out;
}

std::string to_json(role_table const& table) {
    if (!table.by_role) {
        return to_json(table.of[0].spec);
    }
    json roles = json::object();
    for (std::int32_t r = 0; r < role_count; ++r) {
        roles[std::string(name_of(role(r)))] = estimator_json(table.of[std::size_t(r)]);
    }
    return json{{"roles", roles}}.dump();
}

std::vector<float> running_advantages(std::span<float const> rewards, std::span<std::int32_t const> cohort,
                                      role_estimator const& how, running_means& means) {
    if (cohort.size() != rewards.size()) {
        misuse("cohort: expected one entry per reward (" + std::to_string(rewards.size()) + "), got " +
               std::to_string(cohort.size()));
    }
    std::vector<float> out(rewards.size(), 0.0f);
    for (std::size_t r = 0; r < rewards.size(); ++r) {
        if (std::isinf(rewards[r])) {
            misuse("rewards: row " + std::to_string(r) + " is infinite; expected a number, or NaN for no reward");
        }
        if (std::isnan(rewards[r])) {
            continue;
        }
        double const reward = rewards[r];
        bool const from_first = how.start == mean_start::first;
        double& mean = means.try_emplace(cohort[r], from_first ? reward : 0.0).first->second;
        double const excess = reward - mean;
        out[r] = float(excess);
        // One formula in two forms. The first leaves the mean unchanged to the bit where it equals the reward; the
        // second is SPIRAL's.
        mean = from_first ? mean + (1 - how.decay) * excess : how.decay * mean + (1 - how.decay) * reward;
    }
    return out;
}

std::vector<float> role_advantages(engine const& by, role_table const& table, role_rows const& rows,
                                   std::span<running_means> means) {
    std::size_t const count = rows.rewards.size();
    if (rows.of.size() != count || rows.group.size() != count || rows.cohort.size() != count ||
        means.size() != std::size_t(role_count)) {
        misuse("role, group, cohort: expected one entry per reward (" + std::to_string(count) + ")");
    }
    std::vector<float> out(count, 0.0f);
    for (std::int32_t r = 0; r < role_count; ++r) {
        std::vector<std::size_t> place;
        std::vector<float> rewards;
        std::vector<std::int32_t> group, cohort;
        for (std::size_t i = 0; i < count; ++i) {
            if (rows.of[i] < 0 || rows.of[i] >= role_count) {
                misuse("role: row " + std::to_string(i) + " is " + std::to_string(rows.of[i]) + ", expected 0 to 2");
            }
            if (rows.of[i] == r) {
                place.push_back(i);
                rewards.push_back(rows.rewards[i]);
                group.push_back(rows.group[i]);
                cohort.push_back(rows.cohort[i]);
            }
        }
        role_estimator const& how = table.of[std::size_t(r)];
        std::vector<float> const found =
            how.running ? running_advantages(rewards, cohort, how, means[std::size_t(r)])
                        : by.advantages({.rewards = rewards, .group = group, .cohort = cohort}, how.spec);
        for (std::size_t k = 0; k < place.size(); ++k) {
            out[place[k]] = found[k];
        }
    }
    return out;
}

}  // namespace optgap
