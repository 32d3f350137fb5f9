#include "optgap/task_choice.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "host/specs/name_pattern.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

using words_of = std::function<std::vector<std::string_view>(task_info const&)>;

struct named_field {
    std::string_view name;
    words_of values;
};

std::vector<named_field> const& fields() {
    static std::vector<named_field> const all{
        {"class", [](task_info const& info) { return std::vector{name_of(info.kind)}; }},
        {"family", [](task_info const& info) { return std::vector{info.family}; }},
        {"tag", [](task_info const& info) { return info.tags; }},
        {"rlve", [](task_info const& info) { return info.rlve; }},
    };
    return all;
}

[[noreturn]] void refuse(std::string_view word, std::string const& reason) {
    throw error(status::unknown_task, "no task is '" + std::string(word) + "': " + reason);
}

std::string joined(std::vector<std::string_view> const& words) {
    std::string text;
    for (std::string_view const word : words) {
        text += (text.empty() ? "" : ", ") + std::string(word);
    }
    return text;
}

template <class Fits>
std::vector<std::int32_t> those(std::span<task_info const> tasks, Fits const& fits) {
    std::vector<std::int32_t> found;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
        if (fits(tasks[t])) {
            found.push_back(std::int32_t(t));
        }
    }
    return found;
}

std::vector<std::int32_t> by_field(std::string_view word, std::size_t colon, std::span<task_info const> tasks) {
    std::string_view const wanted = word.substr(colon + 1);
    std::vector<std::string_view> names;
    for (named_field const& field : fields()) {
        names.push_back(field.name);
        if (field.name != word.substr(0, colon)) {
            continue;
        }
        std::vector<std::string_view> there;
        auto found = those(tasks, [&](task_info const& info) {
            std::vector<std::string_view> const values = field.values(info);
            there.insert(there.end(), values.begin(), values.end());
            return std::any_of(values.begin(), values.end(),
                               [&](std::string_view value) { return matches(wanted, value); });
        });
        if (found.empty()) {
            std::sort(there.begin(), there.end());
            there.erase(std::unique(there.begin(), there.end()), there.end());
            refuse(word, "values of " + std::string(field.name) + " are " + joined(there));
        }
        return found;
    }
    refuse(word, "a word with a colon is one of " + joined(names) + " with its value");
}

}  // namespace

std::vector<std::string> task_labels(task_info const& info) {
    std::vector<std::string> labels{std::string(info.family) + "/" + std::string(info.name)};
    for (named_field const& field : fields()) {
        for (std::string_view const value : field.values(info)) {
            labels.push_back(std::string(field.name) + ":" + std::string(value));
        }
    }
    return labels;
}

std::vector<std::int32_t> choose_tasks(std::string_view word, std::span<task_info const> tasks) {
    if (word == "all") {
        return those(tasks, [](task_info const&) { return true; });
    }
    if (std::size_t const colon = word.find(':'); colon != std::string_view::npos) {
        return by_field(word, colon, tasks);
    }
    bool const pattern = word.find('*') != std::string_view::npos;
    auto found = those(tasks, [&](task_info const& info) {
        std::string const family = std::string(info.family) + "/" + std::string(info.name);
        return pattern ? matches(word, word.find('/') == std::string_view::npos ? info.name : std::string_view(family))
                       : info.name == word.substr(0, word.find('@')) || family == word;
    });
    if (found.empty()) {
        std::vector<std::string_view> names;
        for (task_info const& info : tasks) {
            names.push_back(info.name);
        }
        refuse(word, "this build has " + joined(names));
    }
    if (!pattern && word.find('@') != std::string_view::npos) {
        task_info const& info = tasks[std::size_t(found[0])];
        if (word.substr(word.find('@') + 1) != std::to_string(info.version)) {
            refuse(word, "this build carries " + std::string(info.name) + "@" + std::to_string(info.version));
        }
    }
    return found;
}

std::vector<std::int32_t> choose_direct_tasks(std::string_view word, std::span<task_info const> tasks) {
    std::vector<std::int32_t> found = choose_tasks(word, tasks);
    std::string_view const first = tasks[std::size_t(found[0])].name;
    std::erase_if(found, [&](std::int32_t task) { return !tasks[std::size_t(task)].direct; });
    if (found.empty()) {
        misuse(not_direct(first));
    }
    return found;
}

std::string not_direct(std::string_view name) {
    return std::string(name) +
           " is not asked in a prompt, as its instances and answers are too long for one: ask for programs that solve "
           "it (optgap generate " +
           std::string(name) + " --candidate program --prompts)";
}

}  // namespace optgap
