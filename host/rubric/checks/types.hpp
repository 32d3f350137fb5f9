#pragma once
// Instruction types: the named checks of IFEval, IFBench and IF-RLVR, each in two forms (docs/checks.md).

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/rubric/checks/forms.hpp"
#include "host/rubric/checks/pattern.hpp"
#include "host/rubric/checks/word_table.hpp"
#include "host/rubric/text.hpp"

namespace optgap::rubrics {

enum class argument_kind : std::uint8_t {
    integer,   ///< at least 0
    positive,  ///< at least 1
    text,      ///< not empty
    texts,     ///< a list of these
    keyword,   ///< an expression in the peer form, a literal between word boundaries in the strict one
    keywords,  ///< a list of these
    bounded,   ///< a list of expressions between \b in the peer form, of whole words in the strict one
    word,      ///< a literal, between \b in the peer form, as a whole word in the strict one
    relation,  ///< "less than" or "at least"
    words,     ///< the user's table: a list of words
    counts,    ///< the user's table: word to number
    lists,     ///< the user's table: name to list of words
};

struct argument_spec {
    char const* name = nullptr;
    argument_kind kind = argument_kind::integer;
};

struct argument_value {
    std::int64_t number = 0;
    bool at_least = false;
    std::string text;
    std::vector<std::string> list;
    std::vector<pattern> patterns;
    std::map<std::string, std::int64_t, std::less<>> counts;
    std::map<std::string, std::vector<std::string>, std::less<>> lists;
    std::shared_ptr<std::vector<word_table> const> tables;  ///< of the list, or of each of the lists in their order
};

inline constexpr int max_arguments = 5;

/// The input of a rule.
struct type_input {
    text_pass const& text;
    text_forms& forms;
    std::string_view prompt;
    std::span<argument_value const> given;
    sentence_rule sentences = sentence_rule::plain;
    bool strict = true;

    std::string_view raw() const { return text.text; }
    std::int64_t number(std::size_t k) const { return given[k].number; }
    std::string const& argument(std::size_t k) const { return given[k].text; }
    std::int64_t words() const { return strict ? forms.spaced().counts.words : text.counts.words; }
    /// For rules that forbid something or set an upper bound: the strict form needs some text to judge.
    bool enough(std::int64_t least = 5) const { return !strict || words() >= least; }
    std::string_view sentence(std::size_t k) const { return text.of(text.sentences()[k]); }
    std::size_t sentence_count() const { return text.sentences().size(); }
    /// In the strict form: at least this many sentences of two words each.
    bool full_sentences(std::size_t least) const;
};

struct type_answer {
    bool passed = false;
    std::int64_t value = -1;  ///< what was counted; −1 where the rule counts nothing
    type_answer(bool passes) : passed(passes) {}
    type_answer(bool passes, std::int64_t counted) : passed(passes), value(counted) {}
};

using type_rule = type_answer (*)(type_input const&);

struct instruction_type {
    char const* name;
    char evidence;  ///< E exact, S exact given sentences and tokens, D with a table, Q a fixed question
    argument_spec arguments[max_arguments];
    type_rule rule;
    char const* peer;    ///< the condition to pass, as published
    char const* strict;  ///< what the strict form requires in addition
    /// The strict form is a rule about words between blanks, so it sees the text spaced (text_forms::spaced).
    bool by_words = false;
};

struct type_suite {
    char const* name;
    std::span<instruction_type const> types;
};

std::span<instruction_type const> ifeval_word_types();
std::span<instruction_type const> ifeval_format_types();
std::span<instruction_type const> ifbench_count_types();
std::span<instruction_type const> ifbench_word_types();
std::span<instruction_type const> ifbench_place_types();
std::span<instruction_type const> ifbench_format_types();
std::span<instruction_type const> ifbench_list_types();
std::span<instruction_type const> ifbench_custom_types();
std::span<instruction_type const> if_rlvr_types();
std::span<instruction_type const> if_rlvr_word_types();

/// Every type, by suite.
std::span<type_suite const> instruction_suites();
/// Returns null for an unknown name.
instruction_type const* find_type(std::string_view name);

/// The relation of the published data: at least, else less than.
inline bool holds(bool at_least, std::int64_t value, std::int64_t bound) {
    return at_least ? value >= bound : value < bound;
}

}  // namespace optgap::rubrics
