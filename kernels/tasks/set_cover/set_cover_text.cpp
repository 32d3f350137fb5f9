// Prompts and sentences of set_cover.

#include <bit>
#include <string>
#include <vector>

#include "kernels/core/rng.hpp"
#include "kernels/tasks/set_cover/set_cover.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::text::set_cover {
std::string picture(words_view instance, words_view answer);       // set_cover_picture.cpp
std::vector<std::int32_t> read_or_library(std::string_view text);  // set_cover_files.cpp
}  // namespace optgap::text::set_cover

namespace optgap {
namespace {

using tasks::set_cover::cover_view;
using tasks::set_cover::cover_words;
using tasks::set_cover::view_cover;

/// Purpose of the worked example's random words, separate from the generator's.
constexpr std::uint32_t draw_example = 1000;

/// Calls `each` with each element of set j, in rising order.
template <class Each>
void each_element(cover_view sets, std::int32_t j, Each const& each) {
    std::uint32_t const* const row = sets.row(j);
    for (std::int32_t w = 0; w * 32 < sets.u; ++w) {
        for (std::uint32_t bits = row[w]; bits != 0; bits &= bits - 1) {
            each(w * 32 + std::countr_zero(bits));
        }
    }
}

/// Each number with `before` in front of it, except the first one.
class joined_numbers {
public:
    joined_numbers(std::string& text, char const* before) : text_(text), before_(before) {}
    void add(std::int32_t value) {
        text_ += first_ ? "" : before_;
        first_ = false;
        append_integer(text_, value);
    }

private:
    std::string& text_;
    char const* before_;
    bool first_ = true;
};

void append_elements(std::string& text, cover_view sets, std::int32_t j, char const* separator) {
    joined_numbers out(text, separator);
    each_element(sets, j, [&](std::int32_t e) { out.add(e); });
}

void append_sets_of(std::string& text, cover_view sets, std::int32_t e, char const* separator) {
    joined_numbers out(text, separator);
    for (std::int32_t j = 0; j < sets.s; ++j) {
        if (sets.holds(j, e)) {
            out.add(j);
        }
    }
}

struct worked_example {
    std::vector<std::int32_t> words;
    std::vector<std::int32_t> answer;
};

/// Five or six elements, four or five sets whose union is everything, and the optimum that comes first as a number.
worked_example draw_worked_example(draw source) {
    draw_stream stream(source, draw_example);
    std::int32_t const u = stream.uniform(5, 6);
    std::int32_t const s = stream.uniform(4, 5);
    worked_example example{std::vector<std::int32_t>(std::size_t(cover_words(u, s))), {}};
    example.words[0] = u;
    example.words[1] = s;
    std::int32_t* const rows = example.words.data() + 2;
    for (std::int32_t e = 0; e < u; ++e) {
        rows[stream.uniform(0, s - 1)] |= 1 << e;
    }
    for (std::int32_t j = 0; j < s; ++j) {
        rows[j] |= 1 << stream.uniform(0, u - 1);
        rows[j] |= 1 << stream.uniform(0, u - 1);
    }
    std::int32_t fewest = s + 1;
    for (std::int32_t choice = 1; choice < 1 << s; ++choice) {
        std::int32_t covered = 0;
        for (std::int32_t j = 0; j < s; ++j) {
            covered |= (choice >> j) % 2 == 1 ? rows[j] : 0;
        }
        std::int32_t const count = popcount(std::uint64_t(choice));
        if (covered == (1 << u) - 1 && count < fewest) {
            fewest = count;
            example.answer.clear();
            for (std::int32_t j = 0; j < s; ++j) {
                if ((choice >> j) % 2 == 1) {
                    example.answer.push_back(j);
                }
            }
        }
    }
    return example;
}

cover_view view(worked_example const& example) {
    return view_cover({example.words.data(), std::int64_t(example.words.size())});
}

/// "S0 = {0, 3, 5}" lines.
void append_sets(std::string& text, cover_view sets) {
    for (std::int32_t j = 0; j < sets.s; ++j) {
        text += 'S';
        append_integer(text, j);
        text += " = {";
        append_elements(text, sets, j, ", ");
        text += '}';
        if (sets.costs != nullptr) {
            text += ", cost ";
            append_integer(text, sets.costs[j]);
        }
        text += '\n';
    }
}

/// "crew 0: 0 3 5" lines.
void append_crews(std::string& text, cover_view sets) {
    for (std::int32_t j = 0; j < sets.s; ++j) {
        text += "crew ";
        append_integer(text, j);
        text += ':';
        each_element(sets, j, [&text](std::int32_t e) {
            text += ' ';
            append_integer(text, e);
        });
        text += '\n';
    }
}

void tell_as_sets(std::string& text, cover_view sets) {
    text += "Find a minimum set cover. The universe consists of the elements 0 to ";
    append_integer(text, sets.u - 1);
    text += ". Choose as few of the following sets as possible such that every element is in at least one of them.\n\n";
    append_sets(text, sets);
    text +=
        "\nAnswer with the list of the chosen sets' numbers, in any order, each once at most. If even all sets "
        "together miss an element, answer Impossible.\n";
}

void tell_as_crews(std::string& text, cover_view sets, draw source) {
    worked_example const example = draw_worked_example(source);
    text +=
        "A rescue service wants every site in reach of a crew on duty. For each crew, the sites that it reaches are "
        "listed. Put as few crews on duty as possible while every site is reached by at least one of them.\n\n"
        "A small case with the sites 0 to ";
    append_integer(text, view(example).u - 1);
    text += ":\n";
    append_crews(text, view(example));
    text += "There the fewest crews are ";
    append_list(text, example.answer.data(), std::int64_t(example.answer.size()));
    text += ".\n\nThe case to solve has the sites 0 to ";
    append_integer(text, sets.u - 1);
    text += ":\n";
    append_crews(text, sets);
    text +=
        "\nGive the numbers of the crews on duty as a list, no crew twice, or Impossible when a site is out of "
        "every crew's reach.\n";
}

void tell_by_element(std::string& text, cover_view sets) {
    text += "There are ";
    append_integer(text, sets.s);
    text += " sets, numbered 0 to ";
    append_integer(text, sets.s - 1);
    text += ", over ";
    append_integer(text, sets.u);
    text += " elements. For every element, these are the sets that contain it:\n\n";
    for (std::int32_t e = 0; e < sets.u; ++e) {
        text += "element ";
        append_integer(text, e);
        text += ": ";
        append_sets_of(text, sets, e, ", ");
        text += '\n';
    }
    text +=
        "\nSelect the smallest possible number of sets so that each element is contained in a selected set. The answer "
        "is the list of the selected sets' numbers without repetitions. Should an element be in no set at all, the "
        "answer is Impossible.\n";
}

void tell_as_matrix(std::string& text, cover_view sets) {
    text += "The ";
    append_integer(text, sets.s);
    text += " rows below have ";
    append_integer(text, sets.u);
    text +=
        " digits each. Pick rows, as few as you can, so that in every column at least one of the picked rows has a "
        "1. Rows are counted from 0, top to bottom.\n\n";
    for (std::int32_t j = 0; j < sets.s; ++j) {
        for (std::int32_t e = 0; e < sets.u; ++e) {
            text += sets.holds(j, e) ? '1' : '0';
        }
        text += '\n';
    }
    text += "\nList the numbers of the picked rows, each once. If a column has no 1, the answer is Impossible.\n";
}

/// Prompts for sets with costs: all styles but the last one use the same words.
void tell_with_costs(std::string& text, cover_view sets) {
    text += "Find a set cover of least cost. The universe consists of the elements 0 to ";
    append_integer(text, sets.u - 1);
    text +=
        ". Choose from the following sets such that every element is in at least one chosen set and their costs add up "
        "to as little as possible.\n\n";
    append_sets(text, sets);
    text +=
        "\nAnswer with the list of the chosen sets' numbers, in any order, each once at most. If even all sets "
        "together miss an element, answer Impossible.\n";
}

void tell_as_json(std::string& text, cover_view sets) {
    bool const costly = sets.costs != nullptr;
    text += costly ? "{\"problem\": \"set cover of least cost\", \"universe\": "
                   : "{\"problem\": \"minimum set cover\", \"universe\": ";
    append_integer(text, sets.u);
    text += ", \"sets\": [";
    for (std::int32_t j = 0; j < sets.s; ++j) {
        text += j > 0 ? ",[" : "[";
        append_elements(text, sets, j, ",");
        text += ']';
    }
    if (costly) {
        text += "], \"costs\": [";
        joined_numbers costs(text, ",");
        for (std::int32_t j = 0; j < sets.s; ++j) {
            costs.add(sets.costs[j]);
        }
    }
    text += "]}\n\nThe object gives subsets of {0, 1, ..., universe - 1}";
    text += costly
                ? " and the cost of each. Return the zero-based positions of a collection, of least cost together, of "
                : ". Return the zero-based positions of a smallest collection of ";
    text += "distinct subsets whose union is that whole range, or Impossible if there is none.\n";
}

constexpr std::int32_t last_style = 4;
constexpr std::int32_t style_of_costs = -1;

std::string prompt(words_view instance, std::int32_t style, draw source) {
    cover_view const sets = view_cover(instance);
    std::string text;
    bool const costly = sets.costs != nullptr && style < last_style;
    switch (costly ? style_of_costs : style) {
        case style_of_costs: tell_with_costs(text, sets); break;
        case 0: tell_as_sets(text, sets); break;
        case 1: tell_as_crews(text, sets, source); break;
        case 2: tell_by_element(text, sets); break;
        case 3: tell_as_matrix(text, sets); break;
        default: tell_as_json(text, sets); break;
    }
    return text;
}

std::string explain_uncovered(cover_view sets, answer_view list, std::int64_t count) {
    std::int32_t first = 0;
    for (bool covered = true; covered; ++first) {
        covered = false;
        for (std::int64_t i = 0; i < list.count; ++i) {
            covered = covered || sets.holds(list.values[i], first);
        }
    }
    return std::to_string(count) + " of " + std::to_string(sets.u) +
           " elements are in none of the chosen sets, the first of them is element " + std::to_string(first - 1) + ".";
}

std::string explain(words_view instance, words_view answer, verdict const& found) {
    cover_view const sets = view_cover(instance);
    answer_view const list = view_answer(answer);
    auto const culprit = [&] {
        return std::to_string(list.values[found.where]) + " (position " + std::to_string(found.where) + ")";
    };
    switch (found.code) {
        case code_ok:
            return "The " + std::to_string(list.count) + " sets hold all " + std::to_string(sets.u) + " elements" +
                   (sets.costs == nullptr ? "." : " and cost " + std::to_string(found.objective) + ".");
        case code_empty: return "The answer chooses no set, and so covers none of the elements.";
        case code_bad_depth: return "The answer is a list of lists; one flat list of set numbers is needed.";
        case code_out_of_range: return culprit() + " is no set: the sets are 0 to " + std::to_string(sets.s - 1) + ".";
        case code_repeated: {
            std::int64_t first = 0;
            while (list.values[first] != list.values[found.where]) {
                ++first;
            }
            return "Set " + culprit() + " already stands at position " + std::to_string(first) + ".";
        }
        case tasks::set_cover::task::code_uncovered: return explain_uncovered(sets, list, found.violation);
        default: return "The answer breaks a rule of its format.";
    }
}

constexpr char const* words[] = {"impossible", nullptr};
constexpr file_format files[] = {
    {".scp", text::set_cover::read_or_library}, {".txt", text::set_cover::read_or_library}, {nullptr, nullptr}};
constexpr symmetry relabels{
    .axes = {{.name = "set"}, {.name = "element", .count = "universe"}},
    .fields = {{.name = "sets", .rows = "set", .names = {"element"}}, {.name = "costs", .rows = "set"}},
    .answer = {.names = {"set"}},
};

}  // namespace
}  // namespace optgap

namespace {
constexpr char const* set_cover_tags[] = {"covering", nullptr};
constexpr char const* set_cover_rlve[] = {"SetCover", nullptr};
}  // namespace

extern optgap::task_text const optgap_text_set_cover;
optgap::task_text const optgap_text_set_cover = {
    .title = "Minimum set cover",
    .summary = "the fewest of the given sets whose union is the universe",
    .category = "subset selection",
    .objective = "number of sets",
    .answer_form = "[a, b, c, ...]",
    .words = optgap::words,
    .styles = optgap::last_style + 1,
    .files = optgap::files,
    .prompt = optgap::prompt,
    .explain = optgap::explain,
    .picture = optgap::text::set_cover::picture,
    .twins = &optgap::relabels,
    .layout = optgap::tasks::set_cover::layout,
    .family = "subset",
    .tags = set_cover_tags,
    .rlve = set_cover_rlve,
    .expensive_steps = 128,
};
