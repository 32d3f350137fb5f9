#include "host/executor/call_rows.hpp"

#include <utility>

namespace optgap {

std::vector<generation> sources_of(std::span<instance_spec const> specs, version_of_task version_of) {
    std::vector<generation> items;
    items.reserve(specs.size());
    instance_spec last;
    std::uint32_t domain = 0;
    for (instance_spec const& spec : specs) {
        if (items.empty() || spec.task != last.task || spec.level != last.level || spec.part != last.part) {
            task_entry const& task = registry()[std::size_t(spec.task)];
            domain = random_domain(task.name, version_of(task), spec.part, spec.level);
            last = spec;
        }
        items.push_back({spec.task, spec.level, {spec.seed, domain}});
    }
    return items;
}

std::int32_t version_on_host(task_entry const& task) { return task.builds[0]->version; }

bool is_answer_block(std::span<std::int32_t const> block, std::size_t task_words) {
    if (block.empty() || block[0] == answer_flat) {
        return true;
    }
    if (block[0] == answer_word) {
        return block.size() == 2 && block[1] >= 0 && std::size_t(block[1]) < task_words;
    }
    if (block[0] < 0 || std::size_t(block[0]) > block.size() - 1) {
        return false;
    }
    std::span const lengths = block.subspan(1, std::size_t(block[0]));
    std::size_t left = block.size() - 1 - lengths.size();
    for (std::int32_t const length : lengths) {
        if (length < 0 || std::size_t(length) > left) {
            return false;
        }
        left -= std::size_t(length);
    }
    return left == 0;
}

improved_batch columns_of(std::span<improve_result const> rows, csr_words answers) {
    improved_batch out;
    for (improve_result const& row : rows) {
        out.start_objective.push_back(row.start_objective);
        out.objective.push_back(row.objective);
        out.moves.push_back(row.moves);
        out.evaluations += row.evaluations;
    }
    out.answers = std::move(answers);
    return out;
}

}  // namespace optgap
