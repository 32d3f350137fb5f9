// The field `mixing` of a curriculum's spec as text.

#include <fmt/format.h>

#include "host/curriculum/mixing.hpp"
#include "host/specs/spec_json.hpp"

namespace optgap {

using namespace spec_json;

namespace {

constexpr std::int32_t min_floor = 10;
constexpr std::int32_t max_floor = 900;
constexpr std::int32_t min_memory = 8;
constexpr std::int32_t max_memory = 1'000'000;

constexpr std::pair<char const*, mixing_rule> mixing_rules[] = {
    {"uniform", mixing_rule::uniform}, {"informative", mixing_rule::informative}, {"progress", mixing_rule::progress}};

void require_object(json const& value, std::string const& field, char const* example) {
    if (!value.is_object()) {
        refuse(field + ": expected a JSON object, such as " + example);
    }
}

std::string read_word(json const& value, std::string const& field) {
    if (!value.is_string() || value.get_ref<std::string const&>().empty()) {
        refuse(field + ": " + value.dump() + " is no name or pattern of tasks");
    }
    return value.get<std::string>();
}

/// One number for all tasks, or one per word; the first word that names a task applies.
std::vector<mixing_floor> read_floors(json const& value) {
    std::string const field = "curriculum.mixing.floor";
    if (!value.is_object()) {
        return {{"all", integer(value, field, min_floor, max_floor)}};
    }
    std::vector<mixing_floor> floors;
    for (auto const& [word, share] : value.items()) {
        floors.push_back({read_word(json(word), field), integer(share, field + "." + word, min_floor, max_floor)});
    }
    if (floors.empty()) {
        refuse(field + ": names no task; expected words with their permille, such as {\"class:satisfy\": 400}");
    }
    return floors;
}

mixing_group read_group(json const& value, std::string const& field) {
    require_object(value, field, "{\"tasks\": \"family:cells\", \"share\": 300}");
    mixing_group group;
    for (auto const& [name, entry] : value.items()) {
        if (name == "tasks") {
            json const words = entry.is_array() ? entry : json::array({entry});
            for (json const& word : words) {
                group.tasks.push_back(read_word(word, field + ".tasks"));
            }
        } else if (name == "share") {
            group.share = integer(entry, field + ".share", 1, 1000);
        } else {
            refuse(field + "." + name + " is not a field of a group: tasks, share");
        }
    }
    if (group.tasks.empty() || group.share == 0) {
        refuse(field + ": expected both tasks and share");
    }
    return group;
}

std::vector<mixing_group> read_groups(json const& value) {
    std::string const field = "curriculum.mixing.groups";
    if (!value.is_array() || value.empty()) {
        refuse(field + ": expected a list, such as [{\"tasks\": \"family:cells\", \"share\": 300}]");
    }
    std::vector<mixing_group> groups;
    std::int32_t shares = 0;
    for (json const& entry : value) {
        groups.push_back(read_group(entry, fmt::format("{}[{}]", field, groups.size())));
        shares += groups.back().share;
        if (shares > 1000) {
            refuse(fmt::format("{}: their shares add up to {} permille and more", field, shares));
        }
    }
    return groups;
}

}  // namespace

curriculum_mixing read_mixing(json const& value) {
    curriculum_mixing mixing;
    if (!value.is_object()) {
        mixing.by = pick<mixing_rule>(value, "curriculum.mixing", mixing_rules);
        return mixing;
    }
    if (value.contains("by")) {
        mixing.by = pick<mixing_rule>(value["by"], "curriculum.mixing.by", mixing_rules);
    }
    for (auto const& [name, entry] : value.items()) {
        std::string const field = "curriculum.mixing." + name;
        if (name == "by") {
            continue;
        }
        if (name == "groups") {
            mixing.groups = read_groups(entry);
        } else if (name != "floor" && name != "memory") {
            refuse(field + " is not a field of mixing: by, floor, memory, groups");
        } else if (!mixing.moves()) {
            refuse(field + " is not read where by is uniform, since no share moves");
        } else if (name == "memory") {
            mixing.memory = integer(entry, field, min_memory, max_memory);
        } else {
            mixing.floors = read_floors(entry);
        }
    }
    return mixing;
}

json written(curriculum_mixing const& mixing) {
    json out{{"by", name_of<mixing_rule>(mixing_rules, mixing.by)}};
    if (mixing.moves()) {
        out["memory"] = mixing.memory;
        bool const same = mixing.floors.size() == 1 && mixing.floors[0].tasks == "all";
        json floors = json::object();
        for (mixing_floor const& entry : mixing.floors) {
            floors[entry.tasks] = entry.permille;
        }
        out["floor"] = same ? json(mixing.floors[0].permille) : std::move(floors);
    }
    if (!mixing.groups.empty()) {
        json groups = json::array();
        for (mixing_group const& group : mixing.groups) {
            groups.push_back({{"tasks", group.tasks}, {"share", group.share}});
        }
        out["groups"] = std::move(groups);
    }
    return out;
}

}  // namespace optgap
