#pragma once
// Measures count something in a text, or in a part of it. A measure is an integer, or a share of another.

#include <span>
#include <string_view>

#include "host/rubric/checks/forms.hpp"
#include "host/rubric/checks/types.hpp"

namespace optgap::rubrics {

struct measure_input {
    text_pass const& text;
    text_forms& forms;
    std::string_view prompt;
    std::span<argument_value const> given;  ///< in the order of the measure's options
    sentence_rule sentences = sentence_rule::plain;

    std::string_view raw() const { return text.text; }
    argument_value const& option(std::size_t k) const { return given[k]; }
};

/// The value, and the whole that it is a share of; 0: no share.
struct measured {
    std::int64_t value = 0;
    std::int64_t of = 0;
};

using measure_function = measured (*)(measure_input const&);

struct measure_option {
    char const* name = nullptr;
    argument_kind kind = argument_kind::integer;
    bool required = false;
    std::int64_t number = 0;        ///< the default of an integer
    char const* text = "";          ///< the default of a text
    char const* choices = nullptr;  ///< the allowed texts, separated by blanks; null: any
};

struct measure {
    char const* name;
    char const* family;
    bool yes_no;  ///< 1 or 0: without a bound it must be 1
    measure_option options[4];
    measure_function rule;
    char const* prose;
    char const* share;  ///< the whole of its ratio; null: it has no ratio
};

std::span<measure const> size_measures();
std::span<measure const> markdown_measures();
std::span<measure const> word_measures();
std::span<measure const> mark_measures();
std::span<measure const> structure_measures();

std::span<std::span<measure const> const> measure_families();
measure const* find_measure(std::string_view name);

}  // namespace optgap::rubrics
