#include "tools/cli/measure/program_rates.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "optgap/status.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

/// Sums over cells of ranked columns.
struct rank_sums {
    std::int64_t cells = 0, valid = 0, won = 0;
    double ranks = 0;
};

bool is_better(std::int64_t a, std::int64_t b, sense direction) { return direction == sense::maximise ? a > b : a < b; }

/// Midranks among the valid rows of a group on one instance, best 1.
void rank_column(std::vector<std::int64_t> const& column, sense direction, rank_sums& sums) {
    for (std::int64_t const mine : column) {
        ++sums.cells;
        if (mine == no_objective) {
            continue;
        }
        std::int64_t better = 0, equal = 0;
        for (std::int64_t const other : column) {
            better += other != no_objective && is_better(other, mine, direction) ? 1 : 0;
            equal += other == mine ? 1 : 0;
        }
        ++sums.valid;
        sums.ranks += double(better) + double(equal + 1) / 2;
        sums.won += better == 0 && equal == 1 ? 1 : 0;
    }
}

using row_list = std::vector<program_outcome const*>;

/// Chance that two rows of a group, drawn without putting back, say the same on every instance.
double collision_of(row_list const& group) {
    std::map<std::vector<std::int64_t>, std::int64_t> alike;
    for (program_outcome const* const row : group) {
        ++alike[row->objectives];
    }
    double pairs = 0;
    for (auto const& [objectives, count] : alike) {
        pairs += double(count) * double(count - 1);
    }
    return pairs / (double(group.size()) * double(group.size() - 1));
}

}  // namespace

bool read_objectives(json_row const& row, std::vector<std::int64_t>& objectives) {
    std::string_view const* const text = row.find("objectives");
    if (text == nullptr || is_json_null(*text) || row.find("codes") == nullptr) {
        return false;
    }
    auto const list = read_json(*text);
    bool sound = list.is_array() && !list.empty();
    for (std::size_t k = 0; sound && k < list.size(); ++k) {
        sound = list[k].is_null() || list[k].is_number_integer();
        objectives.push_back(sound && !list[k].is_null() ? list[k].get<std::int64_t>() : no_objective);
    }
    if (!sound) {
        throw field_error("objectives", "must be a list with an integer or null for each instance");
    }
    return true;
}

void program_rates::add(program_outcome row) {
    std::size_t const wanted = width_.try_emplace(row.problem, row.objectives.size()).first->second;
    if (wanted != row.objectives.size()) {
        throw field_error("objectives", fmt::format("are {}, but the rows of this problem before have {}",
                                                    row.objectives.size(), wanted));
    }
    rows_.push_back(std::move(row));
}

std::map<std::pair<std::string, std::string>, program_rates::rates> program_rates::made() const {
    std::map<std::pair<std::string, std::string>, std::map<std::string, std::map<std::int32_t, row_list>>> cells;
    for (program_outcome const& row : rows_) {
        cells[{row.task, row.level}][row.problem][row.group].push_back(&row);
    }
    std::map<std::pair<std::string, std::string>, rates> out;
    for (auto const& [place, problems] : cells) {
        rates& found = out[place];
        rank_sums sums;
        double best = 0;
        std::int64_t solved = 0, pairs = 0;
        for (auto const& [problem, groups] : problems) {
            std::vector<std::int64_t> best_of(width_.at(problem), no_objective);
            for (auto const& [id, rows] : groups) {
                for (std::size_t k = 0; k < best_of.size(); ++k) {
                    std::vector<std::int64_t> column;
                    for (program_outcome const* const row : rows) {
                        std::int64_t const mine = row->objectives[k];
                        column.push_back(mine);
                        bool const ahead = mine != no_objective &&
                                           (best_of[k] == no_objective || is_better(mine, best_of[k], row->direction));
                        best_of[k] = ahead ? mine : best_of[k];
                    }
                    rank_column(column, rows[0]->direction, sums);
                }
                found.rows += std::int64_t(rows.size());
                if (rows.size() > 1) {
                    ++pairs;
                    double const collision = collision_of(rows);
                    found.pair_collision += collision;
                    found.collapsed += collision == 1.0 ? 1 : 0;
                }
            }
            for (std::int64_t const one : best_of) {
                best += one == no_objective ? 0 : double(one);
                solved += one == no_objective ? 0 : 1;
            }
            found.groups += std::int64_t(groups.size());
        }
        auto const share = [](double part, std::int64_t whole) { return whole == 0 ? NAN : part / double(whole); };
        found.problems = std::int64_t(problems.size());
        found.valid = share(double(sums.valid), sums.cells);
        found.mean_rank = share(sums.ranks, sums.valid);
        found.wins = share(double(sums.won), sums.cells);
        found.best = share(best, solved);
        found.pair_collision = share(found.pair_collision, pairs);
        found.collapsed = share(found.collapsed, pairs);
    }
    return out;
}

std::string program_rates::table_text() const {
    auto const percent = [](double share) { return std::isnan(share) ? "-" : fmt::format("{:.1f}", 100 * share); };
    auto const number = [](double value) { return std::isnan(value) ? "-" : fmt::format("{:.2f}", value); };
    table out({{"programs of"},
               {"level"},
               {"rows", align::right},
               {"problems", align::right},
               {"valid %", align::right},
               {"mean rank", align::right},
               {"wins %", align::right},
               {"best so far", align::right},
               {"alike %", align::right},
               {"collapsed %", align::right}});
    for (auto const& [place, found] : made()) {
        out.add({place.first, place.second, std::to_string(found.rows), std::to_string(found.problems),
                 percent(found.valid), number(found.mean_rank), percent(found.wins), number(found.best),
                 percent(found.pair_collision), percent(found.collapsed)});
    }
    return out.text();
}

nlohmann::ordered_json program_rates::summaries() const {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (auto const& [place, found] : made()) {
        out.push_back({{"task", place.first},
                       {"level", place.second},
                       {"rows", found.rows},
                       {"problems", found.problems},
                       {"groups", found.groups},
                       {"valid", number_or_null(found.valid)},
                       {"mean_rank", number_or_null(found.mean_rank)},
                       {"wins", number_or_null(found.wins)},
                       {"best", number_or_null(found.best)},
                       {"pair_collision", number_or_null(found.pair_collision)},
                       {"collapsed", number_or_null(found.collapsed)}});
    }
    return out;
}

}  // namespace optgap::cli
