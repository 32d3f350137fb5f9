#pragma once
// Texts shared by tasks that distribute items among parts: {n}, {last}, {number}, the sizes in several forms, and a
// picture with a bar for each part. Host only.

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/families/labels/parts.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::families {

/// Items side by side, with lengths in proportion to their sizes: a bar for each list of the answer (without an answer
/// a bar for each item), and a dashed line at `limit`.
inline std::string draw_parts(char const* title, words_view on, words_view answer, std::int64_t limit) {
    constexpr double width = 360;
    constexpr double pitch = 22;
    std::int32_t const n = on[1];
    std::vector<std::vector<std::int32_t>> bars;
    answer_view const lists = view_answer(answer);
    for (std::int32_t r = 0, begin = 0; r < lists.row_count(); begin += lists.row_lengths[r++]) {
        auto& bar = bars.emplace_back();
        for (std::int32_t i = begin; i < begin + lists.row_lengths[r]; ++i) {
            if (lists.values[i] >= 0 && lists.values[i] < n) {
                bar.push_back(lists.values[i]);
            }
        }
    }
    bool const answered = !bars.empty();
    for (std::int32_t i = 0; !answered && i < n; ++i) {
        bars.push_back({i});
    }
    std::int64_t most = limit;
    for (auto const& bar : bars) {
        std::int64_t sum = 0;
        for (std::int32_t const i : bar) {
            sum += on[2 + i];
        }
        most = std::max(most, sum);
    }
    double const unit = width / double(most);
    double const height = pitch * double(bars.size());
    svg out(width + 8, height + 8, title);
    for (std::size_t r = 0; r < bars.size(); ++r) {
        double left = 4;
        double const top = 6 + pitch * double(r);
        for (std::int32_t const i : bars[r]) {
            double const length = unit * on[2 + i];
            out.rectangle({left, top}, length, pitch - 4, answered ? "chosen" : "vertex",
                          "item " + std::to_string(i) + ": " + std::to_string(on[2 + i]));
            if (length >= 16) {
                out.text({left + length / 2, top + 13}, std::to_string(i), answered ? "on" : "inside",
                         text_anchor::middle);
            }
            left += length;
        }
    }
    out.line({4 + unit * double(limit), 2}, {4 + unit * double(limit), height + 6}, "limit");
    return out.finish();
}

template <class Task>
struct parts_text {
    static constexpr filler fillers[] = {
        {"n", [](std::string& text, words_view on) { append_integer(text, on[1]); }},
        {"last", [](std::string& text, words_view on) { append_integer(text, on[1] - 1); }},
        {"number", [](std::string& text, words_view on) { append_integer(text, on[0]); }},
        {"sizes", [](std::string& text, words_view on) { append_list(text, on.data + 2, on[1]); }},
        {"lines",
         [](std::string& text, words_view on) {
             for (std::int32_t i = 0; i < on[1]; ++i) {
                 text += std::to_string(i) + ": " + std::to_string(on[2 + i]) + "\n";
             }
         }},
        {"pairs",
         [](std::string& text, words_view on) {
             for (std::int32_t i = 0; i < on[1]; ++i) {
                 text += (i > 0 ? ", #" : "#") + std::to_string(i) + "=" + std::to_string(on[2 + i]);
             }
         }},
        {"instance", [](std::string& text, words_view on) { text += layout_text(Task::layout, on); }},
    };
    static constexpr char const* family = "labels";
    static constexpr char const* reward = "forge";

    static constexpr answer_terms terms_with(char const* shape, char const* length_rule) {
        return {
            .form = "[[a, b, ...], [c, ...], ...]",
            .shape = shape,
            .low = [](words_view) { return 0; },
            .high = [](words_view on) { return on[1] - 1; },
            .rules = {{"unparsable", "the answer is a list, not a word"},
                      {"bad_depth", "it is a list of lists"},
                      {"empty", "it is not the empty list"},
                      {"wrong_length", length_rule},
                      {"out_of_range", "its values are 0 to n - 1", "the value"},
                      {"repeated", "it holds no value twice", "the second"}},
        };
    }
};

}  // namespace optgap::families
