#include "tools/cli/rows/dump_row.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/specs/nearest.hpp"
#include "optgap/status.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {
namespace {

/// Where a source keeps what; the first name that a row has counts. "a.b" is the member b of the object a.
struct layout {
    char const* name;
    dump_source source;
    std::vector<char const*> completion;
    std::vector<char const*> truth;
    std::vector<char const*> reward;
    std::vector<char const*> group;  ///< all that are there, joined
};

std::array<layout, 5> const& layouts() {
    static std::array<layout, 5> const all{{
        {"optgap", dump_source::optgap, {"completion"}, {"key"}, {"reward"}, {}},
        {"verl",
         dump_source::verl,
         {"output"},
         {"gts", "ground_truth", "reward_model.ground_truth", "extra_info.key", "key"},
         {"score", "reward"},
         {"uid", "step"}},
        {"trl",
         dump_source::trl,
         {"completion"},
         {"key", "optgap_ground_truth", "ground_truth", "solution", "label"},
         {"reward", "rewards", "optgap_reward"},
         {"step"}},
        {"slime",
         dump_source::slime,
         {"response"},
         {"label", "metadata.key", "key"},
         {"reward"},
         {"rollout_id", "group_index"}},
        {"openrlhf",
         dump_source::openrlhf,
         {"response", "output"},
         {"label", "labels", "ground_truth", "key"},
         {"reward", "rewards", "score"},
         {}},
    }};
    return all;
}

/// A value inside of a row, nullopt when it is absent or null.
std::optional<std::string_view> value_at(json_row const& row, std::string_view path) {
    std::size_t const dot = path.find('.');
    std::string_view const* const value = row.find(path.substr(0, dot));
    if (value == nullptr || is_json_null(*value)) {
        return std::nullopt;
    }
    if (dot == std::string_view::npos) {
        return *value;
    }
    json_row inner;
    std::string rule;
    return inner.split(*value, rule) ? value_at(inner, path.substr(dot + 1)) : std::nullopt;
}

std::optional<std::string_view> first_of(json_row const& row, std::vector<char const*> const& paths) {
    for (char const* const path : paths) {
        if (auto const value = value_at(row, path)) {
            return value;
        }
    }
    return std::nullopt;
}

bool has(json_row const& row, char const* path) { return value_at(row, path).has_value(); }

/// By the fields that only one of the sources writes.
dump_source source_of(json_row const& row) {
    if (has(row, "completion")) {
        return has(row, "fingerprint") || has(row, "feasible") ? dump_source::optgap : dump_source::trl;
    }
    if (has(row, "response")) {
        return has(row, "status") || has(row, "group_index") ? dump_source::slime : dump_source::openrlhf;
    }
    if (has(row, "output")) {
        return has(row, "label") || has(row, "labels") ? dump_source::openrlhf : dump_source::verl;
    }
    throw field_error("completion", "missing: none of completion, output or response is there");
}

layout const& layout_of(dump_source source) {
    for (layout const& one : layouts()) {
        if (one.source == source) {
            return one;
        }
    }
    return layouts()[0];
}

/// One-element lists stand for their element: what is left of a tensor or of a batch of one.
std::string_view unwrapped(std::string_view value, std::string& arena) {
    if (value.starts_with('[')) {
        auto const list = read_json(value);
        if (list.is_array() && list.size() == 1) {
            return arena = json_text(list[0]);
        }
    }
    return value;
}

/// A number, or an object's `score` or `reward`.
std::optional<float> reward_of(std::optional<std::string_view> found) {
    if (!found) {
        return std::nullopt;
    }
    std::string arena;
    std::string_view value = unwrapped(*found, arena);
    json_row object;
    std::string rule;
    if (value.starts_with('{') && object.split(value, rule)) {
        return reward_of(first_of(object, {"score", "reward"}));
    }
    double number = 0;
    auto const [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    return problem == std::errc() && end == value.data() + value.size() ? std::optional(float(number)) : std::nullopt;
}

/// A text, or the content of the last message of the model's.
std::string completion_of(std::string_view value) {
    if (is_json_string(value)) {
        return std::string(value);
    }
    auto const messages = read_json(value);
    for (std::size_t i = messages.is_array() ? messages.size() : 0; i-- > 0;) {
        auto const& message = messages[i];
        if (message.is_object() && message.contains("role") && message["role"] == "assistant" &&
            message.contains("content") && message["content"].is_string()) {
            std::string text;
            append_json_string(text, message["content"].get<std::string>());
            return text;
        }
    }
    throw field_error("completion", "must be a text, or messages with one of the assistant's");
}

char const* finish_word(json_row const& row) {
    constexpr std::pair<std::string_view, char const*> words[] = {
        {"stop", "stop"},   {"completed", "stop"}, {"length", "length"}, {"truncated", "length"},
        {"abort", "abort"}, {"aborted", "abort"},  {"failed", "abort"}};
    for (char const* const name : {"finish", "finish_reason", "status", "optgap_finish"}) {
        auto const value = value_at(row, name);
        for (auto const& [word, how] : words) {
            if (value && is_json_string(*value) && decode_json_string(*value) == word) {
                return how;
            }
        }
    }
    auto const truncated = value_at(row, "truncated");
    bool const cut = truncated && (*truncated == "true" || *truncated == "1" || *truncated == "1.0");
    return cut ? "length" : "unknown";
}

/// Raw JSON of the fields that say which instance it is, by score's names.
struct truth {
    std::string key, task, instance, format, baseline;
};

void read_fields(json_row const& from, truth& out) {
    std::pair<char const*, std::string*> const fields[] = {{"key", &out.key},
                                                           {"task", &out.task},
                                                           {"instance", &out.instance},
                                                           {"format", &out.format},
                                                           {"baseline", &out.baseline}};
    for (auto const& [name, field] : fields) {
        auto const value = value_at(from, name);
        if (value && field->empty() && (field != &out.format || is_json_string(*value))) {
            *field = *value;
        }
    }
}

/// A key, or an object with `key`, or `task` and `instance`, beside `format` and `baseline`; the object may be text.
truth truth_of(json_row const& row, layout const& by) {
    truth out;
    auto const found = first_of(row, by.truth);
    if (found) {
        std::string arena;
        std::string text(unwrapped(*found, arena));
        if (is_json_string(text)) {
            std::string const inner = decode_json_string(text);
            text = inner.starts_with('{') ? inner : text;
        }
        json_row object;
        std::string rule;
        if (text.starts_with('{') && object.split(text, rule)) {
            read_fields(object, out);
        } else if (is_json_string(text)) {
            out.key = text;
        }
    }
    read_fields(row, out);
    if (auto const name = value_at(row, "format_name"); name && out.format.empty()) {
        out.format = *name;
    }
    if (out.key.empty() && (out.task.empty() || out.instance.empty())) {
        throw field_error("key", fmt::format("missing: no key, and no task with instance, in {} of a dump of {}",
                                             fmt::join(by.truth, ", "), by.name));
    }
    return out;
}

/// Rollouts of one prompt at one step.
std::string group_of(json_row const& row, layout const& by, truth const& of) {
    if (auto const group = value_at(row, "group")) {
        return std::string(*group);
    }
    std::string parts;
    bool whole = false;  // an id of the trainer's own needs no instance beside it
    for (char const* const name : by.group) {
        if (auto const value = value_at(row, name)) {
            parts += fmt::format("{} {}, ", name, *value);
            whole = whole || std::string_view(name) == "uid" || std::string_view(name) == "group_index";
        }
    }
    if (parts.empty()) {
        return {};
    }
    parts += whole ? "" : of.key.empty() ? of.instance : of.key;
    std::string text;
    append_json_string(text, parts);
    return text;
}

}  // namespace

dump_source dump_source_named(std::string_view name) {
    std::vector<std::string> names{"auto"};
    for (layout const& one : layouts()) {
        if (name == one.name) {
            return one.source;
        }
        names.emplace_back(one.name);
    }
    if (name == "auto") {
        return dump_source::automatic;
    }
    throw usage_error(fmt::format("--from is '{}', expected one of: {}", name, closest_first(name, names)));
}

dump_row read_dump_row(json_row const& row, dump_source source) {
    layout const& by = layout_of(source == dump_source::automatic ? source_of(row) : source);
    auto const completion = first_of(row, by.completion);
    if (!completion) {
        throw field_error(by.completion[0], fmt::format("missing: what the model wrote, in a dump of {}", by.name));
    }
    truth const of = truth_of(row, by);
    std::string const group = group_of(row, by, of);
    dump_row out;
    out.old = reward_of(first_of(row, by.reward));
    out.key = has(row, "key") || has(row, "task") ? "" : of.key;
    out.group = has(row, "group") ? "" : group;
    row_writer line(out.line, nullptr);
    std::pair<char const*, std::string const&> const fields[] = {{"key", of.key},           {"task", of.task},
                                                                 {"instance", of.instance}, {"format", of.format},
                                                                 {"baseline", of.baseline}, {"group", group}};
    for (auto const& [name, value] : fields) {
        if (!value.empty()) {
            line.raw(name, value);
        }
    }
    line.raw("completion", completion_of(*completion));
    line.text("finish", finish_word(row));
    for (char const* const name : {"level", "length"}) {
        if (auto const value = value_at(row, name)) {
            line.raw(name, *value);
        }
    }
    if (auto const length = value_at(row, "response_length"); length && !has(row, "length")) {
        line.raw("length", *length);
    }
    line.finish();
    out.line.pop_back();
    return out;
}

dump_row whole_row(json_row const& row) {
    dump_row out;
    std::string_view const* const reward = row.find("reward");
    out.old = reward == nullptr ? std::nullopt : reward_of(*reward);
    row_writer(out.line, &row).finish();
    out.line.pop_back();
    return out;
}

}  // namespace optgap::cli
