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

constexpr std::size_t max_kept_ends = 1 << 16;

std::vector<std::int32_t> reduced_words(canonical_rules const* rules, words_view instance) {
    std::vector<std::int32_t> words(instance.data, instance.data + instance.count);
    if (rules != nullptr && rules->reduce != nullptr) {
        rules->reduce(words);
    }
    return words;
}

/// Shows the listings of an instance whose words are reduced.
template <class Show>
void show_listings(task_text const& task, canonical_rules const* rules, words_view reduced, Show const& show) {
    thread_local structure listed;  // keeps the memory of small structures
    if (listed.ends().size() > max_kept_ends) {
        listed = {};
    }
    if (rules != nullptr && rules->list != nullptr) {
        listed.clear();
        rules->list(reduced, listed);
        show(listed);
        return;
    }
    if (task.twins == nullptr || task.twins->axes[0].name == nullptr) {
        return;
    }
    fields const by(*task.twins, task.layout);
    for (std::uint32_t const way : by.ways(reduced)) {
        listed.clear();
        by.list(reduced, way, listed);
        show(listed);
    }
}

}  // namespace

labelled canonical_words(task_text const& task, canonical_rules const* rules, words_view instance,
                         std::int64_t budget) {
    std::vector<std::int32_t> words = reduced_words(rules, instance);
    labelled best;
    bool first = true;
    show_listings(task, rules, {words.data(), std::int64_t(words.size())}, [&](structure const& listed) {
        labelled one = label(listed, budget);
        one.nodes += best.nodes;
        if (first || one.words < best.words) {
            best = std::move(one);
        } else {
            best.nodes = one.nodes;
        }
        first = false;
    });
    return first ? labelled{std::move(words), false, 0} : best;
}

void for_each_listing(task_text const& task, canonical_rules const* rules, words_view instance,
                      std::function<void(structure const&)> const& show) {
    std::vector<std::int32_t> const words = reduced_words(rules, instance);
    show_listings(task, rules, {words.data(), std::int64_t(words.size())}, show);
}

}  // namespace canonical
}  // namespace optgap
