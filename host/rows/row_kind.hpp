#pragma once
// A kind of rows: what a scorer (scorer.hpp) grades is of one kind or another, and each kind is one folder here, which
// CMake finds. The folder NAME has a NAME.cpp with `kind_entry NAME_rows()`. The least that one says, of rows
// {"length_of": "a text", "completion": "6"}:
//
//   class length_kind final : public row_kind {
//   public:
//       explicit length_kind(run_services& run) : run_(run) {}
//       kind_info const& info() const override { return about; }
//       claim claims(json_row const& row) const override {
//           return has(row, "length_of") ? claim::marked : claim::none;
//       }
//       void read(row_batch& batch) override {
//           batch.each([&](std::size_t i) { batch.rollouts[i] = read_rollout(batch.items[i].row, …); });
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
// tests/extension/kinds/toy is a whole one. Every verb gets a batch, whose rows may be of one line of a file or of
// 4096; how rows are cut into batches never changes what they earn.

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "host/baselines/given_baselines.hpp"
#include "host/rows/graded_row.hpp"
#include "host/rows/read/options.hpp"
#include "host/rows/read/rollout.hpp"
#include "host/rows/read/row_item.hpp"
#include "host/rows/read/task_table.hpp"
#include "host/rows/read/text_arena.hpp"
#include "host/rows/run_names.hpp"
#include "host/rows/run_report.hpp"
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

/// Codes of a kind, beside those that all rows share, in the order in which the first that applies is given.
struct code_range {
    std::int32_t begin = 0, end = 0;
    std::string_view (*name)(std::int32_t) = nullptr;
};

/// Where a kind's rows are graded, for those that plan the work: at once, in a slot of the sandbox, or by a worker.
enum class graded_in { call, slot, worker };

/// What a kind is, as data.
struct kind_info {
    std::string_view name;
    std::string_view page;      ///< of docs/
    std::string_view known_by;  ///< the columns that mark a row of this kind, for people
    /// Of a row that several kinds claim, the kind of the highest rank says why it is none of the others.
    std::int32_t rank = 0;
    std::span<column const> reads = {};
    std::span<column const> adds = {};
    std::span<option const> options = {};
    code_range codes = {};
    role of_role = role::solver;
    graded_in place = graded_in::call;
    /// What a row earns depends on the rows before it, as a duplicate does: rows are graded once all of their run are
    /// known, in its order.
    bool in_order = false;
};

/// Is a row of a kind? `marked` by a column of its own, or `by_default` for want of any mark.
enum class claim { none, by_default, marked };

/// The rows of one kind among those of a call.
struct row_batch {
    std::span<row_item> items;
    std::span<rollout> rollouts;    ///< one an item; `read` fills those of `mine`
    std::vector<std::size_t> mine;  ///< places of the kind's sound rows, ascending
    text_arena& texts;
    std::stop_token stop = {};  ///< asked to stop, nobody wants the rows any more: what runs for them may be killed

    /// `step(i)` of each of them; a field_error that it throws rejects the row, which is then no longer among them.
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
    /// What a row is grouped by: the group that it names, else `own`.
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
    bool ranks_scores = false;  ///< the solvers' advantages are of scores, not of rewards
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

class row_kind {
public:
    virtual ~row_kind() = default;
    [[nodiscard]] virtual kind_info const& info() const = 0;

    /// By columns alone, and cheaply: every row is shown to every kind.
    [[nodiscard]] virtual claim claims(json_row const& row) const = 0;
    /// Is what was asked about this kind's rows alone? Others are then read and not graded.
    [[nodiscard]] virtual bool alone() const { return false; }
    /// Reads the batch's rows and rejects those that cannot be graded. What it keeps of them lasts until `grade` ends.
    virtual void read(row_batch& batch) = 0;

    /// Rows that have to be graded before these: of an answer what a judge said. `parent` is a place in the batch.
    struct asked_row {
        row_item item;
        std::size_t parent;
    };
    virtual std::vector<asked_row> asks(row_batch& batch);
    /// Those rows, graded or rejected.
    virtual void answered(row_batch& batch, std::span<asked_row> asked, std::span<graded_row const> graded);

    /// Adds the instances whose baselines `grade` needs. May reject rows.
    virtual void wants(row_batch& batch, wanted_baselines& out);
    /// Writes the entries of the batch's rows: everything but `kind` and `of_role`. `known` has an entry for each of
    /// the wanted instances. May reject rows.
    virtual void grade(row_batch& batch, std::span<sourced_baseline const> known, std::span<graded_row> out) = 0;
    /// What was kept of a row that `grade` wrote leaves this run, for `put` of another scorer's kind to take a copy of
    /// and to name by `graded_row::entry`. A kind that keeps something and gives null has its rows graded again, once
    /// their run is known.
    [[nodiscard]] virtual std::shared_ptr<void> take(graded_row const& row);
    virtual void put(graded_row& row, std::shared_ptr<void> const& kept);
    /// Rewards that are of all the kind's rows of a run together, rejected ones left out.
    virtual void settle(std::span<graded_row* const> rows);

    /// A row's scores where estimators compare several, as many for each row of a group; empty: `graded_row::score`.
    [[nodiscard]] virtual std::span<double const> scores(graded_row const& row) const;
    /// The columns that `write` writes: `info().adds`, less what the options leave out.
    [[nodiscard]] virtual std::vector<std::string_view> added() const;
    /// Whether the row's baselines stand in columns of the kind, and not in `baseline`.
    [[nodiscard]] virtual bool has_baselines() const { return false; }
    virtual void write(row_sink& out, graded_row const& row) const;
    /// At the end of a run: what is to be said of its rows.
    virtual void tell(run_report& out) const;
    /// The run is over. What was kept of its rows goes; caches stay.
    virtual void forget() {}
};

/// A kind of this build: what it is, and how one is made for a scorer.
struct kind_entry {
    kind_info const* info;
    std::unique_ptr<row_kind> (*make)(run_services&);
};

template <class Kind>
std::unique_ptr<row_kind> make_kind(run_services& run) {
    return std::make_unique<Kind>(run);
}

/// By rank, the highest first. Those of a folder of -DOPTGAP_EXTENSIONS are among them.
std::span<kind_entry const> kind_entries();
/// The options of all of them, those of the lowest rank first; each name is there once.
std::span<option const> kind_options();

}  // namespace optgap::rows
