#include "tools/cli/store/dear_steps.hpp"

#include <algorithm>
#include <string_view>

namespace optgap::cli {
namespace {

struct dear_entry {
    std::string_view task;
    std::int64_t steps;
};

/// As bench/studies/dear_steps.py printed them; 0 where benchmark labels take no steps. A task that is not here keeps every
/// label that takes a step.
constexpr dear_entry known[] = {
    {"apples", 16},
    {"bin_packing", 0},
    {"bisection", 128},
    {"chests", 32},
    {"clique", 64},
    {"coin_change", 64},
    {"coloring", 512},
    {"common_subsequence", 32},
    {"countdown", 0},
    {"division", 0},
    {"dominating_set", 32},
    {"euclid_game", 0},
    {"flow_shop", 16},
    {"futoshiki", 0},
    {"graph_isomorphism", 0},
    {"hamiltonian", 16},
    {"hamiltonian_path", 0},
    {"independent_set", 64},
    {"job_shop", 32},
    {"k_center", 4},
    {"knapsack", 4096},
    {"linear_ordering", 16},
    {"max_cut", 1024},
    {"max_sat", 16},
    {"meeting", 128},
    {"multiplication", 0},
    {"nonogram", 0},
    {"orienteering", 0},
    {"partition", 0},
    {"queens", 0},
    {"sat", 0},
    {"set_cover", 128},
    {"sliding_puzzle", 128},
    {"sorting", 0},
    {"steiner_tree", 16},
    {"subset_sum", 32768},
    {"sudoku", 0},
    {"tsp", 32},
    {"vehicle_routing", 64},
    {"vertex_cover", 32},
    {"weighted_tardiness", 8},
};

}  // namespace

bool is_dear(store::row const& of, task_info const& info) {
    auto const entry = std::ranges::find(known, std::string_view(info.name), &dear_entry::task);
    std::int64_t const most = std::min(entry == std::end(known) ? 0 : entry->steps, info.default_budget);
    bool const ours = of.found.solver == "exact" || of.found.solver.empty();
    return of.key.part == store::explicit_part || !of.proven() || !ours ||
           std::max(of.found.steps, of.bounded.steps) > most;
}

}  // namespace optgap::cli
