#include <iterator>
#include <string>

#include "host/rubric/rubric_data.hpp"
#include "optgap/status.hpp"

namespace optgap::rubrics {
namespace {

constexpr char const* all_preset_names[] = {"paper",      "repo",     "ours",       "found",  "one_reference",
                                            "no_content", "no_style", "no_weights", "random", "bleu"};
constexpr char const* all_gate_names[] = {"density", "length", "repetition", "copy", "hidden"};

}  // namespace

std::span<char const* const> preset_names() { return all_preset_names; }

preset preset_named(std::string_view name) {
    std::string known;
    for (std::size_t i = 0; i < std::size(all_preset_names); ++i) {
        if (name == all_preset_names[i]) {
            return preset(i);
        }
        known += (i == 0 ? "" : ", ") + std::string(all_preset_names[i]);
    }
    misuse("rubric preset '" + std::string(name.substr(0, 60)) + "' is unknown, expected one of: " + known);
}

char const* name_of(preset which) { return all_preset_names[std::size_t(which)]; }
char const* name_of(gate which) { return all_gate_names[std::size_t(which)]; }

void apply_preset(rubric_data& rubric) {
    bool const content = !rubric.points.empty();
    bool const style = !rubric.style.empty();
    if (rubric.open()) {
        rubric.text = {};
        rubric.content_weight = content ? micro : 0;
        rubric.style_weight = style ? micro : 0;
        rubric.divide = std::max<std::int64_t>(micro, rubric.content_weight + rubric.style_weight);
        rubric.grid = 1.0 / 4096;
        for (bool& on : rubric.has_gate) {
            on = content;
        }
        return;
    }
    // The authors' function searches the unchanged completion by a regular expression with IGNORECASE between \w
    // guards.
    rubric.text = {.part = text_part::all,
                   .fold = fold_rule::python,
                   .normal = normal_form::none,
                   .typography = false,
                   .boundary = keyword_boundary::word,
                   .strip = false};
    rubric.measure = rubric.which == preset::found ? content_measure::found : content_measure::lcs;
    rubric.content_weight = rubric.which == preset::no_content ? 0 : micro;
    rubric.style_weight = rubric.which == preset::no_style ? 0 : micro;
    bool const both = rubric.content_weight > 0 && rubric.style_weight > 0;
    rubric.divide = both && rubric.which != preset::repo ? 2 * micro : micro;
    rubric.grid = 0;
    for (bool& on : rubric.has_gate) {
        on = false;
    }
}

}  // namespace optgap::rubrics
