#pragma once  // Experimental.
// One table of estimators for a batch of all roles.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/advantage.hpp"

namespace optgap {

class engine;

enum class role : std::int32_t { proposer = 0, solver, judge };
inline constexpr std::int32_t role_count = 3;
[[nodiscard]] constexpr std::string_view name_of(role of) {
    constexpr std::string_view names[] = {"proposer", "solver", "judge"};
    return names[std::int32_t(of)];
}

/// Where a running mean begins: at 0, as SPIRAL's does, or at its cohort's first reward, so that a constant cohort gets
/// exactly 0 from its first row on.
enum class mean_start : std::int32_t { zero, first };

/// An estimator of advantage.hpp, or `rae`: the reward less a running mean of its cohort's rewards (SPIRAL), which is
/// read before the row moves it: mean = decay * mean + (1 - decay) * reward.
struct role_estimator {
    bool running = false;  ///< rae
    double decay = 0.95;
    mean_start start = mean_start::zero;
    advantage_spec spec;  ///< used unless `running`
};

struct role_table {
    bool by_role = false;  ///< an estimator for each role, or rae: not one call of engine::advantages
    std::array<role_estimator, role_count> of;
};
/// Reads an estimator as parse_advantage_spec does, "rae", {"estimator": "rae", "decay": 0.95, "start": "zero"}
/// ("first"), or {"roles": {"proposer": one, "solver": one, "judge": one}}. Throws error{invalid_argument} that names
/// the field.
[[nodiscard]] role_table parse_role_table(std::string_view text);
[[nodiscard]] std::string to_json(role_table const& table);

/// Means of `rae` by cohort, for the cohorts that have begun.
using running_means = std::map<std::int64_t, double>;
/// Advantages of rows of one role by `rae`, in the rows' order, which the caller must fix: (step, rank, row). NaN
/// rewards get 0 and move nothing.
[[nodiscard]] std::vector<float> running_advantages(std::span<float const> rewards,
                                                    std::span<std::int32_t const> cohort, role_estimator const& how,
                                                    running_means& means);

struct role_rows {
    std::span<std::int32_t const> of;  ///< role
    std::span<float const> rewards;
    std::span<std::int32_t const> group;
    std::span<std::int32_t const> cohort;  ///< within a role: its task
};
/// Advantages of a joint batch: each role's rows by its estimator. `means`: one per role.
[[nodiscard]] std::vector<float> role_advantages(engine const& by, role_table const& table, role_rows const& rows,
                                                 std::span<running_means> means);

}  // namespace optgap
