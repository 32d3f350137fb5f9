// The card as a page: what include/optgap/report.hpp writes as HTML and Markdown.

#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "tools/cli/make/card.hpp"

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;

json table_json(card_table const& table) {
    json columns = json::array();
    for (std::size_t c = 0; c < table.titles.size(); ++c) {
        columns.push_back({{"name", table.titles[c]}, {"align", c < table.labels ? "left" : "right"}});
    }
    return {{"columns", columns}, {"rows", table.rows}};
}

json histogram_json(char const* title, char const* label, std::vector<double> const& values, char const* bins) {
    return {
        {"kind", "histogram"},           {"title", title}, {"x", {{"label", label}}},
        {"y", {{"label", "instances"}}}, {"bins", bins},   {"series", {{{"name", "instances"}, {"values", values}}}}};
}

json charts_json(card_task const& of) {
    return {histogram_json("Instance words", "words", instance_sizes(of), "whole"),
            histogram_json("Prompt characters", "characters", prompt_lengths(of), "whole"),
            histogram_json("Steps to the proof", "steps, doubling", proof_steps(of), "doubling"),
            histogram_json("Optimum", of.info->objective.data(), best_objectives(of), "whole"),
            histogram_json("Greedy quality", "share of the best known; the last bar is exactly 1", greedy_quality(of),
                           "share"),
            histogram_json("Floor quality", "share of the best known; the last bar is exactly 1", floor_quality(of),
                           "share")};
}

json section_json(card_task const& of) {
    json section = {{"heading", of.info->title},
                    {"id", of.info->name},
                    {"text", fmt::format("`{}`: {}.", of.info->name, of.info->summary)}};
    if (!of.picture.empty()) {
        section["pictures"] = json::array(
            {{{"svg", of.picture}, {"caption", picture_caption(of)}, {"file", fmt::format("{}.svg", of.info->name)}}});
    }
    section["charts"] = charts_json(of);
    section["table"] = table_json(distributions(of));
    json inner = json::array();
    if (card_table const open = unproven_rows(of); !open.rows.empty()) {
        inner.push_back({{"heading", "Without a proof"}, {"table", table_json(open)}});
    }
    inner.push_back({{"heading", "Signal"},
                     {"id", fmt::format("{}-signal", of.info->name)},
                     {"text", fmt::format("Difficulty scale rule {}.", of.signal.rule.sentence)},
                     {"table", table_json(signal_table(of))}});
    section["sections"] = inner;
    return section;
}

}  // namespace

std::string card_page(card const& made) {
    std::size_t instances = 0;
    std::size_t open = 0;
    json sections = json::array();
    json overview_table = table_json(overview(made));
    overview_table["filter"] = 1;
    sections.push_back(
        {{"heading", "All tasks"},
         {"text",
          fmt::format("Quality is the share of the best known objective that an answer reaches, 0 where it is "
                      "infeasible. In histograms a dashed line marks the median.\n\nThe signal tables below. {}",
                      signal_legend)},
         {"table", overview_table}});
    for (card_task const& of : made.tasks) {
        instances += of.set.rows.size();
        open += unproven_rows(of).rows.size();
        sections.push_back(section_json(of));
    }
    json facts = json::array();
    facts.push_back(json::array({"tasks", made.tasks.size()}));
    facts.push_back(json::array({"instances", instances}));
    facts.push_back(json::array({"proven optimal", instances - open}));
    facts.push_back(json::array({"level", made.levels}));
    facts.push_back(json::array({"split", made.split}));
    return json_text({{"title", "optgap benchmark set"},
                      {"lead", "Benchmark instances with their proofs. The same command writes the same bytes."},
                      {"facts", facts},
                      {"sections", sections},
                      {"command", made.command}});
}

}  // namespace optgap::cli
