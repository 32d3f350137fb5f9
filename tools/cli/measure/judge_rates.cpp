#include "tools/cli/measure/judge_rates.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

std::string share_text(double value) { return std::isnan(value) ? "-" : fmt::format("{:.3f}", value); }

nlohmann::ordered_json judge_summary(nlohmann::ordered_json const& step, judge_counts const& of) {
    nlohmann::ordered_json confusion = nlohmann::ordered_json::array();
    for (std::int32_t truth = 0; truth < judge_bands; ++truth) {
        confusion.push_back({of.confusion(truth, 0), of.confusion(truth, 1), of.confusion(truth, 2)});
    }
    nlohmann::ordered_json calibration = nlohmann::ordered_json::array();
    for (std::int32_t score = 1; score <= judge_scores; ++score) {
        calibration.push_back(number_or_null(of.calibration(score)));
    }
    return {{"step", step},
            {"rows", of.rows},
            {"unreadable", of.unreadable},
            {"unproven", of.unproven},
            {"confusion", confusion},
            {"kappa", number_or_null(of.kappa())},
            {"auc", number_or_null(of.auc())},
            {"calibration", calibration}};
}

}  // namespace

void judge_rates::add(judgement_outcome const& found) {
    if (!found.step.empty()) {
        by_step_[{found.step.size(), found.step}].add(found.row);
    }
    all_.add(found.row);
}

std::string judge_rates::table_text() const {
    table out({{"judgements at step"},
               {"rows", align::right},
               {"unreadable %", align::right},
               {"truth 1-3", align::right},
               {"truth 4-7", align::right},
               {"truth 8-10", align::right},
               {"kappa", align::right},
               {"AUC", align::right}});
    table calibration({{"score"}, {"rows", align::right}, {"mean truth", align::right}});
    auto const add = [&](std::string const& step, judge_counts const& of) {
        auto const said = [&](std::int32_t truth) {
            return fmt::format("{} {} {}", of.confusion(truth, 0), of.confusion(truth, 1), of.confusion(truth, 2));
        };
        out.add({step, std::to_string(of.rows), fmt::format("{:.1f}", 100 * double(of.unreadable) / double(of.rows)),
                 said(0), said(1), said(2), share_text(of.kappa()), share_text(of.auc())});
    };
    for (auto const& [step, counts] : by_step_) {
        add(step.second, counts);
    }
    add("all", all_);
    for (std::int32_t score = 1; score <= judge_scores; ++score) {
        std::int64_t rows = 0;
        for (auto const& band : all_.scored) {
            rows += band[std::size_t(score - 1)];
        }
        calibration.add({std::to_string(score), std::to_string(rows), share_text(all_.calibration(score))});
    }
    return out.text() + "\n" + calibration.text();
}

nlohmann::ordered_json judge_rates::summaries() const {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (auto const& [step, counts] : by_step_) {
        out.push_back(judge_summary(nlohmann::ordered_json::parse(step.second, nullptr, false), counts));
    }
    out.push_back(judge_summary(nullptr, all_));
    return out;
}

}  // namespace optgap::cli
