// The texts of a task: its instances as JSON, its answers as text.

#include <nlohmann/json.hpp>

#include "kernels/registry/registry.hpp"
#include "optgap/engine.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

task_text const& texts_of_task(std::int32_t task) {
    if (task < 0 || std::size_t(task) >= registry().size()) {
        misuse("task: index " + std::to_string(task) + " does not exist, there are " +
               std::to_string(registry().size()) + " tasks");
    }
    return *registry()[std::size_t(task)].text;
}

}  // namespace

std::string engine::instance_json(std::int32_t task, std::span<std::int32_t const> instance) const {
    return instance_to_json(texts_of_task(task), {instance.data(), std::int64_t(instance.size())}).dump();
}

std::vector<std::int32_t> engine::instance_words(std::int32_t task, std::string_view text) const {
    task_text const& reader = texts_of_task(task);
    try {
        return instance_from_json(reader, json::parse(text));
    } catch (json::exception const& broken) {
        throw field_error("instance", std::string("is not JSON: ") + broken.what());
    }
}

parsed_text engine::parse_answer(std::int32_t task, std::string_view text, std::vector<std::int32_t>& words) const {
    return optgap::parse_answer(text, syntax_of(texts_of_task(task)), words);
}

}  // namespace optgap
