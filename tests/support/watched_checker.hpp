#pragma once
// A checker of proposals whose gates a test can observe, hold and break.

#include <functional>
#include <memory>
#include <set>
#include <thread>

#include "tests/support/scheduler_cases.hpp"

namespace optgap::testing {

inline std::string asked(std::string const& json) { return "<think>so</think><question>" + json + "</question>"; }

/// A knapsack as an edit of a parent with this name, which `watched` knows. Another capacity gives another problem.
inline std::string edit_of(std::string const& parent, std::int64_t capacity) {
    return asked(R"({"parent": ")" + parent + R"(", "edit": [{"op": "replace", "path": "/capacity", "value": )" +
                 std::to_string(capacity) + "}]}");
}

/// Records requests for parents, and runs a function before the parent is given.
struct watched {
    std::function<void(std::string const&)> meet = [](std::string const&) {};
    std::mutex lock;
    std::vector<std::string> met;
    std::set<std::thread::id> threads;

    void say(std::string const& name) {
        std::lock_guard const locked(lock);
        met.push_back(name);
        threads.insert(std::this_thread::get_id());
    }
    [[nodiscard]] std::vector<std::string> said() {
        std::lock_guard const locked(lock);
        return met;
    }
    std::shared_ptr<proposal_checker> checker(engine const& by = cpu_engine()) {
        std::int32_t const knapsack = by.task_index("knapsack");
        instance_batch const one = instances_of(knapsack, difficulty::scale(1), 1);
        std::vector<std::int32_t> const parent(one.blocks.row(0).begin(), one.blocks.row(0).end());
        proposal_options options;
        options.parent_of = [this, parent, knapsack](std::string_view name, std::int32_t& task) {
            task = knapsack;
            say(std::string(name));
            meet(std::string(name));
            return parent;
        };
        return std::make_shared<proposal_checker>(by, std::move(options));
    }
};

}  // namespace optgap::testing
