#pragma once
// A rubric as data: the content of its JSON with every default filled in. Host only.

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "host/rubric/checks.hpp"
#include "kernels/rubric/keywords.hpp"
#include "optgap/rubrics/rubric.hpp"

namespace optgap::rubrics {

using json = nlohmann::ordered_json;

inline constexpr std::int64_t micro = 1'000'000;  ///< weights are decimals of six places, kept as integers

enum class text_part : std::uint8_t {
    all,             ///< the text as given
    answer,          ///< the answer part of the row's format, or everything after the reasoning
    outside_fences,  ///< the answer without fenced code, HTML comments and link targets
};
enum class word_stems : std::uint8_t { none, english };  ///< how words are reduced before they are matched

/// How a text is read for content.
struct text_settings {
    text_part part = text_part::outside_fences;
    fold_rule fold = fold_rule::simple;
    normal_form normal = normal_form::none;
    bool typography = true;
    keyword_boundary boundary = keyword_boundary::automatic;
    bool strip = true;  ///< drops hidden characters, makes white space one blank, never matches words of mixed scripts
    word_stems stem = word_stems::none;
    bool operator==(text_settings const&) const = default;
};

/// A keyword of a sequence: its index in the list, or the matched text where Python's lower case gives a form that no
/// keyword has.
using sequence_item = std::variant<std::int32_t, std::string>;

struct reference_data {
    std::vector<std::vector<std::string>> keywords;  ///< surface forms of each keyword
    std::vector<sequence_item> sequence;
    bool has_sequence = false;
    std::int32_t of = 0;      ///< the reference text that this stands for
    std::int64_t words = -1;  ///< words in that text; -1: not given
};

struct point_data {
    std::string name;
    std::int64_t weight = micro;
    std::vector<reference_data> references;
};

struct check_data {
    json value;  ///< without `weight` and `name`
    std::string name;
    std::int64_t weight = micro;
};

struct rubric_data {
    preset which = preset::ours;
    text_settings text;
    content_measure measure = content_measure::lcs;
    std::vector<point_data> points;
    std::vector<check_data> style;
    check_rules rules;
    bool has_gate[std::size_t(gate::count)] = {};
    std::int64_t content_weight = 0, style_weight = 0, divide = micro;
    double grid = 0;
    std::vector<std::string> references;  ///< texts; may be empty
    std::string prompt;
    /// The references' own values in thousandths: the lowest repetition, the highest of the others. -1: not given.
    std::int64_t own_repetition = -1, own_copy = -1, own_hidden = -1;
    std::vector<std::pair<std::string, double>> floors;
    bool hackable = false;

    [[nodiscard]] bool gated(gate one) const { return has_gate[std::size_t(one)]; }
    /// reward_chain::needs_prompt.
    [[nodiscard]] bool needs_prompt() const {
        return gated(gate::copy) && prompt.empty() && std::count(std::begin(has_gate), std::end(has_gate), false) > 0;
    }
    /// Whether the rubric is scored by optgap's own arithmetic, with its own settings.
    [[nodiscard]] bool open() const { return which == preset::ours; }
};

/// Sets what a preset fixes, for a rubric with content, style or both.
void apply_preset(rubric_data& rubric);

/// Reads a rubric. Throws field_error. Sequences made for another preset are dropped where a reference can give them
/// again, and refused otherwise.
rubric_data read_rubric(std::string_view text, std::optional<preset> as);

/// Writes the rubric as JSON, in one order and with every field. It reads back to the same rubric.
std::string write_rubric(rubric_data const& rubric, bool texts, bool measured);

/// Reads "0.25" as 250000; throws field_error for more than six decimal places.
std::int64_t read_micro(json const& value, std::string const& field, std::int64_t least);
/// Writes the shortest decimal.
json micro_json(std::int64_t value);

}  // namespace optgap::rubrics
