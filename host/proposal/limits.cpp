// {"words": 2000, "tasks": {"tsp": {"prompt": 4000}}, "steps": 1000000, "infeasible": 50, "near": [3, 10],
// "quota": 16}

#include "host/specs/spec_json.hpp"
#include "optgap/engine.hpp"
#include "optgap/proposals/proposal.hpp"

namespace optgap {
namespace {

using spec_json::json;

constexpr std::int32_t max_limit = 1 << 28;

/// Reads one limit. Returns false where no limit has this name.
bool read_limit(proposal_limits& out, std::string const& name, json const& value, std::string const& field) {
    std::int64_t* const limit = name == "bytes"    ? &out.bytes
                                : name == "words"  ? &out.words
                                : name == "prompt" ? &out.prompt
                                : name == "answer" ? &out.answer
                                                   : nullptr;
    if (limit != nullptr) {
        *limit = spec_json::integer(value, field, 1, max_limit);
    }
    return limit != nullptr;
}

}  // namespace

proposal_options parse_proposal_options(engine const& by, std::string_view text) {
    constexpr char const* known = "there are bytes, words, prompt, answer, tasks, steps, infeasible, near and quota";
    json const said = json::parse(text, nullptr, false);
    if (!said.is_object()) {
        spec_json::refuse(std::string("proposals: expected a JSON object; ") + known);
    }
    proposal_options out;
    proposal_limits all;
    for (auto const& [name, value] : said.items()) {
        std::string const field = "proposals." + name;
        if (name == "steps") {
            if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::uint64_t(INT64_MAX)) {
                spec_json::refuse(field + ": expected an integer from 0 on");
            }
            out.steps = value.get<std::int64_t>();
        } else if (name == "infeasible") {
            out.infeasible_permille = spec_json::integer(value, field, 0, 1000);
        } else if (name == "near") {
            if (!value.is_array() || value.size() != 2) {
                spec_json::refuse(field + ": expected [entries, distance]");
            }
            out.near_entries = spec_json::integer(value[0], field + "[0]", 1, 64);
            out.near_distance = spec_json::integer(value[1], field + "[1]", 0, max_limit);
        } else if (name == "quota") {
            out.quota = spec_json::integer(value, field, 1, max_limit);
        } else if (name != "tasks" && !read_limit(all, name, value, field)) {
            spec_json::refuse(field + ": no such setting; " + known);
        }
    }
    out.limits.assign(by.tasks().size(), all);
    if (!said.contains("tasks")) {
        return out;
    }
    if (!said["tasks"].is_object()) {
        spec_json::refuse("proposals.tasks: expected an object of limits by task");
    }
    for (auto const& [task, limits] : said["tasks"].items()) {
        std::string const field = "proposals.tasks." + task;
        std::int32_t const index = by.task_index(task);
        if (!limits.is_object()) {
            spec_json::refuse(field + ": expected an object of words, prompt and answer");
        }
        for (auto const& [name, value] : limits.items()) {
            if (name == "bytes" || !read_limit(out.limits[std::size_t(index)], name, value, field + "." + name)) {
                spec_json::refuse(field + "." + name + ": no such limit of a task; there are words, prompt and answer");
            }
        }
    }
    return out;
}

}  // namespace optgap
