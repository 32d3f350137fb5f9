#pragma once
// JSON from text and to text. nlohmann-json is slow to compile, its parser above all: only json_text.cpp has that.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace optgap {
struct task_text;  // kernels/text/task_text.hpp
}

namespace optgap::rows {

/// A discarded value when the text is no JSON.
nlohmann::ordered_json read_json(std::string_view text);
/// Of a text that is no JSON the number of bytes before its fault; its size where it ends too soon.
std::size_t json_fault(std::string_view text);
/// On one line, or indented by so many blanks.
std::string json_text(nlohmann::ordered_json const& value, int indent = -1);
/// The same JSON on indented lines.
std::string indented_json(std::string_view text);

/// NaN is null.
nlohmann::ordered_json number_or_null(double value);

std::string instance_json(task_text const& task, std::span<std::int32_t const> words);
/// The words of an instance in JSON; throws field_error.
std::vector<std::int32_t> instance_words(task_text const& task, std::string_view text);

}  // namespace optgap::rows
