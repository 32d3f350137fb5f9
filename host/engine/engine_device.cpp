// device_store: the lifetime of sets on a GPU, and the checks of its verbs' arguments.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <list>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "host/engine/engine_state.hpp"
#include "host/engine/group_rules.hpp"
#include "host/executor/resident.hpp"
#include "host/process/left_to_parent.hpp"
#include "kernels/reward/added.hpp"
#include "optgap/device/store.hpp"
#include "optgap/fork.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

constexpr std::int64_t min_memory = std::int64_t(1) << 20;
constexpr std::int64_t max_rows = std::int64_t(1) << 30;

bool same(std::span<instance_spec const> a, std::span<instance_spec const> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](instance_spec const& x, instance_spec const& y) {
        return x.task == y.task && x.level.code == y.level.code && x.part == y.part && x.seed == y.seed;
    });
}

void require(bool holds, char const* sentence) {
    if (!holds) {
        misuse(sentence);
    }
}

void require_stream(void* stream) {
    require(stream != nullptr,
            "stream: 0 may be either default stream; expected 1 (legacy), 2 (the thread's own) or a cudaStream_t");
}

void require_rows(std::int64_t rows) {
    if (rows < 0 || rows > max_rows) {
        misuse("rows: expected 0 to " + std::to_string(max_rows) + ", got " + std::to_string(rows));
    }
}

void require_instances(std::int64_t rows, std::int32_t const* instance_of, std::int64_t instances) {
    if (rows > 0 && instances == 0) {
        misuse("instances: the set is empty, and there are " + std::to_string(rows) + " rows");
    }
    if (instance_of == nullptr && rows > instances) {
        misuse("instance_of: none is given for " + std::to_string(rows) + " rows, and the set has " +
               std::to_string(instances) + " instances");
    }
}

template <class Placed>
std::int64_t count_of(std::shared_ptr<Placed const> const& placed, std::int64_t Placed::*count) {
    return placed ? (*placed).*count : 0;
}

}  // namespace

struct device_store::state {
    struct kept {
        std::vector<instance_spec> specs;
        std::shared_ptr<resident_set const> placed;
    };

    ~state() {
        sets.clear();
        leave_to_parent(std::move(gpu), born);
    }

    /// Called first by every public call; takes no lock, for a forked child.
    [[nodiscard]] resident& here() const {
        if (born != fork_generation()) {
            throw error(status::device_unavailable,
                        "this process was forked from the one whose GPU the store is on; start it with spawn or exec");
        }
        return *gpu;
    }
    /// The same, but first throws what earlier calls found wrong.
    [[nodiscard]] resident& ready() const {
        resident& at = here();
        if (std::string const wrong = at.fault(); !wrong.empty()) {
            misuse(wrong);
        }
        return at;
    }
    template <class Values>
    auto placed(Values const& values, std::int64_t bytes = -1) {
        for (;;) {
            if (auto found = here().put(values); found) {
                return left_to_parent(std::move(found));
            }
            if (!drop_one()) {
                throw error(status::out_of_memory,
                            "the store has " + std::to_string(gpu->room()) + " bytes, of which " +
                                std::to_string(gpu->used()) + " are of sets that are held, and no room for " +
                                (bytes < 0 ? "these instances" : "some " + std::to_string(bytes) + " more") +
                                " in one piece; drop sets, or make it with more memory");
            }
        }
    }
    /// Drops the least recently requested set without a handle.
    bool drop_one() {
        std::lock_guard const alone(lock);
        auto const unheld = [](kept const& set) { return set.placed.use_count() == 1; };
        auto const last = std::find_if(sets.rbegin(), sets.rend(), unheld);
        if (last == sets.rend()) {
            return false;
        }
        sets.erase(std::next(last).base());
        ++counts.dropped;
        return true;
    }
    void require_own(device_set const& set) const {
        require(set.placed_ != nullptr, "instances: the handle is empty; expected a set of this store");
        require(set.placed_->owner == gpu.get(), "instances: the set is of another store");
    }

    void require_answers(device_set const& set, device_answers const& answers, void* stream) const {
        require_stream(stream);
        require_own(set);
        require_rows(answers.rows);
        require_instances(answers.rows, answers.instance_of, set.size());
        require(answers.rows == 0 || answers.offsets != nullptr, "answers: expected offsets");
        require(answers.words_size >= 0 && (answers.words_size == 0 || answers.words != nullptr),
                "answers: expected as many words as words_size says");
    }

    std::uint32_t born = fork_generation();
    std::shared_ptr<resident> gpu;
    std::vector<bool> improves;  ///< per task: it has a search
    std::int64_t steps_a_launch = 0;
    mutable std::mutex lock;
    std::list<kept> sets;  ///< the most recently requested in front
    device_store_statistics counts;
};

std::int64_t device_set::size() const { return count_of(placed_, &resident_set::instances); }
std::int64_t device_set::answer_words() const { return count_of(placed_, &resident_set::answer_words); }
device_instances device_set::lend() const {
    require(placed_ != nullptr, "instances: the handle is empty");
    placed_->lent = true;
    return {placed_->task, placed_->words, placed_->offsets, placed_->instances, placed_->words_size};
}
std::int64_t device_baselines::size() const { return count_of(placed_, &resident_baselines::count); }

device_store::device_store(engine const& by, device_store_options const& options) : state_(std::make_unique<state>()) {
    if (options.memory < min_memory) {
        misuse("memory: expected at least " + std::to_string(min_memory) + " bytes, got " +
               std::to_string(options.memory));
    }
    if (options.steps_a_launch < 1) {
        misuse("steps_a_launch: expected at least 1, got " + std::to_string(options.steps_a_launch));
    }
    state_->steps_a_launch = options.steps_a_launch;
    for (task_info const& task : by.tasks()) {
        state_->improves.push_back(task.improves);
    }
    state_->gpu = by.state_->guard.on_gpu([&](executor& gpu) { return gpu.make_resident(options.memory); });
}
device_store::~device_store() = default;
device_store::device_store(device_store&&) noexcept = default;
device_store& device_store::operator=(device_store&&) noexcept = default;

device_set device_store::keep(std::span<instance_spec const> specs) {
    static_cast<void>(state_->here());
    {
        std::lock_guard const alone(state_->lock);
        auto const found = std::find_if(state_->sets.begin(), state_->sets.end(),
                                        [&](state::kept const& set) { return same(set.specs, specs); });
        if (found != state_->sets.end()) {
            state_->sets.splice(state_->sets.begin(), state_->sets, found);
            ++state_->counts.found;
            return device_set(state_->sets.front().placed);
        }
    }
    require_specs(specs);
    require(std::int64_t(specs.size()) <= max_rows, "instances: too many for one set");
    device_set out(state_->placed(specs));
    std::lock_guard const alone(state_->lock);
    state_->sets.push_front({{specs.begin(), specs.end()}, out.placed_});
    ++state_->counts.made;
    return out;
}

device_set device_store::keep(instance_view instances) {
    require(instances.blocks.space == memory::host, "instances: expected host memory, got device memory");
    require(instances.blocks.rows <= std::numeric_limits<std::int32_t>::max(), "instances: too many for one set");
    std::int64_t const tasks = std::int64_t(registry().size());
    for (std::int64_t i = 0; i < instances.blocks.rows; ++i) {
        if (instances.task[i] < 0 || instances.task[i] >= tasks) {
            misuse("instances: row " + std::to_string(i) + " names task index " + std::to_string(instances.task[i]) +
                   ", but there are " + std::to_string(tasks) + " tasks");
        }
    }
    std::int64_t const words =
        instances.blocks.rows == 0 ? 0 : instances.blocks.offsets[instances.blocks.rows] - instances.blocks.offsets[0];
    return device_set(
        state_->placed(instances, words * std::int64_t(sizeof(std::int32_t)) + instances.blocks.rows * 16));
}

device_baselines device_store::keep(std::span<baseline const> baselines) {
    return device_baselines(state_->placed(baselines, std::int64_t(baselines.size_bytes())));
}

std::uint64_t device_store::verify(device_set const& instances, device_answers const& answers, verdict* out,
                                   void* stream) {
    resident& at = state_->ready();
    state_->require_answers(instances, answers, stream);
    require(answers.rows == 0 || out != nullptr, "answers: expected a place for the verdicts");
    return at.verify(*instances.placed_, answers, out, stream);
}

std::uint64_t device_store::reward(device_set const& instances, device_baselines const& baselines,
                                   device_rollouts const& rollouts, reward_rules const& rules, reward_row* out,
                                   float* rewards, void* stream) {
    resident& at = state_->ready();
    require_stream(stream);
    state_->require_own(instances);
    require(baselines.placed_ != nullptr, "baselines: the handle is empty; expected baselines of this store");
    require(baselines.placed_->owner == state_->gpu.get(), "baselines: they are of another store");
    require_rows(rollouts.rows);
    require_instances(rollouts.rows, rollouts.instance_of, instances.size());
    if (baselines.size() != instances.size()) {
        misuse("baselines: expected one per instance (" + std::to_string(instances.size()) + "), got " +
               std::to_string(baselines.size()));
    }
    require(rollouts.rows == 0 || (rollouts.verdicts != nullptr && out != nullptr),
            "rollouts: expected verdicts, and a place for the rows");
    require(!rules.specs.empty() && (rules.of_task.empty() || rules.of_task.size() == registry().size()),
            "reward: expected a spec, and none or one entry per task of the build");
    for (std::int32_t const entry : rules.of_task) {
        require(entry >= 0 && std::size_t(entry) < rules.specs.size(),
                "reward: a task's entry names none of its specs");
    }
    require(!reads_lengths(rules) || rollouts.rows == 0 || rollouts.length != nullptr,
            "length: the reward reads tokens, and there are none");
    for (reward_spec const& spec : rules.specs) {
        if (is_added(spec.shape)) {
            misuse("reward.shape: " + std::string(shape_of(spec.shape).info->name) +
                   " is of a package of Python, which no GPU computes; score these rows on the host");
        }
    }
    return at.reward(*instances.placed_, *baselines.placed_, rollouts, rules, out, rewards, stream);
}

std::uint64_t device_store::improve(device_set const& instances, device_answers const& starts, std::int64_t steps,
                                    std::uint64_t seed, device_searches const& out, void* stream) {
    resident& at = state_->ready();
    state_->require_answers(instances, starts, stream);
    if (steps < 0) {
        misuse("steps: expected 0 or more, got " + std::to_string(steps));
    }
    require(out.offsets != nullptr && (starts.rows == 0 || (out.words != nullptr && out.rows != nullptr)),
            "out: expected words, offsets, and a place for the results");
    if (std::int64_t const least = starts.rows * instances.answer_words(); out.words_size < least) {
        misuse("out_words: expected at least " + std::to_string(least) + ", " +
               std::to_string(instances.answer_words()) + " for each row's answer, got " +
               std::to_string(out.words_size));
    }
    std::uintptr_t const from = std::uintptr_t(starts.words), to = std::uintptr_t(out.words);
    require(from + std::uintptr_t(starts.words_size) * sizeof(std::int32_t) <= to ||
                to + std::uintptr_t(out.words_size) * sizeof(std::int32_t) <= from,
            "out: its words are where the starts are; a search writes while others read");
    return at.improve(*instances.placed_, starts, {steps, state_->steps_a_launch, seed, state_->improves}, out, stream);
}

std::uint64_t device_store::advantages(device_rewards const& in, advantage_spec const& spec, float* out, void* stream) {
    resident& at = state_->ready();
    require_stream(stream);
    require_rows(in.rows);
    if (!estimator_of(spec.form).reads_rewards_alone() || reads_whole_batch(spec)) {
        std::string others;
        for (estimator_entry const& each : listed_estimators()) {
            if (each.reads_rewards_alone() && !reads_whole_batch({.form = each.form})) {
                others += (others.empty() ? "" : ", ") + std::string(each.info->name) +
                          (each.reads_batch != nullptr ? " by group" : "");
            }
        }
        misuse("advantage: " + to_json(spec) +
               " reads more than a group's rewards; on columns in device memory expected " + others);
    }
    require(spec.of_one != lone_row::refuse,
            "of_one: refuse needs a look at the groups before the call; expected zero or as_is");
    require(in.rows == 0 || (in.rewards != nullptr && in.group != nullptr && out != nullptr),
            "rewards: expected a reward and a group per row, and a place for the advantages");
    return at.advantages(in, rule_of({}, spec), out, stream);
}

std::uint64_t device_store::ended() { return state_->here().ended(); }

void device_store::wait() {
    state_->here().wait();
    static_cast<void>(state_->ready());
}

int device_store::ordinal() const { return state_->here().ordinal(); }

device_store_statistics device_store::statistics() const {
    resident const& at = state_->here();
    std::lock_guard const alone(state_->lock);
    device_store_statistics out = state_->counts;
    out.memory = at.room();
    out.used = at.used();
    out.sets = std::int64_t(state_->sets.size());
    out.calls = std::int64_t(at.calls());
    return out;
}

}  // namespace optgap
