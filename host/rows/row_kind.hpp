#pragma once
// The kinds of rows that a scorer (scorer.hpp) grades. Each kind is one folder here, which CMake finds: the folder NAME
// has a NAME.cpp that defines `kind_entry NAME_rows()`. A minimal kind, for rows {"length_of": "a text", "completion":
// "6"}:
//
//   class length_kind final : public row_kind {
//   public:
//       explicit length_kind(run_services& run) : run_(run) {}
//       kind_info const& info() const override { return about; }
//       claim claims(json_row const& row) const override {
//           return has(row, "length_of") ? claim::marked : claim::none;
//       }
//       void read(row_batch& batch) override {
//           batch.each([&](std::size_t i) { batch.rollouts[i] = read_rollout(batch.items[i], …); });
//       }
//       void grade(row_batch& batch, std::span<sourced_baseline const>, std::span<graded_row> out) override {
//           for (std::size_t const i : batch.mine) {
//               bool const right = …;
//               out[i].value = … ;
//               out[i].task = run_.names.task("length");
//               out[i].group = run_.names.group(batch.group_of(i, "lengths"));
//           }
//       }
//   };
//   kind_entry length_rows() { return {&about, make_kind<length_kind>}; }
//
// tests/extension/kinds/toy is a complete one. Every function gets a batch, whose rows may be one line of a file or
// 4096. How rows are cut into batches never changes their rewards.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "host/baselines/given_baselines.hpp"
#include "host/rows/explanation.hpp"
#include "host/rows/graded_row.hpp"
#include "host/rows/read/options.hpp"
#include "host/rows/read/rollout.hpp"
#include "host/rows/read/row_item.hpp"
#include "host/rows/read/run_report.hpp"
#include "host/rows/read/task_table.hpp"
#include "host/rows/read/text_arena.hpp"
#include "host/rows/run_names.hpp"
#include "host/rows/shared_services.hpp"
#include "host/rows/wanted_baselines.hpp"
#include "optgap/engine.hpp"

namespace optgap::rows {

enum class column_type { boolean, integer, real, text, json };

/// A column that a kind's rows have, or that scoring adds to them.
struct column {
    std::string_view name;
    column_type type = column_type::text;
    std::string_view meaning;  ///< with the unit and the range of a number
};

/// A kind's codes, beside those that all rows share. The first code in this order that applies is given.
struct code_range {
    std::int32_t begin = 0, end = 0;
    std::string_view (*name)(std::int32_t) = nullptr;
};

/// Where a kind's rows are graded, for callers that plan the work: in the call itself, in a slot of the sandbox, or by
/// a worker.
enum class graded_in { call, slot, worker };

/// The rows of the same kind and run on which a row's result depends, as a duplicate does. Where there are any, rows
/// are graded once all of their run are known, in its order.
enum class rows_beside { none, earlier, all };

/// What a kind is, as data.
struct kind_info {
    std::string_view name;
    std::string_view page;      ///< its page in docs/
    std::string_view known_by;  ///< the columns that mark a row of this kind, for people
    /// Of several kinds that mark a row, the one of the highest rank gets it and rejects it with the reason.
    std::int32_t rank = 0;
    std::span<column const> reads = {};
    std::span<column const> adds = {};
    std::span<option const> options = {};
    code_range codes = {};
    role of_role = role::solver;
    graded_in place = graded_in::call;
    rows_beside beside = rows_beside::none;
    std::string_view version = {};  ///< of a kind that is not of this build; the run's record holds it
};

/// Whether a row is of a kind: `marked` by a column of the kind's own, or `by_default` where no kind marks it.
enum class claim { none, by_default, marked };

/// The rows of one kind among those of a call.
struct row_batch {
    std::span<row_item> items;
    std::span<rollout> rollouts;    ///< one an item; `read` fills those of `mine`
    std::vector<std::size_t> mine;  ///< places of the kind's sound rows, ascending
    text_arena& texts;
    std::stop_token stop = {};  ///< asked to stop, nobody wants the rows any more: what runs for them may be killed

    /// Calls `step(i)` for each of them. A field_error that it throws rejects the row and removes it from `mine`.
    template <class Step>
    void each(Step const& step) {
        for (std::size_t const i : mine) {
            try {
                step(i);
            } catch (field_error const& broken) {
                items[i].reject(broken.field(), broken.rule());
            }
        }
        drop_rejected();
    }
    void drop_rejected() {
        std::erase_if(mine, [this](std::size_t i) { return !items[i].sound(); });
    }
    /// The name of a row's group: the one that the row gives, else `own`.
    [[nodiscard]] std::string group_of(std::size_t i, std::string own) const {
        return rollouts[i].group.empty() ? std::move(own) : "group " + std::string(rollouts[i].group);
    }
};

/// A baseline that a row brings for an instance, held against those of its group's other rows.
struct brought_baseline {
    std::int32_t task = 0;
    instance_hash instance;
    baseline given;
    std::string field;  ///< of the row
};

/// What a run gives to its kinds. All of it outlives them.
struct run_services {
    engine const& by;
    task_table const& tasks;
    score_options const& options;
    reward_rules const& reward;
    bool ranks_scores = false;  ///< the solvers' advantages compare scores, not rewards
    run_names names;
    given_baselines given;  ///< what rows of the run have brought
    /// What kinds of several scorers have one of: sandboxes, proofs. Null: this scorer is the only one.
    std::shared_ptr<shared_services> shared = {};
    /// One an item while rows are graded ahead of their run, which is not known yet; else empty.
    std::span<std::vector<brought_baseline>> brought = {};

    /// Throws field_error where an earlier row of the group brought another baseline for the instance. A row that is
    /// graded ahead of its run is held against the others when it joins them.
    void require_given(std::size_t row, std::int32_t group, brought_baseline const& one);
};

/// What a row is one of several tries at, and where it counts in tables.
struct row_problem {
    std::string name;  ///< equal for rows of one problem
    std::string task;
    std::string level;
};

class row_kind {
public:
    virtual ~row_kind() = default;
    [[nodiscard]] virtual kind_info const& info() const = 0;

    /// The problem that the row is a try at, as far as its fields tell, also of a row that `score` wrote: nothing is
    /// graded. By default the `key` names it, where the kind reads one; else all that the kind reads but the completion
    /// does. Throws field_error.
    [[nodiscard]] virtual row_problem problem(json_row const& row) const;

    /// Judges by columns alone and must be fast, since every row is shown to every kind.
    [[nodiscard]] virtual claim claims(json_row const& row) const = 0;
    /// Whether the caller asked about this kind's rows alone. Rows of other kinds are then read but not graded.
    [[nodiscard]] virtual bool alone() const { return false; }
    /// Reads the batch's rows and rejects those that cannot be graded. What it keeps of them lasts until `grade` ends.
    virtual void read(row_batch& batch) = 0;

    /// A row that has to be graded before these, such as the answer that a judge assessed. `parent` is a place in the
    /// batch.
    struct asked_row {
        row_item item;
        std::size_t parent;
    };
    virtual std::vector<asked_row> asks(row_batch& batch);
    /// Receives those rows, graded or rejected.
    virtual void answered(row_batch& batch, std::span<asked_row> asked, std::span<graded_row const> graded);

    /// Adds the instances whose baselines `grade` needs. May reject rows.
    virtual void wants(row_batch& batch, wanted_baselines& out);
    /// Fills `out` for the batch's rows, except `kind` and `of_role`. `known` has an entry for each wanted instance.
    /// May reject rows.
    virtual void grade(row_batch& batch, std::span<sourced_baseline const> known, std::span<graded_row> out) = 0;
    /// What was kept of a row that `grade` wrote leaves this run, for `put` of another scorer's kind to take a copy of
    /// and to name by `graded_row::entry`. A kind that keeps something and gives null has its rows graded again, once
    /// their run is known.
    [[nodiscard]] virtual std::shared_ptr<void> take(graded_row const& row);
    virtual void put(graded_row& row, std::shared_ptr<void> const& kept);
    /// Rewards that are of all the kind's rows of a run together, rejected ones left out.
    virtual void settle(std::span<graded_row* const> rows);

    /// A row's scores for estimators that compare several, equally many for each row of a group. Empty:
    /// `graded_row::score`.
    [[nodiscard]] virtual std::span<double const> scores(graded_row const& row) const;
    /// The columns that `write` writes: `info().adds`, less what the options leave out.
    [[nodiscard]] virtual std::vector<std::string_view> added() const;
    /// Whether the row's baselines stand in columns of the kind instead of in `baseline`.
    [[nodiscard]] virtual bool has_baselines() const { return false; }
    virtual void write(row_sink& out, graded_row const& row) const;
    /// What a model may be told of a row. It names neither optimum, bound nor baseline, and nothing of hidden instances
    /// and references.
    [[nodiscard]] virtual finding find(explained_rows const& rows);
    /// The same row for people: by default its completion, its code and its columns.
    [[nodiscard]] virtual explanation explain(explained_rows const& rows);
    /// Explains a row that has nothing to score, such as an answer without a completion; nullopt: it has to be scored.
    /// May reject the row.
    [[nodiscard]] virtual std::optional<explanation> explain_unscored(row_item& item);
    /// How many hidden instances explain can show one of; 0: the kind has none.
    [[nodiscard]] virtual std::int32_t hidden_instances(graded_row const& row) const;
    /// Adds the kind's remarks on its rows at the end of a run.
    virtual void tell(run_report& out) const;
    /// Ends the run: drops what was kept of its rows and keeps caches.
    virtual void forget() {}
};

/// A kind of this build and the function that makes it for a scorer.
struct kind_entry {
    kind_info const* info;
    std::function<std::unique_ptr<row_kind>(run_services&)> make;
};

template <class Kind>
std::unique_ptr<row_kind> make_kind(run_services& run) {
    return std::make_unique<Kind>(run);
}

/// Sorted by rank, the highest first. Includes kinds from the folder -DOPTGAP_EXTENSIONS.
std::span<kind_entry const> kind_entries();
/// The options of all kinds, those of the lowest rank first. Each name occurs once.
std::span<option const> kind_options();

}  // namespace optgap::rows
