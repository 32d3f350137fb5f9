// Answers to instances of this build's tasks: {"key": "tsp@1:train:easy:1", "completion": "…"}. A row that no other
// kind claims is an answer.

#include <fmt/format.h>

#include "host/reward/posed_instances.hpp"
#include "host/rows/answer/answer_explanation.hpp"
#include "host/rows/answer/improved_baselines.hpp"
#include "host/rows/read/fields.hpp"
#include "host/rows/read/instances.hpp"
#include "host/rows/row_kind.hpp"

namespace optgap::rows {
namespace {

constexpr column answer_reads[] = {
    {"key", column_type::text, "names the instance: tsp@1:train:hard:42, perhaps with its hash"},
    {"task", column_type::text, "of an instance of your own"},
    {"instance", column_type::json, "an instance of your own, in the task's fields"},
    {"completion", column_type::text, "what the model wrote"},
    {"baseline", column_type::json, "{objective, bound, proven}; without it the instance is solved once"}};

constexpr kind_info answer_info{.name = "answer",
                                .page = "rewards.md",
                                .known_by = "`key`, or `task` and `instance`, and `completion`",
                                .rank = 0,
                                .reads = answer_reads};

class answer_kind final : public row_kind {
public:
    explicit answer_kind(run_services& run) : run_(run), improved_(run.options.improved), instances_(run.tasks) {}

    kind_info const& info() const override { return answer_info; }
    claim claims(json_row const&) const override { return claim::by_default; }

    void read(row_batch& batch) override {
        rollout const* before = nullptr;
        batch.each([&](std::size_t i) {
            batch.rollouts[i] = read_rollout(batch.items[i], run_.options, batch.texts, format_use::answers, before);
            before = &batch.rollouts[i];
            require_tokens(batch.rollouts[i], run_.reward);
        });
    }

    void wants(row_batch& batch, wanted_baselines& out) override {
        instances_.resolve(batch.items, batch.mine);
        batch.drop_rejected();
        wanted_.assign(batch.items.size(), -1);
        for (std::size_t const i : batch.mine) {
            if (!batch.rollouts[i].given) {
                std::int32_t const at = batch.items[i].instance;
                wanted_[i] = out.add(instances_.id(at), instances_.words(at), instances_.specs()[std::size_t(at)]);
            }
        }
    }

    void grade(row_batch& batch, std::span<sourced_baseline const> known, std::span<graded_row> out) override {
        for (std::size_t const i : batch.mine) {
            if (wanted_[i] >= 0 && !known[std::size_t(wanted_[i])].damage.empty()) {
                batch.items[i].reject("baselines", known[std::size_t(wanted_[i])].damage);
            }
        }
        batch.drop_rejected();
        group_.assign(batch.items.size(), -1);
        own_group_.assign(std::size_t(instances_.size()), -1);
        batch.each([&](std::size_t i) {
            instance_id const& id = instances_.id(batch.items[i].instance);
            group_[i] = group_of(batch, i);
            if (batch.rollouts[i].given) {
                run_.require_given(i, group_[i], {id.task, id.hash, *batch.rollouts[i].given, "baseline"});
            }
        });
        auto const baseline_of = [&](std::size_t i) -> baseline const& {
            return batch.rollouts[i].given ? *batch.rollouts[i].given : known[std::size_t(wanted_[i])].value;
        };
        posed_instances posed;
        std::vector<std::string_view> texts;
        std::vector<std::int32_t> instance_of, format_of, length;
        std::vector<finish> finished;
        for (std::size_t const i : batch.mine) {
            std::int32_t const instance = batch.items[i].instance;
            rollout const& roll = batch.rollouts[i];
            instance_of.push_back(posed.row(std::uint64_t(instance), instances_.task(instance),
                                            instances_.words(instance), baseline_of(i)));
            texts.push_back(roll.completion);
            format_of.push_back(roll.format);
            finished.push_back(roll.finished);
            length.push_back(roll.length);
        }
        grade_batch const found = run_.by.grade({.instances = posed.instances().view(),
                                                 .baselines = posed.baselines(),
                                                 .texts = texts,
                                                 .instance_of = instance_of,
                                                 .length = length,
                                                 .finished = finished,
                                                 .format_of = format_of,
                                                 .reward = run_.reward});
        for (std::size_t next = 0; next < batch.mine.size(); ++next) {
            std::size_t const i = batch.mine[next];
            baseline const& base = baseline_of(i);
            instance_id const& id = instances_.id(batch.items[i].instance);
            row_facts const facts(found.rows[next], found.verdicts[next]);
            graded_row& row = out[i];
            row.value = found.rows[next];
            row.reached = facts.feasible && row.value.raw_ratio >= 1;
            row.objective = facts.objective;
            row.violation = facts.violation;
            row.score = facts.objective == no_objective ? 0.0 : double(facts.objective);
            row.direction = run_.by.tasks()[std::size_t(id.task)].objective_sense;
            row.answer = found.parsed[next].answer;
            row.baseline_objective = base.objective;
            row.baseline_bound = base.bound;
            row.proven = base.proven();
            row.baseline_kind = baseline_kind_of(base);
            row.task = id.task;
            row.length = batch.rollouts[i].length;
            row.format = batch.rollouts[i].format;
            row.group = group_[i];
        }
        for (std::int64_t const row : found.beaten) {
            std::int32_t const at = instance_of[std::size_t(row)];
            baseline const& base = posed.baselines()[std::size_t(at)];
            improved_.add(batch.items[batch.mine[std::size_t(row)]].row,
                          run_.by.tasks()[std::size_t(posed.instances().task[std::size_t(at)])],
                          posed.instances().blocks.row(at), found.answers.row(row),
                          found.verdicts[std::size_t(row)].objective, base);
            beat_proven_ += base.proven() ? 1 : 0;
            beat_unproven_ += !base.proven() && base.objective != no_objective ? 1 : 0;
        }
    }

    /// Keeps nothing, but counts what beats its baseline.
    void put(graded_row& row, std::shared_ptr<void> const&) override {
        bool const none = row.baseline_objective == no_objective;
        bool const beats = row.objective != no_objective &&
                           (none || (row.direction == sense::maximise ? row.objective > row.baseline_objective
                                                                      : row.objective < row.baseline_objective));
        beat_proven_ += beats && row.proven ? 1 : 0;
        beat_unproven_ += beats && !row.proven && !none ? 1 : 0;
    }

    finding find(explained_rows const& rows) override { return find_answer(run_, rows.item(), rows.row().value); }
    explanation explain(explained_rows const& rows) override { return explain_answer(run_, rows.item()); }
    std::optional<explanation> explain_unscored(row_item& item) override {
        bool const bare = !has(item.row, "completion") && item.row.find("answer") != nullptr;
        return bare ? std::optional(explain_answer(run_, item)) : std::nullopt;
    }

    void tell(run_report& out) const override {
        if (beat_unproven_ > 0) {
            out.note(
                fmt::format("{} answer{} beat a baseline that is not proven: quality is clipped to 1, raw_ratio is not",
                            beat_unproven_, beat_unproven_ == 1 ? "" : "s"));
        }
        if (beat_proven_ > 0) {
            out.warn(fmt::format(
                "ALARM: {} answer{} beat a baseline that is said to be proven: the baseline or a verifier is wrong",
                beat_proven_, beat_proven_ == 1 ? "" : "s"));
        }
    }

    void forget() override { beat_proven_ = beat_unproven_ = 0; }

private:
    /// The group that the row names, else the one of its instance.
    std::int32_t group_of(row_batch const& batch, std::size_t i) {
        std::int32_t const at = batch.items[i].instance;
        std::int32_t& own = own_group_[std::size_t(at)];
        bool const is_own = batch.rollouts[i].group.empty();
        if (is_own && own >= 0) {
            return own;
        }
        instance_id const& id = instances_.id(at);
        std::int32_t const found = run_.names.group(batch.group_of(i, fmt::format("{} {}", id.task, hex32(id.hash))));
        own = is_own ? found : own;
        return found;
    }

    run_services& run_;
    improved_baselines improved_;
    instance_set instances_;
    std::vector<std::int32_t> wanted_;     ///< per item of the batch; -1: the row brings its baseline
    std::vector<std::int32_t> group_;      ///< per item of the batch
    std::vector<std::int32_t> own_group_;  ///< per instance; -1: no row is in its group yet
    std::int64_t beat_proven_ = 0, beat_unproven_ = 0;
};

}  // namespace

kind_entry answer_rows() { return {&answer_info, make_kind<answer_kind>}; }

}  // namespace optgap::rows
