#include "host/proposal/profile.hpp"

#include <algorithm>
#include <limits>

#include "kernels/canonical/form.hpp"
#include "kernels/registry/registry.hpp"

namespace optgap::proposals {
namespace {

constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();

}  // namespace

profile profile_of(std::int32_t task, std::span<std::int32_t const> words) {
    task_entry const& entry = registry()[std::size_t(task)];
    words_view const instance{words.data(), std::int64_t(words.size())};
    canonical::structure listed;
    if (entry.canonical != nullptr && entry.canonical->list != nullptr) {
        entry.canonical->list(instance, listed);
    } else if (entry.text->twins == nullptr || entry.text->twins->axes[0].name == nullptr) {
        return {words.begin(), words.end()};
    } else {
        canonical::fields(*entry.text->twins, entry.text->layout).list(instance, 0, listed);
    }
    profile out(std::size_t(listed.size()), 0);
    for (canonical::structure::fact const& fact : listed.facts()) {
        if (fact.node != canonical::structure::nobody) {
            for (std::int32_t const word : listed.words(fact)) {
                out[std::size_t(fact.node)] += word;
            }
        }
    }
    for (canonical::structure::end const& end : listed.ends()) {
        out[std::size_t(end.from)] += 1 + std::int64_t(end.to.value);
    }
    std::ranges::sort(out);
    return out;
}

std::int64_t distance(profile const& a, profile const& b) {
    if (a.size() != b.size()) {
        return unbounded;
    }
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += std::abs(a[i] - b[i]);
    }
    return sum;
}

}  // namespace optgap::proposals
