#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap::rows {

/// Numbers for the names that rows of one run use: groups, and tasks that the engine does not have.
class run_names {
public:
    explicit run_names(engine const& by) : by_(by) {}

    [[nodiscard]] std::int32_t group(std::string const& name) {
        auto const [place, is_new] = groups_.try_emplace(name, std::int32_t(group_names_.size()));
        if (is_new) {
            group_names_.push_back(&place->first);
        }
        return place->second;
    }
    [[nodiscard]] std::string const& group_name(std::int32_t group) const { return *group_names_[std::size_t(group)]; }
    /// Of a task that is none of the engine's: above the numbers of those.
    [[nodiscard]] std::int32_t task(std::string const& name) {
        auto const [place, is_new] =
            tasks_.try_emplace(name, std::int32_t(by_.tasks().size()) + std::int32_t(names_.size()));
        if (is_new) {
            names_.push_back(name);
        }
        return place->second;
    }
    [[nodiscard]] std::string_view task_name(std::int32_t task) const {
        auto const own = by_.tasks();
        return std::size_t(task) < own.size() ? own[std::size_t(task)].name : names_[std::size_t(task) - own.size()];
    }
    void forget() {
        groups_.clear();
        group_names_.clear();
        tasks_.clear();
        names_.clear();
    }

private:
    engine const& by_;
    std::unordered_map<std::string, std::int32_t> groups_, tasks_;
    std::vector<std::string const*> group_names_;
    std::vector<std::string> names_;
};

}  // namespace optgap::rows
