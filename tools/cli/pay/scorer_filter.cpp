#include "tools/cli/pay/scorer.hpp"

namespace optgap::cli {

group_filter scorer::filter(std::span<scored_row const> rows, std::span<std::int32_t const> cell,
                            std::int32_t cells) const {
    std::vector<float> rewards, length_penalty;
    std::vector<std::int32_t> group, cell_of;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].group >= 0) {
            rewards.push_back(rows[i].value.reward);
            length_penalty.push_back(rows[i].value.length_penalty);
            group.push_back(rows[i].group);
            if (!cell.empty()) {
                cell_of.push_back(cell[i]);
            }
        }
    }
    group_filter out = filter_groups(rewards, group, cell_of, cells, length_penalty);
    std::vector<std::uint8_t> keep(rows.size(), 0);
    std::size_t next = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        keep[i] = rows[i].group >= 0 ? out.keep[next++] : std::uint8_t(0);
    }
    out.keep = std::move(keep);
    return out;
}

}  // namespace optgap::cli
