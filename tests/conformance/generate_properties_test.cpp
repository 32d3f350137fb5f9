// Property tests of generation, for every task of the registry.

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/instance_json.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

class generate_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, generate_properties, ::testing::ValuesIn(all_tasks()), task_name);

constexpr std::int32_t levels[] = {-4, -3, -2, -1, 0, 1, 2, 5, 10, 20};

std::vector<instance_spec> many_specs(std::int32_t task) {
    std::vector<instance_spec> specs;
    for (std::int32_t level : levels) {
        for (std::uint64_t seed : {0u, 1u, 2u, 77u}) {
            specs.push_back({task, {level}, split(seed % 3), seed});
        }
    }
    return specs;
}

TEST_P(generate_properties, the_same_key_gives_the_same_bytes_anywhere_in_a_batch) {
    std::vector<instance_spec> specs = many_specs(GetParam());
    instance_batch const together = cpu_engine().generate(specs);
    std::reverse(specs.begin(), specs.end());
    engine const threaded({.where = device::cpu, .threads = 3});
    instance_batch const reversed = threaded.generate(specs);
    for (std::int64_t r = 0; r < together.size(); ++r) {
        auto const a = together.blocks.row(r);
        auto const b = reversed.blocks.row(together.size() - 1 - r);
        EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << "row " << r;
        instance_batch const alone = cpu_engine().generate({&specs[std::size_t(together.size() - 1 - r)], 1});
        auto const c = alone.blocks.row(0);
        EXPECT_TRUE(std::equal(a.begin(), a.end(), c.begin(), c.end())) << "row " << r;
    }
}

TEST_P(generate_properties, splits_and_levels_and_seeds_share_no_instance) {
    std::set<std::string> hashes;
    std::size_t count = 0;
    for (std::int32_t level : {-1, 20}) {
        for (split part : {split::train, split::val, split::test}) {
            for (std::uint64_t seed = 0; seed < 30; ++seed, ++count) {
                instance_spec const spec{GetParam(), {level}, part, seed};
                hashes.insert(hex32(hash_words(cpu_engine().generate({&spec, 1}).blocks.row(0))));
            }
        }
    }
    EXPECT_EQ(hashes.size(), count);
}

TEST_P(generate_properties, every_instruction_set_gives_the_same_bytes) {
    if (best_instruction_set() == 0) {
        GTEST_SKIP() << one_instruction_set;
    }
    task_entry const& entry = registry()[std::size_t(GetParam())];
    for (std::int32_t level : levels) {
        draw const source{std::uint64_t(level) * 31 + 7, 99};
        std::vector<words> made;
        for (int isa = 0; isa <= best_instruction_set(); ++isa) {
            task_kernels const& task = *entry.builds[isa];
            made.emplace_back(std::size_t(task.instance_words(source, {level})));
            words scratch(std::size_t(task.generate_scratch_words(source, {level})) + 16);
            task.generate(source, {level}, made.back().data(), scratch.data());
            EXPECT_EQ(made.back(), made.front()) << instruction_sets()[std::size_t(isa)] << " level " << level;
        }
    }
}

TEST_P(generate_properties, generated_instances_pass_their_own_check_and_survive_json) {
    instance_batch const batch = cpu_engine().generate(many_specs(GetParam()));
    task_text const& text = *registry()[std::size_t(GetParam())].text;
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        auto const row = batch.blocks.row(r);
        EXPECT_NO_THROW(cpu_engine().check(GetParam(), row)) << "row " << r;
        std::string const form = write_instance(text, {row.data(), std::int64_t(row.size())});
        words const back = read_instance(text, form);
        EXPECT_TRUE(std::equal(row.begin(), row.end(), back.begin(), back.end())) << "row " << r;
    }
}

TEST_P(generate_properties, the_scale_never_gets_smaller) {
    std::size_t last = 0;
    for (std::int32_t d : {0, 5, 10, 15, 20, 30, 40}) {
        instance_batch const batch = instances_of(GetParam(), difficulty::scale(d), 40);
        EXPECT_GE(batch.blocks.words.size() * 10, last * 9) << "d" << d;
        last = batch.blocks.words.size();
    }
}

TEST_P(generate_properties, an_instance_of_the_wrong_length_is_refused) {
    std::mt19937_64 random(5);
    instance_batch const batch = small_instances(GetParam(), 2);
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        words const good(batch.blocks.row(r).begin(), batch.blocks.row(r).end());
        for (std::size_t cut = 0; cut < std::min<std::size_t>(good.size(), 12); ++cut) {
            words const shorter(good.begin(), good.begin() + std::ptrdiff_t(cut));
            EXPECT_THROW(cpu_engine().check(GetParam(), shorter), field_error) << "cut to " << cut;
        }
        words longer = good;
        longer.push_back(0);
        EXPECT_THROW(cpu_engine().check(GetParam(), longer), field_error);
        words headless = good;
        headless[0] = -5;
        EXPECT_THROW(cpu_engine().check(GetParam(), headless), field_error);
    }
}

/// The union of two instances' bits, which keeps what both have: sizes, and the symmetry of a matrix. Empty when their
/// lengths differ.
words united(std::span<std::int32_t const> a, std::span<std::int32_t const> b) {
    words block;
    for (std::size_t i = 0; a.size() == b.size() && i < a.size(); ++i) {
        block.push_back(a[i] | b[i]);
    }
    return block;
}

/// A copy with one to three plausible wrong words.
words damaged(std::span<std::int32_t const> good, std::mt19937_64& random) {
    constexpr std::int32_t odd[] = {-1, 0, 1, 2, 63, 64, 65, 1'000'000, INT32_MAX, INT32_MIN};
    words block(good.begin(), good.end());
    for (std::uint64_t times = 1 + random() % 3; times > 0; --times) {
        std::int32_t& word = block[random() % block.size()];
        std::uint32_t const flipped = std::uint32_t(word) ^ (1u << (random() % 32));
        std::int32_t const values[] = {odd[random() % std::size(odd)], block[random() % block.size()],
                                       std::int32_t(random() % 256), std::int32_t(flipped)};
        word = values[random() % std::size(values)];
    }
    return block;
}

/// A copy with two words exchanged: the only damage that leaves an order of labels valid.
words exchanged(std::span<std::int32_t const> good, std::mt19937_64& random) {
    words block(good.begin(), good.end());
    std::swap(block[random() % block.size()], block[random() % block.size()]);
    return block;
}

TEST_P(generate_properties, a_damaged_instance_is_refused_or_stays_harmless) {
    std::mt19937_64 random(6);
    task_text const& text = *registry()[std::size_t(GetParam())].text;
    instance_batch const batch = small_instances(GetParam(), 4);
    std::int64_t refused = 0;
    std::int64_t accepted = 0;
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        std::mt19937_64 last_draws{std::uint64_t(r)};
        for (int trial = 0; trial <= repeats(30); ++trial) {
            bool const last = trial == repeats(30);
            words const block = trial == 0 ? united(batch.blocks.row(r), batch.blocks.row(r ^ 1))
                                : last     ? exchanged(batch.blocks.row(r), last_draws)
                                           : damaged(batch.blocks.row(r), random);
            try {
                cpu_engine().check(GetParam(), block);
            } catch (field_error const&) {
                ++refused;
                continue;
            }
            accepted += std::equal(block.begin(), block.end(), batch.blocks.row(r).begin()) ? 0 : 1;
            EXPECT_EQ(read_instance(text, write_instance(text, {block.data(), std::int64_t(block.size())})), block);
            instance_batch one;
            one.append(GetParam(), block);
            csr_words answers;
            for (words const& answer : answers_for(GetParam(), block, 8, last ? last_draws : random)) {
                answers.append(answer);
            }
            std::vector<std::int32_t> const of(std::size_t(answers.rows()), 0);
            solved_batch const solved = cpu_engine().solve(one.view(), 50);
            for (verdict const& found : cpu_engine().verify(one.view(), answers.view(), of)) {
                EXPECT_GE(found.violation_max, 1);
                EXPECT_LE(found.violation, found.violation_max);
                EXPECT_EQ(found.violation == 0, found.feasible());
                EXPECT_FALSE(found.feasible() && solved.rows[0].status == baseline_status::infeasible);
            }
        }
    }
    EXPECT_GT(refused, 0);
    if (!abilities_of(GetParam()).computes) {  // else its stored answer is no longer right
        EXPECT_GT(accepted, 0);
    }
    RecordProperty("accepted", int(accepted));
}

/// A number of a form, and its place.
using number_at = std::pair<std::size_t, std::string>;

std::vector<number_at> numbers_of(std::string const& form) {
    constexpr char const* digits = "-0123456789";
    std::vector<number_at> numbers;
    for (std::size_t at = form.find_first_of(digits); at != std::string::npos; at = form.find_first_of(digits, at)) {
        std::size_t const end = std::min(form.find_first_not_of(digits, at), form.size());
        at -= form[at - 1] == '-' ? 1 : 0;  // a form begins with {
        numbers.emplace_back(at, form.substr(at, end - at));
        at = end;
    }
    return numbers;
}

/// The text with two of its numbers exchanged.
std::string transposed(std::string form, std::mt19937_64& random) {
    std::vector<number_at> const numbers = numbers_of(form);
    std::size_t const a = random() % numbers.size(), b = random() % numbers.size();
    number_at const &first = numbers[std::min(a, b)], &second = numbers[std::max(a, b)];
    form.replace(second.first, second.second.size(), first.second);
    return form.replace(first.first, first.second.size(), second.second);
}

/// The text with one of its numbers, in one place or in all, replaced by another of them or an odd one.
std::string misspelt(std::string const& form, std::mt19937_64& random) {
    constexpr char const* odd[] = {"-1", "0", "1", "7", "1000001", "2147483648", "1.5", "18446744073709551615", "[]"};
    std::vector<number_at> const numbers = numbers_of(form);
    auto const& [place, number] = numbers[random() % numbers.size()];
    std::string const value = random() % 2 == 0 ? numbers[random() % numbers.size()].second : odd[random() % 9];
    bool const everywhere = random() % 2 == 0;
    std::string text;
    std::size_t copied = 0;
    for (auto const& [at, own] : numbers) {
        if (at == place || (everywhere && own == number)) {
            text += form.substr(copied, at - copied) + value;
            copied = at + own.size();
        }
    }
    return text + form.substr(copied);
}

TEST_P(generate_properties, json_that_is_accepted_passes_the_entry_check) {
    std::mt19937_64 random(8);
    task_text const& text = *registry()[std::size_t(GetParam())].text;
    instance_batch const batch = small_instances(GetParam(), 4);
    std::int64_t refused = 0;
    std::int64_t changed = 0;
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        auto const row = batch.blocks.row(r);
        std::string const form = write_instance(text, {row.data(), std::int64_t(row.size())});
        std::mt19937_64 last_draws{std::uint64_t(r)};
        for (int trial = 0; trial <= repeats(30); ++trial) {
            std::string const other = trial == repeats(30) ? transposed(form, last_draws) : misspelt(form, random);
            SCOPED_TRACE(other);
            try {
                words const block = read_instance(text, other);
                EXPECT_NO_THROW(cpu_engine().check(GetParam(), block));
                changed += std::equal(row.begin(), row.end(), block.begin(), block.end()) ? 0 : 1;
            } catch (field_error const&) {
                ++refused;
            }
        }
    }
    EXPECT_GT(refused, 0);
    EXPECT_GT(changed, 0);
}

TEST_P(generate_properties, every_prompt_style_is_its_own_text_and_repeats) {
    instance_batch const batch = small_instances(GetParam(), 1);
    std::int32_t const styles = cpu_engine().tasks()[std::size_t(GetParam())].styles;
    EXPECT_GE(styles, 3) << "two to train on and one kept for evaluation";
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        std::set<std::string> prompts;
        for (std::int32_t style = 0; style < styles; ++style) {
            std::string const prompt = prompt_text(GetParam(), batch.blocks.row(r), style, format_named("forge"));
            EXPECT_EQ(prompt, prompt_text(GetParam(), batch.blocks.row(r), style, format_named("forge")));
            EXPECT_NE(prompt.find("<answer>"), std::string::npos);
            prompts.insert(prompt);
        }
        EXPECT_EQ(prompts.size(), std::size_t(styles));
    }
    EXPECT_THROW(static_cast<void>(cpu_engine().prompt(GetParam(), batch.blocks.row(0), styles, format_named("forge"))),
                 error);
}

TEST_P(generate_properties, a_task_that_is_not_direct_is_refused_with_what_to_do) {
    instance_batch const batch = small_instances(GetParam(), 1);
    task_info const& info = cpu_engine().tasks()[std::size_t(GetParam())];
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        try {
            static_cast<void>(cpu_engine().prompt(GetParam(), batch.blocks.row(r), 0, format_named("forge")));
            EXPECT_TRUE(info.direct);
        } catch (error const& refused) {
            EXPECT_FALSE(info.direct);
            EXPECT_EQ(refused.code(), status::invalid_argument);
            EXPECT_NE(std::string(refused.what()).find("--candidate program"), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace optgap::testing
