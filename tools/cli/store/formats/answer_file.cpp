#include "tools/cli/store/formats/answer_file.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "kernels/text/task_text.hpp"
#include "optgap/answer.hpp"

namespace optgap::cli {
namespace {

answer_shape shape_of(std::string_view name, task_text const& text) {
    if (name == "tsp" || name == "hamiltonian") {
        return answer_shape::tour;
    }
    if (name == "vehicle_routing") {
        return answer_shape::routes;
    }
    if (name == "bisection") {
        return answer_shape::halves;
    }
    if (std::string_view(text.family) == "subset") {
        return answer_shape::members;
    }
    return std::string_view(text.answer_form) == "[0, 1, 1, ...]" ? answer_shape::values : answer_shape::none;
}

/// An instance says how many things it has by `n`, or by a list with an entry for each.
std::int64_t count_things(nlohmann::ordered_json const& instance) {
    if (auto const n = instance.find("n"); n != instance.end() && n->is_number_integer()) {
        return n->get<std::int64_t>();
    }
    for (char const* const name : {"distances", "points", "weights", "sets", "values"}) {
        if (auto const list = instance.find(name); list != instance.end() && list->is_array()) {
            return std::int64_t(list->size());
        }
    }
    return 0;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

answer_fault::answer_fault(std::int64_t line, std::string const& sentence)
    : std::runtime_error(fmt::format("line {}: {}", line, sentence)) {}

answer_frame frame_of(context& ctx, std::int32_t task, std::span<std::int32_t const> words) {
    task_text const& text = ctx.text(task);
    std::string_view const name = ctx.get_engine(false).tasks()[std::size_t(task)].name;
    answer_frame out{shape_of(name, text), 0, name};
    if (out.shape != answer_shape::none) {
        out.things = count_things(read_json(instance_json(text, words)));
    }
    return out;
}

bool text_lines::next(std::string_view& line) {
    if (rest_.empty()) {
        return false;
    }
    std::size_t const end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    ++number_;
    return true;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    auto const end = std::size_t(std::find_if(text.begin(), text.end(), is_blank) - text.begin());
    std::string_view const word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

std::string shown(std::string_view text) {
    std::string out;
    for (char const c : text.substr(0, 40)) {
        out += c >= 0x20 && c < 0x7f ? c : '?';
    }
    return text.size() > 40 ? out + "…" : out;
}

std::vector<std::int32_t> block_of_values(std::span<std::int32_t const> values, answer_frame const& frame) {
    std::vector<std::int32_t> block{answer_flat};
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (frame.shape == answer_shape::values) {
            block.push_back(values[i]);
        } else if (values[i] == 1) {
            block.push_back(std::int32_t(i));
        }
    }
    return block;
}

std::vector<std::int32_t> block_of_lists(std::vector<std::vector<std::int32_t>> const& lists) {
    std::vector<std::int32_t> block{std::int32_t(lists.size())};
    for (auto const& list : lists) {
        block.push_back(std::int32_t(list.size()));
    }
    for (auto const& list : lists) {
        block.insert(block.end(), list.begin(), list.end());
    }
    return block;
}

void refuse_shape(answer_frame const& frame, std::string_view format, std::string_view takes) {
    throw answer_fault(
        fmt::format("the instance is one of {}, and {} has no answers to it: expected {}", frame.task, format, takes));
}

}  // namespace optgap::cli
