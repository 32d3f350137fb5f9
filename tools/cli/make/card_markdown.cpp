#include <algorithm>

#include <fmt/format.h>

#include "tools/cli/make/card.hpp"

namespace optgap::cli {
namespace {

std::string row_of(std::vector<std::string> const& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

std::string markdown_table(card_table const& table) {
    std::vector<std::string> dashes(table.titles.size(), "--:");
    std::fill_n(dashes.begin(), table.labels, "---");
    std::string out = row_of(table.titles) + row_of(dashes);
    for (auto const& row : table.rows) {
        out += row_of(row);
    }
    return out + "\n";
}

std::string markdown_section(card_task const& of) {
    std::string_view const name = of.info->name;
    std::string out = fmt::format("## {}\n\n`{}`: {}.\n\n", of.info->title, name, of.info->summary);
    if (!of.picture.empty()) {
        out += fmt::format("![one instance and its best answer]({}.svg)\n\n{}\n\n", name, picture_caption(of));
    }
    out += markdown_table(distributions(of));
    if (card_table const open = unproven_rows(of); !open.rows.empty()) {
        out += "Without a proof:\n\n" + markdown_table(open);
    }
    out += markdown_table(signal_table(of));
    return out + fmt::format("Ladder rule {}.\n\n", of.signal.rule.sentence);
}

}  // namespace

std::string card_markdown(card const& made) {
    std::string out = fmt::format("# optgap benchmark set\n\nMade by `{}`; the same command writes the same bytes.\n\n",
                                  made.command);
    out += markdown_table(overview(made));
    out += fmt::format(
        "Quality is the share of the best known objective that an answer reaches, 0 where it is "
        "infeasible.\n\n**Signal.** {}\n\n",
        signal_legend);
    for (card_task const& of : made.tasks) {
        out += markdown_section(of);
    }
    return out;
}

}  // namespace optgap::cli
