#include "tools/cli/look/hashed_bytes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "host/report/fingerprint.hpp"
#include "host/rows/read/answers.hpp"
#include "tools/cli/make/benchmark_set.hpp"

namespace optgap::cli {
namespace {

constexpr std::int32_t group = 16;  ///< noisy answers of an instance
constexpr std::int64_t forms = 4;   ///< texts of an answer
constexpr std::uint64_t hashed_seed = 1;

/// splitmix64 (Steele, Lea, Flood 2014): which place of a text is spoiled.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

/// The answer in one of its forms.
std::string form_of(std::string answer, std::int64_t form, std::uint64_t chance) {
    switch (form) {
        case 1: {
            std::size_t const digit = answer.find_first_of("0123456789", std::size_t(chance % (answer.size() + 1)));
            if (digit != std::string::npos) {
                answer[digit] = char('0' + (chance >> 32) % 10);
            }
            return answer;
        }
        case 2: {
            std::size_t const comma = answer.rfind(',');
            std::size_t const end = std::min(answer.find(']', std::min(comma, answer.size())), answer.size());
            return comma == std::string::npos ? "[]" : answer.substr(0, comma) + answer.substr(end);
        }
        case 3: return answer.substr(0, std::size_t(chance % (answer.size() + 1)));
        default: return answer;
    }
}

instance_batch instances_of(engine const& by, std::int32_t task) {
    std::vector<instance_spec> specs;
    constexpr std::int64_t each = hashed_verdicts / (4 * group * forms);
    for (difficulty const level :
         {difficulty::easy(), difficulty::medium(), difficulty::hard(), difficulty::benchmark()}) {
        for (std::int64_t k = 0; k < each; ++k) {
            specs.push_back({task, level, split::test, hashed_seed + std::uint64_t(k)});
        }
    }
    return by.generate(specs);
}

}  // namespace

std::string benchmark_hash(context& ctx, std::int32_t task, std::function<void(std::int64_t)> const& step) {
    benchmark_request const wanted{
        .count = hashed_instances, .seed = hashed_seed, .format = &known_formats()[0], .keep_relabelled = true};
    return fingerprint(make_benchmark_set(ctx, task, {&wanted, 1}, step).jsonl);
}

std::string verdicts_hash(context& ctx, std::int32_t task, std::function<void(std::int64_t)> const& step) {
    engine const& by = ctx.get_engine();
    task_info const& info = by.tasks()[std::size_t(task)];
    instance_batch const instances = instances_of(by, task);
    csr_words const answers = by.noisy_greedy(instances.view(), group, hashed_seed);
    std::vector<std::string> texts;
    std::vector<std::int32_t> instance_of;
    for (std::int64_t row = 0; row < answers.rows(); ++row) {
        std::string const answer = answer_json(answers.row(row), info);
        for (std::int64_t form = 0; form < forms; ++form) {
            std::uint64_t const chance = mixed(std::uint64_t(row * forms + form));
            texts.push_back(
                fmt::format("<think>row {}</think><answer>{}</answer>", row, form_of(answer, form, chance)));
            instance_of.push_back(std::int32_t(row / group));
        }
    }
    std::vector<std::string_view> const views(texts.begin(), texts.end());
    answer_batch const parsed = by.parse(views, std::vector<std::int32_t>(views.size(), task), {});
    csr_view const blocks{parsed.words.data(), parsed.offsets.data(), parsed.size()};
    std::vector<verdict> const verdicts = by.verify(instances.view(), blocks, instance_of);
    std::string lines;
    for (std::size_t r = 0; r < verdicts.size(); ++r) {
        verdict const& v = verdicts[r];
        parsed_text const& text = parsed.rows[r];
        lines += fmt::format("{} {} {} {} {} {} {} {}\n", text.format_code, text.answer_code, text.where, v.code,
                             v.where, v.feasible() ? v.objective : 0, v.violation, v.violation_max);
    }
    step(std::int64_t(verdicts.size()));
    return fingerprint(lines);
}

}  // namespace optgap::cli
