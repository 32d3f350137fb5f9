#include "tools/cli/measure/suite_rates.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;

bool poses(suite_entry const& entry, std::string_view task) { return task == entry.task || task == entry.native; }

bool has_level(suite_entry const& entry, std::string const& level) {
    return std::any_of(entry.levels.begin(), entry.levels.end(),
                       [&](difficulty const one) { return level_name(one) == level; });
}

}  // namespace

suite_rates::suite_rates(std::vector<std::string> const& words) {
    for (std::string const& word : words) {
        suite of = find_suite(word);
        std::size_t const entries = of.entries.size();
        parts_.push_back({std::move(of), {}, std::vector<bool>(entries)});
    }
}

void suite_rates::add(std::string const& task, std::string const& level, rollout_groups const& rollouts) {
    bool in_any = false;
    for (part& one : parts_) {
        bool in_this = false;
        for (std::size_t e = 0; e < one.of.entries.size(); ++e) {
            if (poses(one.of.entries[e], task) && has_level(one.of.entries[e], level)) {
                one.answered[e] = in_this = true;
            }
        }
        if (in_this) {
            one.rollouts.push_back(&rollouts);
            in_any = true;
        }
    }
    if (!in_any && !parts_.empty()) {
        others_.push_back(&rollouts);
    }
}

std::string suite_rates::kind_of(std::string_view task) const {
    for (part const& one : parts_) {
        for (suite_entry const& entry : one.of.entries) {
            if (entry.task == task) {
                return entry.kind;
            }
        }
    }
    return {};
}

std::vector<labelled_evaluation> suite_rates::lines(evaluation_options const& how) const {
    std::vector<labelled_evaluation> lines;
    for (part const& one : parts_) {
        if (!one.rollouts.empty()) {
            lines.push_back({{one.of.name, training_of(one.of.role)}, evaluate(one.rollouts, how)});
        }
    }
    if (!others_.empty()) {
        lines.push_back({{"in none", "-"}, evaluate(others_, how)});
    }
    return lines;
}

json suite_rates::coverage() const {
    json all = json::array();
    for (part const& one : parts_) {
        json absent = json::array();
        for (std::size_t e = 0; e < one.answered.size(); ++e) {
            if (!one.answered[e]) {
                absent.push_back(one.of.entries[e].task);
            }
        }
        all.push_back({{"suite", one.of.name},
                       {"hash", one.of.hash},
                       {"role", name_of(one.of.role)},
                       {"tasks", one.answered.size()},
                       {"answered", one.answered.size() - absent.size()},
                       {"absent", absent}});
    }
    return all;
}

std::string suite_rates::coverage_text() const {
    std::string text;
    for (json const& one : coverage()) {
        text += fmt::format("\n{}#{}: rows of {} of its {} tasks\n", one["suite"].get<std::string>(),
                            one["hash"].get<std::string>().substr(0, 8), one["answered"].get<int>(),
                            one["tasks"].get<int>());
    }
    return text;
}

}  // namespace optgap::cli
