#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include <nanobind/nanobind.h>

#include "host/rows/scorer.hpp"
#include "python/src/baseline_source.hpp"
#include "python/src/programs.hpp"
#include "python/src/values/arrays.hpp"

namespace optgap::python {

namespace nb = nanobind;

/// A lock that is taken within a scope and held beyond it.
struct held_turn {
    std::mutex& of;
    bool mine = false;

    void take() {
        of.lock();
        mine = true;
    }
    ~held_turn() {
        if (mine) {
            of.unlock();
        }
    }
};

/// Rows of any kind, graded in this process. Calls of several threads take turns; each is a run of its own.
class bound_scorer {
public:
    /// `options`: as rows::parse_score_options reads them. `runner`: programs run in its sandboxes, and end when it is
    /// closed; null: in the scorer's own.
    bound_scorer(std::shared_ptr<engine const> by, std::string const& options, bound_baseline_source const& baselines,
                 bound_program_runner const* runner = nullptr);

    /// A list of dicts, each with the columns that its kind adds, or with `error`. `rows`: dicts of what JSON can hold.
    nb::list score(nb::handle rows);
    /// Columns, as optgap.rows.ScoredColumns has them. `rows`: the JSON text of each row without its completion;
    /// `completions`: str or bytes. `finish`, `length`, `group`: one an entry, or None; a group is a number.
    nb::dict score_columns(nb::handle rows, nb::handle completions, std::optional<int32_in> const& finished,
                           std::optional<int32_in> const& length, std::optional<int32_in> const& group);
    /// The kind of each row; empty for a row of none.
    nb::list kinds(nb::handle rows);
    /// Of each row a tuple: its kind, the name of its problem, task and level; raises for a row that names none.
    nb::list problems(nb::handle rows);
    /// One row as `optgap explain` prints it. `instance`: of a program; -1: the first that is not feasible.
    nb::object explain(nb::handle row, std::int32_t instance);
    /// What a model may be told of one row, by the level's name.
    nb::object feedback(nb::handle row, std::string const& level);
    [[nodiscard]] std::string const& fingerprint() const { return inner_.fingerprint(); }
    [[nodiscard]] std::string record() const { return inner_.record(); }
    /// What the last call is to be told of: sentences, and whether rows were lost to the machine.
    [[nodiscard]] nb::list told() const;
    /// Ends the programs of a call under way, and returns when it has ended; later calls throw.
    void close();

private:
    /// Calls `read`, takes the turn and calls `work`, all without the GIL. While rows are out in other processes, an
    /// interrupt of this thread, `close` and the end of the runner stop them; an interrupt is then thrown.
    void work_on(std::span<rows::row_item> items, held_turn& turn, std::function<void()> const& read,
                 std::function<void(std::stop_token const&)> const& work);
    /// Calls `work` with the row as an item, without the GIL.
    template <class Work>
    nb::object text_of(nb::handle row, Work const& work);

    std::shared_ptr<engine const> by_;
    std::shared_ptr<program_runner> runner_;  ///< kept open for its sandboxes; null: none is shared
    std::stop_token runner_ends_;
    std::stop_source stop_;
    std::mutex turn_;
    rows::scorer inner_;
    rows::run_report last_;
    std::size_t usual_bytes_ = 0;  ///< of a call's rows as JSON; under the GIL
};

void bind_rows(nb::module_& m);
void bind_codes(nb::module_& m);

}  // namespace optgap::python
