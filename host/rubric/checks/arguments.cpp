#include "host/rubric/checks/arguments.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/rubric/checks/python_text.hpp"
#include "optgap/status.hpp"

namespace optgap::rubrics {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t longest_argument = 1 << 16;  ///< bytes of a text
constexpr std::size_t longest_list = 4096;
constexpr std::size_t longest_table = 200000;  ///< entries of a user's table
constexpr std::int64_t largest_number = 1'000'000'000;

[[noreturn]] void refuse_argument(std::string const& where, json const& value, char const* wanted) {
    std::string shown = value.dump(-1, ' ', false, json::error_handler_t::replace);
    if (shown.size() > 60) {
        shown = shown.substr(0, 57) + "...";
    }
    misuse(where + ": " + shown + " is not " + wanted);
}

std::int64_t read_integer(json const& value, std::string const& where, std::int64_t least) {
    char const* const wanted = least > 0 ? "an integer of 1 or more" : "an integer of 0 or more";
    // Published rows have 3.0 for 3.
    if (!value.is_number() || value.get<double>() < double(least) || value.get<double>() > double(largest_number)) {
        refuse_argument(where, value, wanted);
    }
    auto const number = value.is_number_integer() ? value.get<std::int64_t>() : std::int64_t(value.get<double>());
    if (double(number) != value.get<double>()) {
        refuse_argument(where, value, wanted);
    }
    return number;
}

std::string read_text(json const& value, std::string const& where) {
    if (!value.is_string() || value.get_ref<std::string const&>().empty()) {
        refuse_argument(where, value, "a text with something in it");
    }
    std::string text = value.get<std::string>();
    if (text.size() > longest_argument) {
        misuse(where + ": " + std::to_string(text.size()) + " bytes; a text has at most " +
               std::to_string(longest_argument));
    }
    return text;
}

std::vector<std::string> read_texts(json const& value, std::string const& where, std::size_t most) {
    if (!value.is_array() || value.empty() || value.size() > most) {
        refuse_argument(where, value, "a list of texts with something in it");
    }
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < value.size(); ++k) {
        texts.push_back(read_text(value[k], where + "[" + std::to_string(k) + "]"));
    }
    return texts;
}

/// A user's words, lower-cased and sorted for binary search.
std::vector<std::string> read_words(json const& value, std::string const& where) {
    std::vector<std::string> words = read_texts(value, where, longest_table);
    std::transform(words.begin(), words.end(), words.begin(), [](std::string const& word) { return lowered(word); });
    std::sort(words.begin(), words.end());
    return words;
}

std::shared_ptr<std::vector<word_table> const> tables_of(std::span<std::vector<std::string> const> lists) {
    std::vector<word_table> tables;
    for (std::vector<std::string> const& one : lists) {
        tables.emplace_back(one);
    }
    return std::make_shared<std::vector<word_table> const>(std::move(tables));
}

pattern_rules rules_of(argument_kind kind, check_mode mode) {
    if (mode == check_mode::strict) {
        return {.boundaries = boundary_rule::whole};
    }
    switch (kind) {
        case argument_kind::bounded: return {.expression = true, .boundaries = boundary_rule::expression};
        case argument_kind::word: return {.boundaries = boundary_rule::expression};
        default: return {.expression = true};
    }
}

}  // namespace

argument_value read_argument(json const& value, argument_kind kind, std::string const& where, check_mode mode) {
    argument_value read;
    switch (kind) {
        case argument_kind::integer: read.number = read_integer(value, where, 0); break;
        case argument_kind::positive: read.number = read_integer(value, where, 1); break;
        case argument_kind::text: read.text = read_text(value, where); break;
        case argument_kind::texts: read.list = read_texts(value, where, longest_list); break;
        case argument_kind::keyword:
        case argument_kind::word: {
            read.text = read_text(value, where);
            std::string_view const keyword = trimmed(read.text);
            if (keyword.empty()) {
                refuse_argument(where, value, "a text that is not blank");
            }
            read.patterns.emplace_back(keyword, rules_of(kind, mode), where);
            break;
        }
        case argument_kind::keywords:
        case argument_kind::bounded:
            read.list = read_texts(value, where, longest_list);
            for (std::string const& keyword : read.list) {
                read.patterns.emplace_back(keyword, rules_of(kind, mode), where);
            }
            break;
        case argument_kind::relation:
            if (value != "less than" && value != "at least") {
                refuse_argument(where, value, "one of less than, at least");
            }
            read.at_least = value == "at least";
            break;
        case argument_kind::words:
            read.list = read_words(value, where);
            read.tables = tables_of({&read.list, 1});
            break;
        case argument_kind::counts:
            if (!value.is_object() || value.empty() || value.size() > longest_table) {
                refuse_argument(where, value, "an object of word: number");
            }
            for (auto const& [word, count] : value.items()) {
                read.counts[lowered(word)] = read_integer(count, where + "." + word, 0);
            }
            break;
        case argument_kind::lists:
            if (!value.is_object() || value.empty() || value.size() > longest_list) {
                refuse_argument(where, value, "an object of name: list of words");
            }
            for (auto const& [name, list] : value.items()) {
                read.lists[name] = read_words(list, where + "." + name);
            }
            {
                std::vector<std::vector<std::string>> lists;
                for (auto const& [name, list] : read.lists) {
                    lists.push_back(list);
                }
                read.tables = tables_of(lists);
            }
            break;
    }
    return read;
}

}  // namespace optgap::rubrics
