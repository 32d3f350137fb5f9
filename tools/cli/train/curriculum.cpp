// optgap curriculum: compares rules for the level of the next instance on simulated learners.

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/curriculum/simulation.hpp"
#include "host/rows/json/json_text.hpp"
#include "host/specs/spec_json.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/table.hpp"
#include "tools/cli/shell/whole_file.hpp"

namespace optgap::cli {
namespace {

using spec_json::json;

struct curriculum_options {
    std::vector<std::string> policies;
    simulation_options simulation;
    std::string learner = "ability";
    std::string mixture = "even";
    std::int64_t max_prompt_chars = 0;
    std::string svg;
};

/// The simulated rollouts per problem and prompt limit hold for every policy; the name "stages" alone means one pass
/// over the whole run.
curriculum_spec spec_of(std::string const& text, curriculum_options const& options) {
    curriculum_spec spec = parse_curriculum_spec(text);
    spec.rollouts = options.simulation.rollouts;
    if (text == "stages") {
        spec.pass_steps = options.simulation.steps;
    }
    spec.max_prompt_chars = options.max_prompt_chars;
    return spec;
}

json row_of(named_result const& named, curriculum_spec const& spec) {
    simulation_result const& result = named.result;
    bool const climbs = result.high >= 0;
    return {{"policy", read_json(to_json(spec))},
            {"name", named.name},
            {"final_high", climbs ? json(result.high) : json()},
            {"ability", result.ability.back()},
            {"ability_range", {result.lowest, result.highest}},
            {"informative", result.informative},
            {"accuracy", result.accuracy},
            {"least", result.least},
            {"teaching", result.teaching},
            {"steps_to_reach", result.steps_to_reach < 0 ? json() : json(result.steps_to_reach)},
            {"frozen", climbs ? json(result.frozen) : json()}};
}

std::string uneven_text(json const& rows) {
    table out({{"policy"},
               {"ability", align::right},
               {"of runs", align::right},
               {"worst task", align::right},
               {"informative", align::right},
               {"can learn", align::right}});
    for (json const& row : rows) {
        auto const percent = [&](char const* name) { return fmt::format("{:.1f} %", 100 * row[name].get<double>()); };
        out.add(
            {row["name"], fmt::format("{:.1f}", row["ability"].get<double>()),
             fmt::format("{:.1f}-{:.1f}", row["ability_range"][0].get<double>(), row["ability_range"][1].get<double>()),
             fmt::format("{:.1f}", row["least"].get<double>()), percent("informative"), percent("teaching")});
    }
    return out.text();
}

std::string text_of(json const& rows, curriculum_options const& options) {
    if (options.simulation.uneven) {
        return uneven_text(rows);
    }
    table out({{"policy"},
               {"final h", align::right},
               {"ability", align::right},
               {"of runs", align::right},
               {"informative", align::right},
               {"accuracy", align::right},
               {fmt::format("steps to {}", options.simulation.reach), align::right},
               {"frozen", align::right}});
    auto const decimal = [](json const& value) {
        return value.is_null() ? std::string("-") : fmt::format("{:.1f}", value.get<double>());
    };
    auto const percent = [](json const& value) { return fmt::format("{:.1f} %", 100 * value.get<double>()); };
    for (json const& row : rows) {
        json const& reached = row["steps_to_reach"];
        out.add(
            {row["name"], decimal(row["final_high"]), decimal(row["ability"]),
             fmt::format("{:.1f}-{:.1f}", row["ability_range"][0].get<double>(), row["ability_range"][1].get<double>()),
             percent(row["informative"]), percent(row["accuracy"]), reached.is_null() ? "-" : json_text(reached),
             decimal(row["frozen"])});
    }
    return out.text();
}

void simulate_all(context const& ctx, curriculum_options& options) {
    options.simulation.learner = options.learner == "skills" ? learner_kind::skills : learner_kind::ability;
    options.simulation.uneven = options.mixture == "uneven";
    if (options.policies.empty() && options.simulation.uneven) {
        options.policies = {"adaptive",
                            R"({"policy": "adaptive", "mixing": "informative"})",
                            R"({"policy": "adaptive", "mixing": "progress"})",
                            "mixed",
                            R"({"policy": "mixed", "mixing": "informative"})",
                            R"({"policy": "mixed", "mixing": "progress"})"};
    } else if (options.policies.empty()) {
        options.policies = {"adaptive", "beta", "replay", "window", "stages", "mixed", "static"};
    }
    std::vector<named_result> results;
    json rows = json::array();
    for (std::string const& text : options.policies) {
        curriculum_spec const spec = spec_of(text, options);
        results.push_back({text, simulate(spec, options.simulation)});
        rows.push_back(row_of(results.back(), spec));
    }
    if (!options.svg.empty()) {
        write_whole(options.svg, draw_simulation(results));
    }
    write_stdout(ctx.json ? json_text(rows, 2) + "\n" : text_of(rows, options));
}

}  // namespace

void add_curriculum(command_line& app, context& ctx) {
    command_entry const command =
        app.add_command("curriculum", "Rules for the level of the next instance", {"optgap curriculum simulate"});
    command.require_command();
    command_entry const simulation = command.add_command(
        "simulate", "Compares curricula on simulated learners",
        {"optgap curriculum simulate", "optgap curriculum simulate --policy adaptive --policy window --steps 1000",
         R"(optgap curriculum simulate --policy '{"policy": "window", "accuracy": 0.5}' --svg plot.svg)"},
        {"Learner ability: a rollout at step d of the difficulty scale is correct with the chance 1 / (1 + e^(d - "
         "ability)); a group "
         "whose",
         "rollouts disagree raises the ability. Learner skills: a number per step, which teaches its neighbours less "
         "and",
         "is forgotten; answers are guessed and slip; half of the tasks are learnt four times as fast as the others.",
         "final h is the mean top of the windows that move, ability the mean of the runs with that of the worst and "
         "the",
         "best, informative the share of groups whose rollouts disagree. easy, medium and hard stand for the steps 2, "
         "6",
         "and 10. The name stages alone means one pass over the whole run.",
         "In an uneven mixture two of every eight tasks have chances that nothing moves, one is a coin at every step, "
         "one",
         "starts at -5, two at 0 and two at 4, of which one learns at half and one at twice the rate. Abilities are "
         "those",
         "of the tasks that can learn; worst task is the least of them, can learn their share of the groups."});
    auto options = std::make_shared<curriculum_options>();
    simulation_options& numbers = options->simulation;
    simulation.add_option(
        "--policy", options->policies,
        "static, window, window_public_code, stages, mixed, adaptive, beta, replay, or a JSON object; may be "
        "repeated; default: all of these by name, in an uneven mixture adaptive and mixed under each rule of mixing");
    simulation.add_option("--learner", options->learner, "What learns").one_of({"ability", "skills"}).show_default();
    simulation
        .add_option("--mixture", options->mixture,
                    "even: all tasks can be learnt; uneven: of every eight one is learnt, one impossible, one a coin")
        .one_of({"even", "uneven"})
        .show_default();
    auto const whole = [&](char const* name, std::int32_t& value, char const* what, int least, int most) {
        simulation.add_option(name, value, what).between(least, most).show_default();
    };
    whole("--steps", numbers.steps, "Training steps", 1, 100'000);
    whole("--tasks", numbers.tasks, "Tasks, one learner each; their abilities start from -1 to 6", 1, 1000);
    whole("--problems", numbers.problems, "Problems per step, over all tasks", 1, 100'000);
    whole("--rollouts", numbers.rollouts, "Rollouts per problem", 1, 1000);
    whole("--reach", numbers.reach, "The mean ability whose step is reported", 0, 1'000'000);
    simulation
        .add_option("--max-prompt-chars", options->max_prompt_chars,
                    "Levels with longer prompts are never given (step d: 400 + 100 d); 0: no limit")
        .between(0, 1'000'000'000)
        .show_default();
    simulation.add_option("--seed", numbers.seed, "Of the draws and the rollouts of the first run")
        .seed()
        .show_default();
    whole("--seeds", numbers.seeds, "Runs, each with the next seed", 1, 1000);
    simulation.add_option("--svg", options->svg, "Writes the abilities over the steps as a plot");
    simulation.on_run([&ctx, options] { simulate_all(ctx, *options); });
}

}  // namespace optgap::cli
