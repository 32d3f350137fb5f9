#pragma once
// Texts shared by tasks with one right answer: {instance}, which shows exactly the fields of `layout`; the reader of
// JSON, which computes the answer; and a picture of lists above each other. Host only.
//
//   struct words : families::exact_text<task> {
//       static constexpr answer_terms terms = families::exact_list<task>("[a, b, c, ...]", "one flat list of
//       integers");
//   };
//   optgap::task_text const optgap_text_sorting = families::exact_task_text<task, words, says>();

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/families/exact/exact.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/json_fields.hpp"
#include "kernels/text/layout_json.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::families {

/// Terms for answers that are flat lists; `length` describes the length of one.
template <class Task>
constexpr answer_terms exact_list(char const* form, char const* shape, char const* length, char const* range) {
    return {
        .form = form,
        .shape = shape,
        .low = [](words_view) { return Task::low; },
        .high = [](words_view) { return Task::high; },
        .rules = {{"unparsable", "the answer is no word"},
                  {"empty", "it is not the empty list"},
                  {"bad_depth", Task::in_rows ? "it is a list of lists" : "it is one flat list"},
                  {"wrong_length", length},
                  {"out_of_range", range, "the value"}},
    };
}

/// Appends the digits as one number.
inline void append_digits(std::string& text, words_view digits) {
    for (std::int64_t i = 0; i < digits.count; ++i) {
        text += char('0' + digits[i]);
    }
}

/// Lists above each other, flush right, with those of the answer below the instance's.
class stacked_lists {
public:
    void add(std::int32_t const* values, std::int64_t count, char const* style) {
        rows_.push_back({{}, style});
        for (std::int64_t i = 0; i < count; ++i) {
            rows_.back().items.push_back(std::to_string(values[i]));
            widest_ = std::max(widest_, rows_.back().items.back().size());
        }
        longest_ = std::max(longest_, rows_.back().items.size());
    }
    [[nodiscard]] std::string draw(char const* title) const {
        constexpr double height = 22;
        double const width = 10 + 8 * double(widest_);
        svg out(width * double(longest_) + 4, height * double(rows_.size()) + 4, title);
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            std::vector<std::string> const& items = rows_[r].items;
            for (std::size_t i = 0; i < items.size(); ++i) {
                point const corner{2 + width * double(longest_ - items.size() + i), 2 + height * double(r)};
                bool const chosen = std::string_view(rows_[r].style) == "chosen";
                out.rectangle(corner, width - 2, height - 2, rows_[r].style);
                out.text({corner.x + width / 2 - 1, corner.y + 14}, items[i], chosen ? "on" : "inside",
                         text_anchor::middle);
            }
        }
        return out.finish();
    }

private:
    struct row {
        std::vector<std::string> items;
        char const* style;
    };
    std::vector<row> rows_;
    std::size_t widest_ = 1;
    std::size_t longest_ = 1;
};

template <class Task>
struct exact_text {
    static constexpr filler fillers[] = {
        {"instance", [](std::string& text, words_view on) { text += layout_text(Task::layout, on); }},
    };
    static constexpr symmetry const* twins = &no_symmetry;
    static constexpr char const* family = "exact";
    static constexpr char const* reward = "binary";  ///< there is one right answer

    static std::string picture(char const* title, words_view on, words_view answer) {
        stacked_lists drawing;
        field_values values;
        std::int32_t const* at = on.data;
        for (std::size_t f = 0; f < Task::layout.size(); ++f) {
            field const& own = Task::layout[f];
            std::int64_t const count = field_words(own, values, *at);
            if (has_value(own)) {
                values.set(f, *at);
            }
            std::int64_t const columns = own.kind == field_kind::table ? values(own.columns) : count;
            for (std::int64_t begin = 0; own.kind != field_kind::size && begin < count; begin += columns) {
                drawing.add(at + begin, columns, "vertex");
            }
            at += count;
        }
        answer_view const lists = view_answer(answer);
        std::int32_t const* next = lists.values;
        for (std::int32_t r = 0; r < lists.row_count(); next += lists.row_lengths[r++]) {
            drawing.add(next, lists.row_lengths[r], "chosen");
        }
        if (lists.is_flat() && lists.count > 0) {
            drawing.add(lists.values, lists.count, "chosen");
        }
        return drawing.draw(title);
    }
};

/// Checks the shown words, limits included, before anything is computed.
template <class Task, class Value>
std::vector<std::int32_t> exact_words(Value const& instance) {
    std::vector<std::int32_t> words = layout_from_json(Task::layout, instance);
    auto const shown_words = std::int64_t(words.size());
    if (char const* const broken = Task::check_shown({words.data(), shown_words})) {
        throw field_error("instance", broken);
    }
    words.resize(std::size_t(Task::whole_words(shown_words)));
    Task::complete(words.data(), shown_words);
    return words;
}

template <class Task, class FamilyText, declarative_text const& Says>
constexpr task_text exact_task_text() {
    task_text text = declarative_task_text<Task, FamilyText, Says>();
    text.from_json = exact_words<Task, json>;
    text.from_flat = exact_words<Task, flat_value>;
    return text;
}

}  // namespace optgap::families
