#include "tools/cli/look/task_page.hpp"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "kernels/registry/registry.hpp"
#include "kernels/text/layout_json.hpp"
#include "tools/cli/rows/instance_row.hpp"

namespace optgap::cli {
namespace {

words_view view_of(std::span<std::int32_t const> words) { return {words.data(), std::int64_t(words.size())}; }

task_text const& text_of_task(std::int32_t task) { return *registry()[std::size_t(task)].text; }

/// General codes in the verifier's order, then the task's own with the sentence of their verdict.
json verdicts_of(engine const& by, std::int32_t task) {
    task_text const& text = text_of_task(task);
    json out = json::array();
    for (code_rule const* own = text.rules; own != nullptr && own->code != nullptr; ++own) {
        if (own->rule != nullptr) {
            out.push_back({{"code", own->code}, {"rule", own->rule}, {"where", own->where}});
        }
    }
    auto const& codes = by.tasks()[std::size_t(task)].codes;
    for (std::size_t c = 0; text.code_sentences != nullptr && c < codes.size(); ++c) {
        out.push_back({{"code", codes[c]}, {"sentence", text.code_sentences[c]}});
    }
    return out;
}

/// Of twenty instances a level, the least and the most.
json sizes_of(engine const& by, std::int32_t task) {
    constexpr std::pair<char const*, std::int32_t> levels[] = {
        {"easy", -4}, {"medium", -3}, {"hard", -2}, {"benchmark", -1}, {"d0", 0}, {"d20", 20}, {"d57", 57}};
    json out = json::array();
    for (auto const& [name, code] : levels) {
        json row{{"level", name}};
        std::vector<instance_spec> specs;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            specs.push_back({task, {code}, split::train, seed});
        }
        instance_batch const batch = by.generate(specs);
        for (std::int64_t r = 0; r < batch.size(); ++r) {
            auto const words = batch.blocks.row(r);
            json sizes = layout_sizes(text_of_task(task).layout, view_of(words));
            sizes["words"] = words.size();
            if (text_of_task(task).direct) {
                sizes["prompt_chars"] = characters(by.prompt(task, words, 0, format_named("forge")));
            }
            for (auto const& [size, value] : sizes.items()) {
                json& seen = row.emplace(size, json::array({value, value})).first.value();
                seen = {std::min(seen[0], value), std::max(seen[1], value)};
            }
        }
        out.push_back(std::move(row));
    }
    return out;
}

/// What the verifier says of the example, or why its instance is refused.
json shown(engine const& by, std::int32_t task, std::string const& instance, example const& row) {
    task_text const& text = text_of_task(task);
    json out{{"instance", json::parse(instance)}};
    std::vector<std::int32_t> words;
    try {
        words = instance_from_json(text, out["instance"]);
    } catch (field_error const& refused) {
        out["code"] = "refused";
        out["sentence"] = refused.what();
        return out;
    }
    instance_batch posed;
    posed.append(task, words);
    std::vector<std::int32_t> block;
    by.parse_answer(task, row.answer, block);
    csr_words answers;
    answers.append(block);
    verdict const found = by.verify(posed.view(), answers.view())[0];
    out["answer"] = row.answer;
    out["code"] = by.code_name(task, found.code);
    out["objective"] = found.feasible() ? json(found.objective) : json();
    out["violation"] = {found.violation, found.violation_max};
    out["sentence"] = text.explain(view_of(words), view_of(block), found);
    return out;
}

/// The first example's instance, as each style poses it.
json prompts_of(std::int32_t task) {
    task_text const& text = text_of_task(task);
    json out = json::array();
    if (text.examples != nullptr) {
        auto const words = instance_from_json(text, json::parse(text.examples->instance));
        for (std::int32_t style = 0; style < text.styles; ++style) {
            out.push_back(text.prompt(view_of(words), style, {}));
        }
    }
    return out;
}

}  // namespace

json task_page(engine const& by, std::int32_t task) {
    json out;
    out["layout"] = layout_description(text_of_task(task).layout);
    out["verdicts"] = verdicts_of(by, task);
    out["sizes"] = sizes_of(by, task);
    json& examples = out["examples"] = json::array();
    std::string instance;
    for (example const* row = text_of_task(task).examples; row != nullptr && row->instance != nullptr; ++row) {
        instance = *row->instance != 0 ? row->instance : instance;
        examples.push_back(shown(by, task, instance, *row));
    }
    out["prompts"] = prompts_of(task);
    return out;
}

}  // namespace optgap::cli
