// Advantage specs as text.

#include <span>

#include "host/specs/spec_json.hpp"
#include "optgap/advantage.hpp"

namespace optgap {

using namespace spec_json;

namespace {

constexpr std::pair<char const*, estimator> estimators[] = {
    {"grpo", estimator::grpo},
    {"dr_grpo", estimator::dr_grpo},
    {"rloo", estimator::rloo},
    {"leave_one_out", estimator::leave_one_out},
    {"max_rl", estimator::max_rl},
    {"pass_k", estimator::pass_k},
    {"gpg", estimator::gpg},
    {"opo", estimator::opo},
    {"reinforce_pp", estimator::reinforce_pp},
    {"reinforce_pp_baseline", estimator::reinforce_pp_baseline},
    {"task_reinforce_pp", estimator::task_reinforce_pp},
    {"decoupled", estimator::decoupled},
    {"gdpo", estimator::gdpo},
    {"river", estimator::river},
    {"rank_uniform", estimator::rank_uniform},
    {"instance_norm", estimator::instance_norm},
    {"raw", estimator::raw},
    {"raw_binary", estimator::raw_binary},
    {"rs_grpo", estimator::rs_grpo},
    {"rs_grpo_adaptive", estimator::rs_grpo_adaptive},
};

/// A trainer's constants under one name.
struct preset {
    char const* name;
    advantage_spec spec;
};
advantage_spec with(estimator form, double epsilon, lone_row of_one) {
    advantage_spec spec;
    spec.form = form;
    spec.epsilon = epsilon;
    spec.of_one = of_one;
    return spec;
}
std::span<preset const> presets() {
    static std::vector<preset> const all = [] {
        std::vector<preset> list{
            {"exact", with(estimator::grpo, 1e-6, lone_row::zero)},
            {"grpo_verl", with(estimator::grpo, 1e-6, lone_row::as_is)},
            {"grpo_slime", with(estimator::grpo, 1e-6, lone_row::zero)},
            {"grpo_trl", with(estimator::grpo, 1e-4, lone_row::zero)},
            {"grpo_trl_batch", with(estimator::grpo, 1e-4, lone_row::zero)},
            {"grpo_openrlhf", with(estimator::grpo, 1e-9, lone_row::refuse)},
            {"grpo_nemo", with(estimator::leave_one_out, 1e-6, lone_row::zero)},
            {"dr_grpo_verl", with(estimator::dr_grpo, 1e-6, lone_row::as_is)},
            {"rloo_verl", with(estimator::rloo, 1e-6, lone_row::as_is)},
        };
        list[4].spec.batch_scale = 1;
        return list;
    }();
    return all;
}

/// The constants a form starts from.
advantage_spec defaults_of(estimator form) {
    advantage_spec spec;
    spec.form = form;
    spec.epsilon = whitens(form) && form != estimator::gdpo ? 1e-8 : 1e-6;
    if (form == estimator::opo || form == estimator::gpg) {
        spec.of_one = lone_row::as_is;
    } else if (form == estimator::pass_k) {
        spec.of_one = lone_row::refuse;
    }
    if (form == estimator::decoupled || form == estimator::gdpo) {
        spec.weight[component_feasible] = 1.0;
        spec.weight[component_quality] = 1.0;
    }
    return spec;
}

advantage_spec named(json const& name) {
    for (preset const& own : presets()) {
        if (name == own.name) {
            return own.spec;
        }
    }
    return defaults_of(pick<estimator>(name, "advantage.estimator", estimators));
}

constexpr std::pair<char const*, lone_row> lone_rows[] = {
    {"zero", lone_row::zero}, {"as_is", lone_row::as_is}, {"refuse", lone_row::refuse}};
constexpr std::pair<char const*, rank_denominator> denominators[] = {{"group", rank_denominator::group},
                                                                     {"valid", rank_denominator::valid}};
constexpr std::pair<char const*, rank_winner> winners[] = {
    {"exact", rank_winner::exact}, {"shared", rank_winner::shared}, {"lowest_index", rank_winner::lowest_index}};
constexpr std::pair<char const*, rank_post> posts[] = {
    {"none", rank_post::none}, {"center", rank_post::center}, {"standardise", rank_post::standardise}};
constexpr std::pair<char const*, small_group_rule> small_groups[] = {{"zero", small_group_rule::zero},
                                                                     {"rank_uniform", small_group_rule::rank_uniform},
                                                                     {"refuse", small_group_rule::refuse}};

void require(bool reads, std::string const& field, char const* forms) {
    if (!reads) {
        refuse("advantage." + field + " belongs to " + forms);
    }
}

bool read_rank_field(std::string const& field, json const& value, rank_spec& rank) {
    std::string const name = "advantage." + field;
    if (field == "winner") {
        rank.winner = number(value, name, -largest, largest);
    } else if (field == "invalid") {
        rank.invalid = number(value, name, -largest, largest);
    } else if (field == "high") {
        rank.high = number(value, name, -largest, largest);
    } else if (field == "low") {
        rank.low = number(value, name, -largest, largest);
    } else if (field == "denominator") {
        rank.denominator = pick<rank_denominator>(value, name, denominators);
    } else if (field == "tie") {
        rank.tie = pick<rank_winner>(value, name, winners);
    } else if (field == "post") {
        rank.post = pick<rank_post>(value, name, posts);
    } else {
        return false;
    }
    return true;
}

void read_weights(json const& value, advantage_spec& spec) {
    if (!value.is_object() || value.empty()) {
        refuse("advantage.weights: expected an object such as {\"feasible\": 1, \"quality\": 1}");
    }
    std::fill(std::begin(spec.weight), std::end(spec.weight), 0.0);
    for (auto const& [name, weight] : value.items()) {
        spec.weight[pick<std::int32_t>(name, "advantage.weights", reward_components)] =
            number(weight, "advantage.weights." + name, -largest, largest);
    }
}

void read_field(std::string const& field, json const& value, advantage_spec& spec) {
    estimator const form = spec.form;
    if (field == "epsilon") {
        spec.epsilon = number(value, "advantage.epsilon", 0.0, 1.0);
    } else if (field == "beta") {
        require(form == estimator::rs_grpo, field, "rs_grpo");
        spec.beta = number(value, "advantage.beta", 1e-6, largest);
    } else if (field == "of_one") {
        spec.of_one = pick<lone_row>(value, "advantage.of_one", lone_rows);
    } else if (field == "of_small") {
        require(form == estimator::river, field, "river");
        spec.of_small = pick<small_group_rule>(value, "advantage.of_small", small_groups);
    } else if (field == "scale") {
        require(form == estimator::grpo, field, "grpo");
        spec.batch_scale = pick<std::int32_t>(value, "advantage.scale", {{"group", 0}, {"batch", 1}});
    } else if (field == "weighting") {
        require(whitens(form), field, "the whitened forms");
        spec.token_weighted = pick<std::int32_t>(value, "advantage.weighting", {{"sequence", 0}, {"token", 1}});
    } else if (field == "weights") {
        require(form == estimator::decoupled || form == estimator::gdpo, field, "decoupled and gdpo");
        read_weights(value, spec);
    } else if (read_rank_field(field, value, spec.rank)) {
        require(form == estimator::river, field, "river");
    } else {
        refuse("advantage." + field +
               " is not known: expected estimator, epsilon, beta, of_one, scale, weighting, weights, winner, invalid, "
               "high, low, denominator, tie, post or of_small");
    }
}

}  // namespace

advantage_spec parse_advantage_spec(std::string_view text) {
    json const object = read_object(text, "advantage", "estimator");
    advantage_spec spec = object.contains("estimator") ? named(object["estimator"]) : advantage_spec{};
    for (auto const& [field, value] : object.items()) {
        if (field != "estimator") {
            read_field(field, value, spec);
        }
    }
    return spec;
}

std::string to_json(advantage_spec const& spec) {
    json out{{"estimator", name_of<estimator>(estimators, spec.form)},
             {"epsilon", spec.epsilon},
             {"of_one", name_of<lone_row>(lone_rows, spec.of_one)}};
    switch (spec.form) {
        case estimator::grpo: out["scale"] = spec.batch_scale != 0 ? "batch" : "group"; break;
        case estimator::rs_grpo: out["beta"] = spec.beta; break;
        case estimator::decoupled:
        case estimator::gdpo:
            for (auto const& [name, at] : reward_components) {
                out["weights"][name] = spec.weight[at];
            }
            break;
        case estimator::river:
            out["winner"] = spec.rank.winner;
            out["invalid"] = spec.rank.invalid;
            out["high"] = spec.rank.high;
            out["low"] = spec.rank.low;
            out["denominator"] = name_of<rank_denominator>(denominators, spec.rank.denominator);
            out["tie"] = name_of<rank_winner>(winners, spec.rank.tie);
            out["post"] = name_of<rank_post>(posts, spec.rank.post);
            out["of_small"] = name_of<small_group_rule>(small_groups, spec.of_small);
            break;
        default: break;
    }
    if (whitens(spec.form)) {
        out["weighting"] = spec.token_weighted != 0 ? "token" : "sequence";
    }
    return out.dump();
}

}  // namespace optgap
