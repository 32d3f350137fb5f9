#include "optgap/proposals/canonical.hpp"

#include "kernels/canonical/form.hpp"
#include "kernels/registry/registry.hpp"
#include "optgap/engine.hpp"

namespace optgap {

canonical_hash canonical_of(engine const& by, std::int32_t task, std::span<std::int32_t const> words) {
    by.check(task, words);
    task_entry const& entry = registry()[std::size_t(task)];
    canonical::labelled const found =
        canonical::canonical_words(*entry.text, entry.canonical, {words.data(), std::int64_t(words.size())});
    return {hash_words(found.words), found.coarse, found.nodes};
}

std::string canonical_key(task_info const& info, canonical_hash const& of) {
    return std::string(info.name) + "@" + std::to_string(info.version) + ":c:" + hex32(of.hash);
}

}  // namespace optgap
