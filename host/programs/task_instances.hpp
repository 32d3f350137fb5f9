#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "host/programs/instance_set.hpp"
#include "optgap/engine.hpp"

namespace optgap::programs {

/// Instances of an engine's tasks. An output is read as an answer and verified by the task.
class task_instances final : public instance_set {
public:
    task_instances(engine const& by, instance_view instances) : by_(by), instances_(instances) {}

    [[nodiscard]] std::int64_t size() const override { return instances_.blocks.rows; }
    [[nodiscard]] std::string const& input(std::int64_t instance, input_form form) override;
    [[nodiscard]] std::vector<verdict> verify(std::span<run_result const> ended,
                                              std::span<std::int64_t const> instance_of) override;

private:
    engine const& by_;
    instance_view instances_;
    std::map<std::pair<std::int64_t, input_form>, std::string> inputs_;  ///< never moves its texts
};

}  // namespace optgap::programs
