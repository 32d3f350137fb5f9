#include "host/pool/pool.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <set>

#include "host/pool/delta.hpp"
#include "host/pool/weights.hpp"
#include "tests/host/pool_random.hpp"

namespace optgap::pool_tests {
namespace {

using pool::delta;
using pool::entry;
using pool::outcome;
using pool::part;
using pool::policy;
using pool::standing;

class pool_test : public ::testing::Test {
protected:
    void SetUp() override {
        if (!sqlite::available()) {
            GTEST_SKIP() << "this build has no SQLite";
        }
        folder_ = std::filesystem::temp_directory_path() / ("optgap_pool_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override {
        if (!folder_.empty()) {
            std::filesystem::remove_all(folder_);
        }
    }
    [[nodiscard]] std::string fresh(std::string const& name, std::int64_t capacity = 0) const {
        std::string const path = (folder_ / name).string();
        std::filesystem::remove(path);
        pool::file::make(path, {7, policy::signal, 3, capacity});
        return path;
    }
    std::filesystem::path folder_;
};

/// The content of a step, dealt randomly to `ranks` ranks in separate parts.
std::vector<part> dealt(std::vector<entry> const& entries, std::vector<outcome> const& outcomes, std::int32_t ranks,
                        std::int64_t step, instance_hash base, std::mt19937_64& draws) {
    std::vector<part> out;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        out.push_back({{step, rank, std::int32_t(draws() % 3)}, base, {}, {}});
    }
    for (entry const& one : entries) {
        out[draws() % out.size()].entries.push_back(one);
    }
    for (outcome const& one : outcomes) {
        out[draws() % out.size()].outcomes.push_back(one);
    }
    for (part& one : out) {
        std::ranges::shuffle(one.entries, draws);
        std::ranges::shuffle(one.outcomes, draws);
    }
    std::ranges::shuffle(out, draws);
    return out;
}

/// Joins parts as a tree of random shape, some of them twice, some through their text.
delta joined(std::vector<part> const& parts, std::mt19937_64& draws) {
    std::vector<delta> trees;
    for (part const& one : parts) {
        for (std::uint64_t times = 1 + draws() % 2; times > 0; --times) {
            trees.emplace_back();
            trees.back().add(one);
        }
    }
    while (trees.size() > 1) {
        std::ranges::shuffle(trees, draws);
        delta last = draws() % 2 == 0 ? pool::delta_from(pool::to_text(trees.back())) : trees.back();
        trees.pop_back();
        trees.back().join(last);
    }
    return trees[0];
}

TEST_F(pool_test, any_order_any_ranks_and_any_kills_give_one_hash) {
    std::vector<std::string> hashes;
    for (std::int32_t ranks = 1; ranks <= 8; ++ranks) {
        std::mt19937_64 content(5), dealing(std::uint64_t(ranks) * 100);
        std::string const path = fresh("law.db", 50);
        auto open = std::make_unique<pool::pool>(path, true);
        for (std::int64_t step = 0; step < 6; ++step) {
            std::vector<entry> entries;
            for (std::int32_t i = 0; i < 40; ++i) {
                entries.push_back(random_entry(content));
            }
            std::vector<outcome> const outcomes = random_outcomes(content, open->entries(), 60);
            delta const parts = joined(dealt(entries, outcomes, ranks, step, open->hash(), dealing), dealing);
            open->end_step(parts);
            if (dealing() % 2 == 0) {  // as after a kill: only the file's content is left
                open.reset();
                open = std::make_unique<pool::pool>(path, true);
            }
            EXPECT_TRUE(open->is_in(parts)) << "what comes again is in already";
        }
        hashes.push_back(hex32(open->hash()));
        EXPECT_GT(open->entries(), 100);
        EXPECT_EQ(std::ranges::count(open->standings(), false, &standing::gone), 2 * 50) << "the two tasks are full";
        EXPECT_LT(open->entries(), 200) << "some problems came more than once";
    }
    for (std::string const& hash : hashes) {
        EXPECT_EQ(hash, hashes[0]);
    }
}

TEST_F(pool_test, a_full_pool_lets_go_of_the_lowest_weights_and_knows_them_still) {
    std::string const path = (folder_ / "full.db").string();
    pool::file::make(path, {7, policy::frontier, 3, 4});
    pool::pool open(path, true);
    std::mt19937_64 draws(8);
    auto const step = [&](std::int64_t count, std::vector<outcome> outcomes) {
        delta all;
        all.add({{open.step(), 0, 0}, open.hash(), {}, std::move(outcomes)});
        part with = all.parts().begin()->second;
        for (std::int64_t i = 0; i < count; ++i) {
            with.entries.push_back(random_entry(draws));
            with.entries.back().task = "tsp";
            with.entries.back().canonical = {std::uint64_t(open.step()), std::uint64_t(i)};
        }
        delta out;
        out.add(with);
        return open.end_step(out).gone;
    };
    auto const stay = [&] {
        std::vector<std::int64_t> ids;
        for (std::int64_t id = 0; id < open.entries(); ++id) {
            if (!open.standings()[std::size_t(id)].gone) {
                ids.push_back(id);
            }
        }
        return ids;
    };
    using list = std::vector<std::int64_t>;
    EXPECT_EQ(step(4, {}), 0);
    std::int64_t const one = pool::whole_quality;
    EXPECT_EQ(step(1, {pool::outcome_of(2, true, one)}), 1);
    EXPECT_EQ(stay(), (list{0, 1, 3, 4})) << "what was solved in this step is no frontier";
    EXPECT_EQ(step(2, {}), 2);
    EXPECT_EQ(stay(), (list{3, 4, 5, 6})) << "of equal ones the oldest";
    EXPECT_EQ(step(0, {pool::outcome_of(2, true, one)}), 0) << "a late outcome of one that is gone";
    EXPECT_EQ(open.find({"tsp", 1, {0, 2}}), 2) << "known still";
    std::vector<std::uint64_t> const weights = open.weights(policy::uniform);
    EXPECT_EQ(weights, (std::vector<std::uint64_t>{0, 0, 0, 1, 1, 1, 1}));
    EXPECT_EQ(open.weights(policy::max_new), (std::vector<std::uint64_t>{0, 0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(step(0, {pool::outcome_of(3, true, one), pool::outcome_of(4, true, one), pool::outcome_of(5, true, one),
                       pool::outcome_of(6, true, one)}),
              0);
    EXPECT_EQ(open.weights(policy::frontier), weights) << "nothing fits: each alike of those that stay";
    EXPECT_EQ(hex32(pool::pool(path).hash()), hex32(open.hash()));
}

TEST_F(pool_test, what_differs_has_another_hash) {
    std::mt19937_64 draws(3);
    std::vector<entry> entries{random_entry(draws), random_entry(draws)};
    auto const hash_with = [&](auto const& change) {
        std::string const path = fresh("other.db");
        pool::pool open(path, true);
        part first{{0, 0, 0}, open.hash(), entries, {}};
        change(first.entries[0]);
        delta all;
        all.add(first);
        open.end_step(all);
        return hex32(open.hash());
    };
    std::vector<std::string> const hashes{hash_with([](entry&) {}),
                                          hash_with([](entry& one) { one.objective += 1; }),
                                          hash_with([](entry& one) { one.words[0] += 1; }),
                                          hash_with([](entry& one) { one.answer[1] += 1; }),
                                          hash_with([](entry& one) { one.budget += 1; }),
                                          hash_with([](entry& one) { one.kind = pool::origin::edit; }),
                                          hash_with([](entry& one) { one.parent.low += 1; }),
                                          hash_with([](entry& one) { one.floor = 3; })};
    std::set<std::string> const different(hashes.begin(), hashes.end());
    EXPECT_EQ(different.size(), hashes.size());
}

TEST_F(pool_test, parts_that_do_not_belong_are_refused_and_change_nothing) {
    std::mt19937_64 draws(4);
    pool::pool open(fresh("refusing.db"), true);
    instance_hash const begin = open.hash();
    auto const ended = [&](part const& one) {
        delta all;
        all.add(one);
        return refusal([&] { open.end_step(all); });
    };
    part first{{0, 0, 0}, begin, {random_entry(draws)}, {}};
    EXPECT_NE(ended({{1, 0, 0}, begin, {}, {}}).find("of a step to come: expected step 0"), std::string::npos);
    EXPECT_NE(ended({{0, 0, 0}, {1, 2}, {}, {}}).find("beside another pool"), std::string::npos);
    EXPECT_NE(ended({{0, 0, 0}, begin, {}, {{0, 1, 0, 0, 0}}}).find("outcome of entry 0"), std::string::npos);
    EXPECT_EQ(open.hash(), begin);
    EXPECT_EQ(ended(first), "nothing was refused");
    for (outcome const& wrong :
         {outcome{0, 1, 2, 0, 0}, outcome{0, 0, 0, 0, 0}, outcome{0, 1, 0, -1, 0}, outcome{0, 1, 0, 8, 65},
          outcome{0, 2, 0, pool::whole_quality, 5}, outcome{0, pool::max_attempts + 1, 0, 0, 0}}) {
        EXPECT_NE(ended({{1, 0, 0}, open.hash(), {}, {wrong}}).find("outcome of entry 0"), std::string::npos);
    }
    EXPECT_NE(ended(first).find("is in already"), std::string::npos);
    EXPECT_NE(ended({{0, 1, 0}, begin, {}, {}}).find("came late"), std::string::npos);
    first.entries[0].objective += 1;
    EXPECT_NE(ended(first).find("with other content"), std::string::npos);
    delta twice;
    twice.add({{1, 0, 0}, open.hash(), {}, {}});
    EXPECT_NE(refusal([&] {
                  twice.add({{1, 0, 0}, open.hash(), {first.entries[0]}, {}});
              }).find("comes twice"),
              std::string::npos);
    EXPECT_EQ(open.step(), 1);
}

TEST(pool_delta, a_text_that_is_not_as_it_was_written_is_named) {
    std::mt19937_64 draws(6);
    delta all;
    all.add({{2, 1, 0}, {1, 2}, {random_entry(draws), random_entry(draws)}, random_outcomes(draws, 9, 2)});
    std::string const text = pool::to_text(all);
    EXPECT_EQ(pool::to_text(pool::delta_from(text)), text);
    for (std::size_t cut = 0; cut < text.size(); ++cut) {
        EXPECT_NE(refusal([&] { static_cast<void>(pool::delta_from(text.substr(0, cut))); }).find("line "),
                  std::string::npos)
            << cut;
    }
    std::int32_t refused = 0, digits = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] >= '0' && text[at] <= '8') {
            std::string other = text;
            ++other[at];
            ++digits;
            refused += refusal([&] { static_cast<void>(pool::delta_from(other)); }) != "nothing was refused" ? 1 : 0;
        }
    }
    EXPECT_GT(digits, 100);
    EXPECT_EQ(refused, digits);
}

TEST(pool_weights, the_signal_of_zeros_and_ones_is_the_unbiased_4_p_1_minus_p) {
    for (std::int64_t n = 0; n <= 40; ++n) {
        for (std::int64_t k = 0; k <= n; ++k) {
            outcome const sums{0, n, k, k * pool::whole_quality, k * pool::whole_quality * pool::whole_quality};
            double const all = double(n) + 4, right = double(k) + 2;
            double const wanted = std::min(1.0, 4 * right * (all - right) / (all * (all - 1)));
            EXPECT_NEAR(double(pool::signal_of(sums)) / double(pool::whole_quality), wanted, 1e-6) << n << " " << k;
        }
    }
    outcome const most{0, pool::max_attempts, 0, pool::max_attempts * (pool::whole_quality / 2),
                       pool::max_attempts * (pool::whole_quality / 2) * (pool::whole_quality / 2)};
    EXPECT_EQ(pool::fault_of(most), "");
    EXPECT_LT(pool::signal_of(most), 10) << "all alike say nothing";
}

std::vector<standing> some_standings(std::mt19937_64& draws, std::size_t count) {
    std::vector<standing> out;
    for (std::size_t i = 0; i < count; ++i) {
        standing one{std::int64_t(draws() % 10), -1, i % 7 == 6, {std::int64_t(i), 0, 0, 0, 0}};
        for (std::uint64_t left = draws() % 4; left > 0; --left) {
            one.sums += random_outcomes(draws, 1, 1)[0];
            one.seen = 10;
        }
        one.sums.solved = one.sums.attempts > 1 ? 1 : 0;
        out.push_back(one);
    }
    return out;
}

TEST(pool_weights, draws_come_as_often_as_weights_say) {
    std::mt19937_64 draws(9);
    std::vector<standing> const known = some_standings(draws, 40);
    constexpr std::int64_t count = 40'000;
    for (std::size_t by = 0; by < std::size(pool::policy_names); ++by) {
        std::vector<std::uint64_t> const weights = pool::weights_of(policy(by), known, 11, 3);
        double total = 0;
        for (std::uint64_t const weight : weights) {
            total += double(weight);
        }
        pool::drawer const drawn(42, 11, weights);
        std::vector<std::int64_t> found(weights.size());
        std::set<std::uint64_t> labels;
        for (std::int64_t i = 0; i < count; ++i) {
            pool::drawn_entry const one = drawn.draw(i);
            ++found[std::size_t(one.place)];
            labels.insert(one.label_seed);
        }
        EXPECT_EQ(labels.size(), std::size_t(count)) << "each draw has labels of its own";
        for (std::size_t i = 0; i < weights.size(); ++i) {
            double const p = double(weights[i]) / total, spread = std::sqrt(count * p * (1 - p));
            EXPECT_NEAR(double(found[i]), count * p, 4.5 * spread + 1e-9) << pool::policy_names[by] << " " << i;
        }
    }
}

TEST(pool_weights, policies_choose_what_they_say) {
    std::int64_t const one = pool::whole_quality;
    // Old and always solved; old and never solved; newer, half right; new and not tried.
    std::vector<standing> const known{{0, 9, false, {0, 10, 10, 10 * one, 10 * one * one}},
                                      {0, 9, false, {1, 10, 0, 0, 0}},
                                      {5, 9, false, {2, 10, 5, 5 * one, 5 * one * one}},
                                      {9, -1, false, {3, 0, 0, 0, 0}}};
    auto const of = [&](policy by) { return pool::weights_of(by, known, 10, 2); };
    using list = std::vector<std::uint64_t>;
    EXPECT_EQ(of(policy::uniform), (list{1, 1, 1, 1}));
    EXPECT_EQ(of(policy::step), (list{1, 1, 6, 10}));
    EXPECT_EQ(of(policy::max_new), (list{0, 0, 0, 1}));
    EXPECT_EQ(of(policy::half_new), (list{1, 1, 1, 3}));
    EXPECT_EQ(of(policy::band), (list{0, 0, 1, 1}));
    EXPECT_EQ(of(policy::frontier), (list{0, 1, 0, 1}));
    list const signal = of(policy::signal), regret = of(policy::regret);
    EXPECT_EQ(signal[0], signal[1]) << "all right tells as little as all wrong";
    EXPECT_GT(signal[2], signal[0]);
    EXPECT_EQ(signal[3], std::uint64_t(one + one / 64)) << "not tried: as good as any, and a step old";
    EXPECT_GT(regret[1], regret[2]);
    EXPECT_GT(regret[2], regret[0]);
    std::vector<standing> const solved(known.begin(), known.begin() + 1);
    EXPECT_EQ(pool::weights_of(policy::frontier, solved, 10, 2), (list{1})) << "nothing fits: each alike";
}

}  // namespace
}  // namespace optgap::pool_tests
