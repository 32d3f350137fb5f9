#pragma once
// Why a row has what it has: for people as an explanation, and for a model as the part of it that a model may see.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/reward/reward_steps.hpp"
#include "host/rows/graded_row.hpp"
#include "host/rows/read/row_item.hpp"
#include "host/rows/read/shown_text.hpp"
#include "optgap/rows/scorer.hpp"

namespace optgap::rows {

/// What a model may be told of its row. Nothing in it depends on the baseline, but for what the row's code says.
struct finding {
    std::string_view subject = "answer";  ///< what the row's completion holds
    bool formed = false;                  ///< the completion has the form that was asked for
    bool sound = false;                   ///< no rule is broken
    std::string rule = {};                ///< the broken rule, as one sentence; empty: none
    std::string place = {};               ///< where it is broken, as one sentence; empty: no place is known

    /// The most exact of its sentences.
    [[nodiscard]] std::string const& reason() const { return place.empty() ? rule : place; }
};

/// One to three sentences on one line, printable and of at most 1000 bytes. A level's text begins with that of the
/// level before.
std::string feedback_text(finding const& found, feedback_level level);
/// Throws error{invalid_argument} that lists the names.
feedback_level feedback_level_named(std::string_view name);

enum class tone { plain, good, bad };

struct fact {
    std::string name, text;
    tone colour = tone::plain;
};

/// One part of an explanation: an excerpt of a text and then lines of one layout.
struct section {
    std::string title;
    bool has_excerpt = false;
    std::string excerpt = {};
    text_span marked = {};                ///< of the excerpt
    std::vector<fact> facts = {};         ///< "name      text", a line each
    std::vector<fact> checks = {};        ///< "  yes  name  text": yes by tone::good, no by tone::bad
    std::vector<reward_step> steps = {};  ///< "  name  how  value", values in one column

    void add(std::string name, std::string text, tone colour = tone::plain) {
        facts.push_back({std::move(name), std::move(text), colour});
    }
};

struct explanation {
    std::string title;
    std::string about = {};  ///< one line below the title; empty: none
    finding found = {};
    std::vector<section> sections = {};

    section& add(std::string section_title) {
        sections.push_back({.title = std::move(section_title)});
        return sections.back();
    }
    section& add_excerpt(std::string section_title, std::string_view text, text_span marked) {
        section& out = add(std::move(section_title));
        out.has_excerpt = true;
        out.excerpt = text;
        out.marked = marked;
        return out;
    }
};

/// The layout of every kind's explanation. `number` is the row's line in its file.
std::string explanation_text(explanation const& of, std::int64_t number, painter const& paint);

/// The rows of a run, one of which is explained.
struct explained_rows {
    std::span<row_item> items;
    std::span<graded_row const> graded;
    std::size_t own = 0;
    std::string_view code, task;  ///< names of the own row's
    std::int32_t instance = -1;   ///< the hidden instance to show; -1: the first that is not feasible

    [[nodiscard]] row_item& item() const { return items[own]; }
    [[nodiscard]] graded_row const& row() const { return graded[own]; }
};

/// What a code that several kinds share means, in words; empty for other codes.
std::string sentence_for(std::int32_t code, format_spec const& format);

}  // namespace optgap::rows
