#pragma once
// Maximum clique: the largest set of pairwise adjacent vertices. The definition: README.md.

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "kernels/families/subset/vertex_set_task.hpp"
#include "kernels/tasks/clique/clique_generate.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::clique {

struct task : search::vertex_set_task<vertex_set::clique> {
    static constexpr std::int32_t version = 1;
    static constexpr std::int32_t code_not_adjacent = first_task_code;
    static constexpr char const* codes[] = {"not_adjacent", nullptr};

    OPTGAP_HD static std::int64_t instance_words(draw source, difficulty level) {
        return graph_words(vertices_of(source, level));
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw source, difficulty level) {
        return 2 * vertices_of(source, level);
    }

    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* scratch) {
        std::int32_t const n = vertices_of(source, level);
        std::int32_t* const label = scratch;
        std::uint32_t* const rows = begin_graph(team, words, n);
        team.each(n, [&](std::int64_t i) { label[i] = std::int32_t(i); });
        team.sync();
        if (team.rank() == 0) {
            draw_stream stream(source, draw_labels);
            shuffle(stream, label, n);
        }
        team.sync();
        if (level.code >= 0) {
            generate_scale(team, source, level.code, rows, label, scratch + n);
        } else {
            generate_level(team, source, level, n, rows, label);
        }
        team.sync();
    }
};

}  // namespace tasks::clique

OPTGAP_KERNELS_END
