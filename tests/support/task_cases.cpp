#include "tests/support/task_cases.hpp"

#include "tests/support/sample.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace optgap::testing {

namespace {

std::int32_t pick(std::mt19937_64& random, std::int64_t below) {
    return std::int32_t(random() % std::uint64_t(std::max<std::int64_t>(1, below)));
}

using row_list = std::vector<std::span<std::int32_t const>>;

/// The rows of a list of lists, within the block; a flat list is one row.
row_list rows_of(words const& block) {
    answer_view const all = view_answer({block.data(), std::int64_t(block.size())});
    row_list rows;
    std::int32_t const* next = all.values;
    for (std::int32_t r = 0; r < all.row_count(); ++r) {
        rows.emplace_back(next, next + all.row_lengths[r]);
        next += all.row_lengths[r];
    }
    if (all.is_flat()) {
        rows.emplace_back(next, next + all.count);
    }
    return rows;
}

words block_of(row_list const& rows) {
    words block{std::int32_t(rows.size())};
    for (auto const& row : rows) {
        block.push_back(std::int32_t(row.size()));
    }
    for (auto const& row : rows) {
        block.insert(block.end(), row.begin(), row.end());
    }
    return block;
}

/// Removes an item, inserts `fresh`, repeats the first item or the whole list, or cuts off its end.
template <class Item>
void change_length(std::vector<Item>& list, Item const& fresh, std::mt19937_64& random) {
    auto const at = std::ptrdiff_t(pick(random, std::int64_t(list.size())));
    switch (pick(random, 5)) {
        case 0:
            if (!list.empty())
                list.erase(list.begin() + at);
            return;
        case 1: list.insert(list.begin() + at, fresh); return;
        case 2:
            if (!list.empty())
                list.push_back(Item(list.front()));
            return;
        case 3:
            if (!list.empty())
                list.insert(list.begin() + at, Item(list[std::size_t(at)]));
            return;
        default: list.resize(std::size_t(at)); return;
    }
}

/// Changes the length of the list, of one of its rows, or of the list of rows.
words change_length(words const& block, std::mt19937_64& random) {
    row_list rows = rows_of(block);
    bool const flat = block[0] == answer_flat;
    words changed;
    if (!flat && (rows.empty() || pick(random, 4) == 0)) {
        changed = {pick(random, 60)};
        change_length(rows, row_list::value_type(changed), random);
        return block_of(rows);
    }
    row_list::value_type& row = rows[std::size_t(pick(random, std::int64_t(rows.size())))];
    changed.assign(row.begin(), row.end());
    change_length(changed, pick(random, 60), random);
    row = changed;
    if (!flat) {
        return block_of(rows);
    }
    changed.insert(changed.begin(), answer_flat);
    return changed;
}

/// One random change to a block, as by a model that makes a mistake or attacks.
words spoil(words block, std::mt19937_64& random) {
    constexpr std::int32_t extremes[] = {std::numeric_limits<std::int32_t>::min(),
                                         std::numeric_limits<std::int32_t>::max(), -1};
    if (block.empty()) {
        block = {answer_flat};
    }
    std::size_t const first = block[0] < 0 ? 1 : 1 + std::size_t(block[0]);
    std::size_t const count = block.size() - std::min(first, block.size());
    auto const any = [&] { return first + std::size_t(pick(random, std::int64_t(count))); };
    switch (pick(random, 9)) {
        case 0:
            if (count > 0)
                block[any()] = pick(random, 80) - 3;
            return block;
        case 1:
            if (count > 0)
                block[any()] = block[any()];
            return block;
        case 2:
            if (count > 1)
                std::swap(block[any()], block[any()]);
            return block;
        case 3:
            if (count > 0)
                block[any()] = extremes[pick(random, 3)];
            return block;
        case 4: {
            words values(block.begin() + std::ptrdiff_t(std::min(first, block.size())), block.end());
            std::int32_t const cut = pick(random, std::int64_t(values.size()) + 1);
            words rows{2, cut, std::int32_t(values.size()) - cut};
            rows.insert(rows.end(), values.begin(), values.end());
            return rows;
        }
        default: return block[0] == answer_word ? block : change_length(block, random);
    }
}

/// The approximate number of words of all spoiled answers of an instance. Answers of thousands of words are spoiled
/// less often, except in the long form.
constexpr std::int64_t words_to_spoil = 60'000;
constexpr std::int64_t min_mutations = 40;

}  // namespace

engine const& cpu_engine() {
    static engine const shared({.where = device::cpu, .threads = 1});
    return shared;
}

instance_batch instances_of(std::int32_t task, difficulty level, std::int64_t count, std::uint64_t first_seed) {
    std::vector<instance_spec> specs;
    for (std::int64_t i = 0; i < count; ++i) {
        specs.push_back({task, level, split::test, first_seed + std::uint64_t(i)});
    }
    return cpu_engine().generate(specs);
}

std::string prompt_text(std::int32_t task, std::span<std::int32_t const> instance, std::int32_t style,
                        format_spec const& format) {
    task_text const& text = *registry()[std::size_t(task)].text;
    if (text.direct) {
        return cpu_engine().prompt(task, instance, style, format);
    }
    return text.prompt({instance.data(), std::int64_t(instance.size())}, style, {}) + "\n\n" +
           format_instructions(format, text.answer_form);
}

instance_batch small_instances(std::int32_t task, std::int64_t count_per_level) {
    instance_batch all;
    for (std::int32_t code : {0, 1, 2, 3, -4}) {
        instance_batch const some = instances_of(task, {code}, count_per_level);
        for (std::int64_t r = 0; r < some.size(); ++r) {
            all.append(task, some.blocks.row(r));
        }
    }
    return all;
}

std::vector<words> answers_for(std::int32_t task, std::span<std::int32_t const> instance, std::int64_t mutations,
                               std::mt19937_64& random) {
    return answers_for(cpu_engine(), task, instance, mutations, random);
}

std::vector<words> answers_for(engine const& by, std::int32_t task, std::span<std::int32_t const> instance,
                               std::int64_t mutations, std::mt19937_64& random) {
    instance_batch one;
    one.append(task, instance);
    csr_words const greedy = by.greedy(one.view());
    solved_batch const solved = by.solve(one.view(), 2000);
    std::vector<words> answers;
    csr_words const noisy = by.noisy_greedy(one.view(), 1, random());
    for (csr_words const* source : {&greedy, &solved.answers, &noisy}) {
        if (!source->row(0).empty()) {
            answers.emplace_back(source->row(0).begin(), source->row(0).end());
        }
    }
    std::size_t const good = answers.size();
    for (words const& answer : answers) {
        std::int64_t const most = std::max(min_mutations, words_to_spoil / std::int64_t(answer.size()));
        mutations = long_form() ? mutations : std::min(mutations, most);
    }
    answers.push_back({answer_flat});
    answers.push_back({0});
    answers.push_back({answer_word, 0});
    answers.push_back({1, 0});
    answers.push_back({2, 1, 1, 0, 1});
    answers.push_back(words(200, 0));
    answers.back()[0] = answer_flat;
    answers.push_back(
        {answer_flat, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()});
    words everything(65);
    std::iota(everything.begin() + 1, everything.end(), 0);
    everything[0] = answer_flat;
    answers.push_back(everything);
    for (std::int64_t m = 0; m < mutations; ++m) {
        words block = good > 0 ? answers[std::size_t(m) % good] : words{answer_flat};
        for (std::int32_t times = 1 + pick(random, 3); times > 0; --times) {
            block = spoil(block, random);
        }
        answers.push_back(block);
    }
    return answers;
}

mixed_answers mixed_answers_for(instance_batch const& instances, std::int64_t mutations, std::size_t longest,
                                std::mt19937_64& random) {
    std::vector<std::pair<std::int32_t, words>> drawn;
    for (std::int64_t i = 0; i < instances.size(); ++i) {
        for (words& answer : answers_for(instances.task[std::size_t(i)], instances.blocks.row(i), mutations, random)) {
            if (answer.size() <= longest) {
                drawn.emplace_back(std::int32_t(i), std::move(answer));
            }
        }
    }
    std::shuffle(drawn.begin(), drawn.end(), random);
    mixed_answers all;
    for (auto const& [instance, answer] : drawn) {
        all.instance_of.push_back(instance);
        all.rows.append(answer);
    }
    return all;
}

csr_words feasible_starts(instance_batch const& instances, solved_batch const& solved) {
    constexpr std::int32_t group = 8;
    csr_words const greedy = cpu_engine().greedy(instances.view());
    csr_words const noisy = cpu_engine().noisy_greedy(instances.view(), group);
    csr_words starts;
    for (std::int64_t r = 0; r < instances.size(); ++r) {
        instance_batch one;
        one.append(instances.task[std::size_t(r)], instances.blocks.row(r));
        auto const feasible = [&](std::span<std::int32_t const> block) {
            csr_words answer;
            answer.append(block);
            return !block.empty() && cpu_engine().verify(one.view(), answer.view())[0].feasible();
        };
        std::span<std::int32_t const> start = greedy.row(r);
        for (std::int32_t k = 0; k < group && !feasible(start); ++k) {
            start = noisy.row(r * group + k);
        }
        starts.append(feasible(start) ? start : solved.answers.row(r));
    }
    return starts;
}

abilities abilities_of(std::int32_t task) { return registry()[std::size_t(task)].text->can; }

std::vector<std::int32_t> all_tasks() {
    std::vector<std::int32_t> tasks(registry().size());
    std::iota(tasks.begin(), tasks.end(), 0);
    return tasks;
}

std::vector<std::int32_t> tasks_that(bool abilities::*can) {
    std::vector<std::int32_t> tasks = all_tasks();
    std::erase_if(tasks, [&](std::int32_t task) { return !(abilities_of(task).*can); });
    return tasks;
}

std::string task_name(::testing::TestParamInfo<std::int32_t> const& info) {
    return registry()[std::size_t(info.param)].name;
}

}  // namespace optgap::testing
