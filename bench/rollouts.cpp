#include "bench/rollouts.hpp"

#include <algorithm>

#include "kernels/core/words.hpp"
#include "kernels/text/number_text.hpp"
#include "optgap/task_choice.hpp"

namespace optgap::bench {

namespace {

std::size_t below(std::mt19937_64& random, std::size_t count) { return std::size_t(random() % count); }

/// Swaps, drops, repeats or replaces values of a list or of a list of lists: the more the higher k.
void perturb(std::vector<std::int32_t>& block, std::int64_t k, std::mt19937_64& random) {
    std::size_t const first = 1 + std::size_t(std::max(block[0], 0));
    std::size_t const values = block.size() - first;
    if (values < 2) {
        return;
    }
    auto const any = [&]() -> std::int32_t& { return block[first + below(random, values)]; };
    for (std::int64_t times = (k + 2) / 3; times > 0; --times) {
        std::swap(any(), any());
    }
    if (k % 5 == 4) {
        any() = any();
    }
    if (k % 7 == 6 && first == 1) {
        block.pop_back();
    }
}

constexpr char const* thoughts[] = {
    "Let me try a different order and compare the totals. ",
    "If we take this one first, the sum becomes larger than before, so it is not better. ",
    "Wait, I should double-check that no element is used twice. ",
    "The cost from here is smaller, since 17 < 25 and 25 < 31. ",
    "So far the best candidate has been [3, 7, 1, 12], but (4, 9) might improve it. ",
    "That leaves us with a difference of -4, which means x = 12 works. ",
    "Hmm, comparing a<b and c<d shows both choices are close.\n",
    "Now consider the remaining ones: 5, 8, 13, 21 and 34.\n\n",
};

}  // namespace

csr_words perturbed_answers(engine const& by, instance_view instances, csr_words const& best, std::uint64_t seed) {
    csr_words const noisy = by.noisy_greedy(instances, group_size, seed);
    csr_words rows;
    for (std::int64_t i = 0; i < instances.blocks.rows; ++i) {
        std::mt19937_64 random(seed * 1'000'003 + std::uint64_t(i));
        for (std::int64_t k = 0; k < group_size; ++k) {
            auto const careless = noisy.row(i * group_size + k);
            auto const source = k % 2 == 1 && !careless.empty() ? careless : best.row(i);
            std::vector<std::int32_t> block(source.begin(), source.end());
            if (k > 1 && !block.empty() && block[0] != answer_word) {
                perturb(block, k, random);
            }
            rows.append(block);
        }
    }
    return rows;
}

std::string completion(std::string const& answer, std::int64_t bytes, std::mt19937_64& random) {
    std::string text = "<think>\n";
    std::int64_t const reasoning = bytes - std::int64_t(answer.size()) - 48;
    do {  // a format may require some, however long the answer is
        text += thoughts[below(random, std::size(thoughts))];
    } while (std::int64_t(text.size()) < reasoning);
    return text + "\n</think>\n\n<answer>" + answer + "</answer>";
}

grade_request step::request() const {
    return {.instances = instances.view(), .baselines = solved.rows, .texts = views, .instance_of = instance_of};
}

std::vector<instance_spec> step_specs(engine const& by, difficulty level, std::int64_t groups,
                                      std::span<std::int32_t const> named) {
    std::vector<std::int32_t> direct = choose_direct_tasks("all", by.tasks());
    if (!named.empty()) {
        std::erase_if(direct, [&](std::int32_t task) { return std::ranges::find(named, task) == named.end(); });
    }
    if (direct.empty()) {
        throw error(status::invalid_argument, not_direct(by.tasks()[std::size_t(named[0])].name));
    }
    auto const tasks = std::int64_t(direct.size());
    std::vector<instance_spec> specs;
    for (std::int64_t g = 0; g < groups; ++g) {
        specs.push_back({direct[std::size_t(g % tasks)], level, split::test, std::uint64_t(g / tasks)});
    }
    return specs;
}

step make_step(engine const& by, difficulty level, std::int64_t groups, std::int64_t text_bytes,
               std::span<std::int32_t const> tasks) {
    step made;
    std::vector<instance_spec> const specs = step_specs(by, level, groups, tasks);
    made.instances = by.generate(specs);
    made.solved = by.solve(made.instances.view(), -1, by.planted(specs).view());
    made.answers = perturbed_answers(by, made.instances.view(), made.solved.answers, 2);
    std::mt19937_64 random(3);
    for (std::int64_t r = 0; r < made.answers.rows(); ++r) {
        made.texts.push_back(completion(answer_text(made.answers.row(r)), text_bytes, random));
        made.bytes += double(made.texts.back().size());
        made.instance_of.push_back(std::int32_t(r / group_size));
        made.task_of.push_back(made.instances.task[std::size_t(r / group_size)]);
    }
    made.views.assign(made.texts.begin(), made.texts.end());
    return made;
}

}  // namespace optgap::bench
