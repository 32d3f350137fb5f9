// {"words": 2000, "tasks": {"tsp": {"prompt": 4000}}}

#include "host/specs/spec_json.hpp"
#include "optgap/engine.hpp"
#include "optgap/proposals/proposal.hpp"

namespace optgap {
namespace {

using spec_json::json;

constexpr std::int32_t most_limit = 1 << 28;

/// Reads one limit; false where no limit has this name.
bool read_limit(proposal_limits& out, std::string const& name, json const& value, std::string const& field) {
    std::int64_t* const limit = name == "bytes"    ? &out.bytes
                                : name == "words"  ? &out.words
                                : name == "prompt" ? &out.prompt
                                : name == "answer" ? &out.answer
                                                   : nullptr;
    if (limit != nullptr) {
        *limit = spec_json::integer(value, field, 1, most_limit);
    }
    return limit != nullptr;
}

}  // namespace

std::vector<proposal_limits> parse_proposal_limits(engine const& by, std::string_view text) {
    json const said = json::parse(text, nullptr, false);
    if (!said.is_object()) {
        spec_json::refuse("limits: expected an object of bytes, words, prompt, answer and tasks");
    }
    proposal_limits all;
    for (auto const& [name, value] : said.items()) {
        if (name != "tasks" && !read_limit(all, name, value, "limits." + name)) {
            spec_json::refuse("limits." + name + ": no such limit; there are bytes, words, prompt, answer and tasks");
        }
    }
    std::vector<proposal_limits> out(by.tasks().size(), all);
    if (!said.contains("tasks")) {
        return out;
    }
    if (!said["tasks"].is_object()) {
        spec_json::refuse("limits.tasks: expected an object of limits by task");
    }
    for (auto const& [task, limits] : said["tasks"].items()) {
        std::string const field = "limits.tasks." + task;
        std::int32_t const index = by.task_index(task);
        if (!limits.is_object()) {
            spec_json::refuse(field + ": expected an object of words, prompt and answer");
        }
        for (auto const& [name, value] : limits.items()) {
            if (name == "bytes" || !read_limit(out[std::size_t(index)], name, value, field + "." + name)) {
                spec_json::refuse(field + "." + name + ": no such limit of a task; there are words, prompt and answer");
            }
        }
    }
    return out;
}

}  // namespace optgap
