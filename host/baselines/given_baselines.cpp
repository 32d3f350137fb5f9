#include "host/baselines/given_baselines.hpp"

#include <fmt/format.h>

namespace optgap {

std::string given_baselines::conflict(std::int64_t group, std::int32_t task, instance_hash instance,
                                      baseline const& given) {
    first_given const here{given.objective, given.bound, given.proven()};
    first_given const first = first_.try_emplace({group, task, instance}, here).first->second;
    if (first == here) {
        return {};
    }
    auto const said = [](first_given const& one) {
        auto const number = [](std::int64_t value) {
            return value == no_objective ? std::string("none") : std::to_string(value);
        };
        return fmt::format("objective {}, bound {}, {}", number(one.objective), number(one.bound),
                           one.proven ? "proven" : "not proven");
    };
    return fmt::format(
        "differs from that of its group's rows before ({}; here {}): expected one baseline for all "
        "answers to an instance in a group",
        said(first), said(here));
}

}  // namespace optgap
