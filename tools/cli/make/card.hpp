#pragma once
// The card of a benchmark set: what is in it, how hard it is, and whether it teaches. One page in HTML that needs
// nothing else, and one in Markdown.

#include <string>
#include <vector>

#include "tools/cli/make/benchmark_set.hpp"
#include "tools/cli/make/signal.hpp"

namespace optgap::cli {

struct card_task {
    task_info const* info = nullptr;
    std::vector<benchmark_request> wanted;
    benchmark_set set;
    signal_report signal;
    std::string picture;  ///< SVG of the first instance with its best answer; empty when the task draws none
};

struct card {
    std::string command;  ///< that makes the same bytes
    std::string levels;   ///< of all tasks
    std::string split;
    std::int64_t count = 0;  ///< of instances per task, and the first seed, where there is no suite
    std::uint64_t seed = 1;
    suite of;  ///< without a name: tasks, level, count and seed say what is in the set
    std::vector<card_task> tasks;
};

/// A table of the card, ready for either form.
struct card_table {
    std::vector<std::string> titles;
    std::vector<std::vector<std::string>> rows;
    std::size_t labels = 1;  ///< the first columns are words, the others numbers
};

/// One row per task.
card_table overview(card const& made);
/// Sizes, hardness, optimum and anchors in quantiles.
card_table distributions(card_task const& of);
/// One row per measured level.
card_table signal_table(card_task const& of);
/// The rows without a proof and how far their bound is away; empty when there are none.
card_table unproven_rows(card_task const& of);
/// What the picture shows.
std::string picture_caption(card_task const& of);
/// What the signal table's columns mean.
extern char const* const signal_legend;

/// Per instance: the share of the best known objective that the anchor reaches, 0 where it is infeasible.
std::vector<double> floor_quality(card_task const& of);
std::vector<double> greedy_quality(card_task const& of);
/// One number per row.
std::vector<double> instance_sizes(card_task const& of);
std::vector<double> prompt_lengths(card_task const& of);
std::vector<double> proof_steps(card_task const& of);
std::vector<double> best_objectives(card_task const& of);

/// The description of the card for page_html and page_markdown, with the pictures as TASK.svg beside the latter.
std::string card_page(card const& made);

}  // namespace optgap::cli
