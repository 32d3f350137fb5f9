// Rewards per task as text.

#include <algorithm>
#include <string>
#include <vector>

#include "host/specs/spec_json.hpp"
#include "optgap/reward_rules.hpp"
#include "optgap/task_choice.hpp"

namespace optgap {

using namespace spec_json;

namespace {

constexpr std::string_view recommended = "recommended";

/// parse_reward_spec, whose errors begin with `reward`, for a spec at another place.
reward_spec read_spec(std::string_view text, std::string const& place) {
    try {
        return parse_reward_spec(text);
    } catch (error const& wrong) {
        std::string const sentence = wrong.what();
        throw error(wrong.code(), place + sentence.substr(sentence.starts_with("reward") ? 6 : 0));
    }
}

/// The specs of a text, each once.
class reading {
public:
    explicit reading(std::span<task_info const> tasks) : tasks_(tasks) {
        found_.specs.clear();
        found_.of_task.assign(tasks.size(), 0);
    }

    /// Sets the rule of tasks that no entry names. It comes first, also for tasks of no build, which recommend nothing.
    void otherwise(json const& value) {
        static_cast<void>(entry(value, "reward.default", tasks_.size()));
        for (std::size_t t = 0; t < tasks_.size(); ++t) {
            found_.of_task[t] = entry(value, "reward.default", t);
        }
    }

    void named(json const& object) {
        if (!object.is_object() || object.empty()) {
            refuse("reward.tasks: expected an object such as {\"futoshiki\": \"power\"}");
        }
        std::vector<std::string> by(tasks_.size());
        for (bool const exact : {false, true}) {
            for (auto const& [name, value] : object.items()) {
                if ((name.find_first_of("*:") == std::string::npos) == exact) {
                    set(name, value, exact, by);
                }
            }
        }
    }

    /// The first entry is that of most tasks that have no name in the text; one entry alone needs no list.
    reward_rules done() {
        if (found_.specs.size() == 1) {
            found_.of_task.clear();
        }
        return std::move(found_);
    }

private:
    void set(std::string const& name, json const& value, bool exact, std::vector<std::string>& by) {
        std::string const place = "reward.tasks." + name;
        for (std::int32_t const t : fitting(name, exact, place)) {
            std::int32_t const mine = entry(value, place, std::size_t(t));
            std::string& other = by[std::size_t(t)];
            if (!exact && !other.empty() && found_.of_task[std::size_t(t)] != mine) {
                refuse(place + ": " + std::string(tasks_[std::size_t(t)].name) + " has another spec by " + other +
                       "; name it by itself");
            }
            other = name;
            found_.of_task[std::size_t(t)] = mine;
        }
    }

    [[nodiscard]] std::vector<std::int32_t> fitting(std::string const& name, bool exact,
                                                    std::string const& place) const {
        if (!exact) {
            try {
                return choose_tasks(name, tasks_);
            } catch (error const& unknown) {
                throw error(unknown.code(), place + ": " + unknown.what());
            }
        }
        std::string names;
        for (std::size_t t = 0; t < tasks_.size(); ++t) {
            if (tasks_[t].name == name) {
                return {std::int32_t(t)};
            }
            names += (names.empty() ? "" : ", ") + std::string(tasks_[t].name);
        }
        throw error(status::unknown_task, place + ": expected a task or a pattern with *, of " + names);
    }

    std::int32_t entry(json const& value, std::string const& place, std::size_t task) {
        if (!value.is_string() && !value.is_object()) {
            refuse(place + ": expected a shape's name, an object of its fields, or \"recommended\", got " +
                   value.dump());
        }
        std::string text = value.is_string() ? value.get<std::string>() : value.dump();
        if (text == recommended) {
            text = task < tasks_.size() ? tasks_[task].reward : "forge";
        }
        reward_spec const spec = read_spec(text, place);
        std::string const written = to_json(spec);
        auto const known = std::find(written_.begin(), written_.end(), written);
        if (known == written_.end()) {
            written_.push_back(written);
            found_.specs.push_back(spec);
            return std::int32_t(written_.size()) - 1;
        }
        return std::int32_t(known - written_.begin());
    }

    std::span<task_info const> tasks_;
    reward_rules found_;
    std::vector<std::string> written_;  ///< of each spec
};

}  // namespace

reward_rules parse_reward_rules(std::string_view text, std::span<task_info const> tasks) {
    json const object = read_object(text, "reward", "shape");
    bool const apart = object.contains("default") || object.contains("tasks");
    if (!apart && object.value("shape", json()) != recommended) {
        return parse_reward_spec(text);
    }
    for (auto const& [field, value] : object.items()) {
        if (apart && field != "default" && field != "tasks") {
            refuse("reward." + field + " is not known beside default and tasks: it belongs into a spec of theirs");
        }
        if (!apart && field != "shape") {
            refuse("reward." + field + ": recommended specs have their own; name tasks in \"tasks\" to change one");
        }
    }
    reading of(tasks);
    of.otherwise(apart ? object.value("default", json("forge")) : json(recommended));
    if (object.contains("tasks")) {
        of.named(object["tasks"]);
    }
    return of.done();
}

std::string to_json(reward_rules const& rules, std::span<task_info const> tasks) {
    if (rules.of_task.empty()) {
        return to_json(rules.specs[0]);
    }
    json out{{"default", json::parse(to_json(rules.specs[0]))}, {"tasks", json::object()}};
    for (std::size_t t = 0; t < tasks.size(); ++t) {
        if (rules.of_task[t] != 0) {
            out["tasks"][tasks[t].name] = json::parse(to_json(rules.of(std::int32_t(t))));
        }
    }
    return out.dump();
}

}  // namespace optgap
