// For every task of the registry: a problem has one canonical key under all its labels, and other problems have others.

#include <map>
#include <set>

#include "optgap/proposals/canonical.hpp"
#include "tests/support/relabel_property.hpp"
#include "tests/support/sample.hpp"

namespace optgap::testing {
namespace {

class canonical_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, canonical_properties, ::testing::ValuesIn(all_tasks()), task_name);

std::string key_of_row(instance_batch const& of, std::int64_t r) {
    std::int32_t const task = of.task[std::size_t(r)];
    return canonical_key(cpu_engine().tasks()[std::size_t(task)], canonical_of(cpu_engine(), task, of.blocks.row(r)));
}

TEST_P(canonical_properties, twins_have_the_key_of_their_originals) {
    instance_batch const originals = answered_cases(GetParam(), 0).instances;
    bool const has_twins = !cpu_engine().tasks()[std::size_t(GetParam())].axes.empty();
    for (std::uint64_t seed = 0; seed < (has_twins ? 4u : 0u); ++seed) {
        relabelled_batch const twins = cpu_engine().relabel(originals.view(), seed);
        for (std::int64_t r = 0; r < originals.size(); ++r) {
            ASSERT_EQ(key_of_row(twins.instances, r), key_of_row(originals, r)) << "row " << r << ", seed " << seed;
        }
    }
}

TEST_P(canonical_properties, other_instances_have_other_keys) {
    instance_batch const made = instances_of(GetParam(), difficulty::scale(12), 40);
    std::set<std::string> keys, words;
    for (std::int64_t r = 0; r < made.size(); ++r) {
        canonical_hash const found = canonical_of(cpu_engine(), GetParam(), made.blocks.row(r));
        EXPECT_FALSE(found.coarse) << "row " << r << ": " << found.nodes << " nodes";
        keys.insert(key_of_row(made, r));
        words.insert(hex32(hash_words(made.blocks.row(r))));
    }
    EXPECT_EQ(keys.size(), words.size());
}

/// The sum over an instance's words of each word's part in the key. A word that no form reads would change nothing.
TEST_P(canonical_properties, nearly_every_word_that_may_be_changed_changes_the_key) {
    instance_batch const made = instances_of(GetParam(), difficulty::scale(6), 4);
    std::int64_t changed = 0, same = 0;
    for (std::int64_t r = 0; r < made.size(); ++r) {
        std::string const own = key_of_row(made, r);
        std::span<std::int32_t const> const row = made.blocks.row(r);
        std::size_t const stride = 1 + row.size() / 40;
        for (std::size_t w = 0; w < row.size(); w += stride) {
            for (std::int32_t const by : {1, 7}) {
                std::vector<std::int32_t> other(row.begin(), row.end());
                other[w] += by;
                try {
                    cpu_engine().check(GetParam(), other);
                } catch (error const&) {
                    continue;
                }
                instance_batch one;
                one.append(GetParam(), other);
                (key_of_row(one, 0) == own ? same : changed) += 1;
            }
        }
    }
    EXPECT_LE(8 * same, changed) << changed << " changed";
}

}  // namespace
}  // namespace optgap::testing
