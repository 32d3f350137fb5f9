#pragma once
// What an estimator of advantages is: a struct in a file of its own, kernels/reward/estimators/NAME.hpp or
// estimators/NAME.hpp of a folder given by -DOPTGAP_EXTENSIONS. CMake finds the file; nothing else names it. The whole
// of one, with a parameter of its own:
//
//     struct softened {
//         static constexpr parameter parameters[] = {
//             own_number<advantage_spec>("softness", 0, 0.0, 10.0, "added to the standard deviation")};
//         static constexpr estimator_info info{.name = "softened",
//                                              .formula = "(r - m) / (s1 + softness)",
//                                              .parameters = parameters,
//                                              .start = {.own = {0.5}}};
//
//         template <class Group>
//         OPTGAP_HD static void advantages(Group const& group) {
//             double const mean = group.mean();
//             double const scale = group.deviation(mean) + group.spec().own[0];
//             group.write([&](std::int64_t, double r) { return (r - mean) / scale; });
//         }
//     };
//
// It has one of three functions:
//
//     advantages(reward_group)       a group by its rewards, by any team
//     score_column(score_group)      a group by its scores on one instance, by any team; perhaps finish(score_group)
//     batch(estimator_batch)         the whole batch, by the host
//
// The first two run on both executors with the same bytes. Where one of them is not OPTGAP_HD, the struct says
// `static constexpr bool on_device = false`, and the host runs it; so it does where lengths or components are read.
// Further members, each optional:
//
//     lone(reward, rule)             a group's only row under of_one "as_is", else 0
//     constant(rewards, spec)        of the whole batch, by the host: rule.batch of every group
//     reads_batch(spec)              does the spec need that constant? without it: always
//     reads_lengths(spec)            are lengths read under this spec? without it: as info.reads says
//     id                             the enumerator, of an estimator that has one

#include <cstdint>
#include <span>

#include "kernels/reward/parameter.hpp"
#include "optgap/advantage.hpp"

namespace optgap {

/// Beside the rewards and the groups.
struct estimator_reads {
    bool lengths = false;     ///< tokens of each row
    bool components = false;  ///< of each row's reward
    bool cohort = false;
    bool scores = false;  ///< instead of the rewards, which stand for them where there are none
};

/// What a row's advantage depends on.
enum class estimator_scope : std::int32_t { group = 0, cohort, batch };

/// A trainer's constants under a name of their own.
struct estimator_preset {
    char const* name;
    advantage_spec spec;
};

struct estimator_info {
    char const* name;
    char const* formula;  ///< r a reward, m and s1 the mean and sample standard deviation of its group, n its rows
    char const* source = "";
    estimator_reads reads = {};
    estimator_scope scope = estimator_scope::group;
    std::span<parameter const> parameters = {};  ///< beside epsilon and of_one, which all have
    std::span<estimator_preset const> presets = {};
    advantage_spec start = {};    ///< the defaults
    std::int32_t min_rows = 0;    ///< of a group; of_small says what a group gets that masked rows leave smaller
    bool needs_validity = false;  ///< must be told which candidates are invalid, NaN scores
};

/// A spec with what its estimator asked of the whole batch.
struct group_rule {
    advantage_spec spec = {};
    double batch = 0.0;
};

/// Groups first … last - 1 of a batch: group g's rows are order[begin[g], begin[g + 1]), or these numbers themselves
/// where `order` is nullptr.
struct group_range {
    float const* rewards;
    std::int64_t const* begin;
    std::int64_t const* order;
    std::int64_t first, last;
    float* out;                                ///< per row
    advantage_inputs const* inputs = nullptr;  ///< lengths and components, for estimators that read them
};

/// One group's scores, `columns` a row, row-major, NaN for an invalid one.
struct score_range {
    double const* scores;
    std::int64_t count;
    std::int32_t columns;
    sense direction;
    double* out;  ///< per row
};

/// What a group of `count` candidates works on; the arrays belong to the team, one entry per candidate but `partial`.
struct rank_room {
    double* column;
    double* value;
    double* partial;                ///< sum_lanes
    double* other = nullptr;        ///< on the host, for estimators that run nowhere else
    std::int32_t* order = nullptr;  ///< on the host: ranks are found by sorting
};

class estimator_batch;

/// An estimator of this build.
struct estimator_entry {
    estimator_info const* info;
    estimator form;
    bool on_device;
    // One of these three.
    void (*groups)(group_range const&, group_rule const&) = nullptr;
    void (*scores)(score_range const&, advantage_spec const&, rank_room const&) = nullptr;
    void (*batch)(estimator_batch&, advantage_spec const&) = nullptr;
    double (*constant)(std::span<float const> rewards, advantage_spec const&) = nullptr;
    bool (*reads_batch)(advantage_spec const&) = nullptr;
    bool (*reads_lengths)(advantage_spec const&) = nullptr;

    /// Do an executor's kernels compute it from rewards and groups?
    [[nodiscard]] bool reads_rewards_alone() const { return groups != nullptr && on_device; }
};

/// All of them: those with an enumerator in its order, then the others by name. Written by CMake.
std::span<estimator_entry const> listed_estimators();

/// Throws error{invalid_argument} for a number of none.
estimator_entry const& estimator_of(estimator form);

}  // namespace optgap
