#pragma once
// JSON from text and to text. nlohmann-json is slow to compile, above all its parser, so only json_text.cpp includes
// it.

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

/// Returns a discarded value when the text is not JSON.
nlohmann::ordered_json read_json(std::string_view text);
/// For a text that is not JSON: the number of bytes before the fault, or the text's size where it ends too soon.
std::size_t json_fault(std::string_view text);
/// Writes JSON on one line, or indented by `indent` blanks.
std::string json_text(nlohmann::ordered_json const& value, int indent = -1);
/// The same JSON on indented lines.
std::string indented_json(std::string_view text);

/// NaN is null.
nlohmann::ordered_json number_or_null(double value);

std::string instance_json(task_text const& task, std::span<std::int32_t const> words);
/// Reads an instance's words from JSON; throws field_error.
std::vector<std::int32_t> instance_words(task_text const& task, std::string_view text);

}  // namespace optgap::rows
