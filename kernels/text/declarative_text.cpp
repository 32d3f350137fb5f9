#include "kernels/text/declarative_text.hpp"

#include <functional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "kernels/text/layout_json.hpp"

namespace optgap {
namespace {

/// Replaces each {name} in `text` by what `put` appends for it.
std::string fill(std::string_view text, std::function<void(std::string&, std::string_view)> const& put) {
    std::string out;
    while (!text.empty()) {
        std::size_t const brace = text.find('{');
        out += text.substr(0, brace);
        if (brace == std::string_view::npos) {
            break;
        }
        text.remove_prefix(brace + 1);
        if (text.starts_with('{')) {
            out += '{';
            text.remove_prefix(1);
            continue;
        }
        std::size_t const end = text.find('}');
        put(out, text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return out;
}

[[noreturn]] void refuse(std::string_view name) {
    throw error(status::internal, "a text names {" + std::string(name) + "}, which nothing fills");
}

std::string explain_repeat(std::string_view noun, answer_view const& list, std::int32_t where) {
    std::int32_t first = 0;
    while (list.values[first] != list.values[where]) {
        ++first;
    }
    return "The " + std::string(noun) + " " + std::to_string(list.values[where]) + " (position " +
           std::to_string(where) + ") already stands at position " + std::to_string(first) + ".";
}

}  // namespace

std::string fill_prompt(declarative_text const& says, std::int32_t style, words_view instance,
                        std::span<filler const> of_family) {
    return fill(says.prompts[style], [&](std::string& out, std::string_view name) {
        for (std::span<filler const> const fillers : {std::span<filler const>(says.fillers), of_family}) {
            for (filler const& own : fillers) {
                if (own.name != nullptr && own.name == name) {
                    own.append(out, instance);
                    return;
                }
            }
        }
        refuse(name);
    });
}

std::string explain_declarative(declarative_text const& says, answer_terms const& terms, words_view instance,
                                words_view answer, verdict const& found) {
    answer_view const list = view_answer(answer);
    std::string const shape = std::string(terms.shape) + " is needed.";
    auto const at = [&] { return std::to_string(list.values[found.where]); };
    switch (found.code) {
        case code_ok:
            return "No rule is broken; the " + std::string(says.objective) + " is " + std::to_string(found.objective) +
                   ".";
        case code_unparsable: return "The answer is a word; " + shape;
        case code_bad_depth: return "The list has another depth; " + shape;
        case code_empty: return "The list is empty; " + shape;
        case code_wrong_length: return "The list has another length; " + shape;
        case code_out_of_range:
            return at() + " (position " + std::to_string(found.where) + ") is no " + says.singular + ": the " +
                   says.plural + " are " + std::to_string(terms.low(instance)) + " to " +
                   std::to_string(terms.high(instance)) + ".";
        case code_repeated: return explain_repeat(says.singular, list, found.where);
        default: break;
    }
    return fill(says.sentences[found.code - first_task_code], [&](std::string& out, std::string_view name) {
        out += name == "violation"       ? std::to_string(found.violation)
               : name == "violation_max" ? std::to_string(found.violation_max)
               : name == "where"         ? std::to_string(found.where)
               : name == "value"         ? at()
                                         : (refuse(name), "");
    });
}

std::string layout_text(std::span<field const> layout, words_view instance) {
    return layout_to_json(layout, instance).dump();
}

}  // namespace optgap
