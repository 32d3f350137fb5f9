#include "kernels/canonical/form.hpp"

#include <algorithm>
#include <numeric>

namespace optgap {

void divide_by_common(std::vector<std::span<std::int32_t>> const& numbers) {
    std::int32_t common = 0;
    for (std::span<std::int32_t> const list : numbers) {
        for (std::int32_t const one : list) {
            common = std::gcd(common, one);
        }
    }
    if (common <= 1) {
        return;
    }
    for (std::span<std::int32_t> const list : numbers) {
        for (std::int32_t& one : list) {
            one /= common;
        }
    }
}

namespace canonical {
namespace {

constexpr std::size_t most_kept_ends = 1 << 16;

}  // namespace

labelled canonical_words(task_text const& task, canonical_rules const* rules, words_view instance,
                         std::int64_t budget) {
    std::vector<std::int32_t> words(instance.data, instance.data + instance.count);
    if (rules != nullptr && rules->reduce != nullptr) {
        rules->reduce(words);
    }
    words_view const reduced{words.data(), std::int64_t(words.size())};
    thread_local structure listed;  // keeps the memory of small ones
    if (listed.ends().size() > most_kept_ends) {
        listed = {};
    }
    listed.clear();
    if (rules != nullptr && rules->list != nullptr) {
        rules->list(reduced, listed);
        return label(listed, budget);
    }
    if (task.twins == nullptr || task.twins->axes[0].name == nullptr) {
        return {std::move(words), false, 0};
    }
    fields const by(*task.twins, task.layout);
    labelled best;
    bool first = true;
    for (std::uint32_t const way : by.ways(reduced)) {
        listed.clear();
        by.list(reduced, way, listed);
        labelled one = label(listed, budget);
        one.nodes += best.nodes;
        if (first || one.words < best.words) {
            std::int64_t const nodes = one.nodes;
            best = std::move(one);
            best.nodes = nodes;
        } else {
            best.nodes = one.nodes;
        }
        first = false;
    }
    return best;
}

}  // namespace canonical
}  // namespace optgap
