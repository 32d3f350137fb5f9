#pragma once

#include <memory>
#include <mutex>

#include <nanobind/nanobind.h>

#include "host/rows/scorer.hpp"
#include "python/src/baseline_source.hpp"

namespace optgap::python {

namespace nb = nanobind;

/// Rows of any kind, graded in this process. Calls of several threads take turns; each is a run of its own.
class bound_scorer {
public:
    /// `options`: as rows::parse_score_options reads them.
    bound_scorer(std::shared_ptr<engine const> by, std::string const& options, bound_baseline_source const& baselines);

    /// A list of dicts, each with the columns that its kind adds, or with `error`. `rows`: dicts of what JSON can hold.
    nb::list score(nb::handle rows);
    /// One row as `optgap explain` prints it. `instance`: of a program; -1: the first that is not feasible.
    nb::object explain(nb::handle row, std::int32_t instance);
    /// What a model may be told of one row, by the level's name.
    nb::object feedback(nb::handle row, std::string const& level);
    [[nodiscard]] std::string const& fingerprint() const { return inner_.fingerprint(); }
    [[nodiscard]] std::string record() const { return inner_.record(); }
    /// What the last call is to be told of: sentences, and whether rows were lost to the machine.
    [[nodiscard]] nb::list told() const;

private:
    /// Calls `work` with the row as an item, without the GIL.
    template <class Work>
    nb::object text_of(nb::handle row, Work const& work);

    std::shared_ptr<engine const> by_;
    std::mutex turn_;
    rows::scorer inner_;
    rows::run_report last_;
    std::size_t usual_bytes_ = 0;  ///< of a call's rows as JSON; under the GIL
};

void bind_rows(nb::module_& m);

}  // namespace optgap::python
