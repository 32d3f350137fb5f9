#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap {
struct task_text;  // kernels/text/task_text.hpp
}

namespace optgap::rows {

/// An engine's tasks, found by name, with their texts.
class task_table {
public:
    /// `by` must outlive it.
    explicit task_table(engine const& by);

    /// Returns the index of `NAME` or `NAME@VERSION`. Throws error{unknown_task} that lists the names, closest first.
    [[nodiscard]] std::int32_t named(std::string_view name) const;
    [[nodiscard]] task_text const& text(std::int32_t task) const { return *texts_[std::size_t(task)]; }
    [[nodiscard]] engine const& made_by() const { return by_; }

private:
    engine const& by_;
    std::vector<task_text const*> texts_;
};

}  // namespace optgap::rows
