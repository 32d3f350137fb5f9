#pragma once

#include "optgap/engine.hpp"
#include "python/src/values/arrays.hpp"
#include "python/src/values/texts.hpp"

namespace optgap::python {

/// What Python hands over for one call of score; optional columns may be None.
struct score_arguments {
    int32_in task, words;
    int64_in offsets;
    nb::dict baselines;
    nb::object texts;
    int32_in instance_of;
    std::optional<int32_in> group, cohort, length, finished;
    int32_in format_of;
    std::string reward, advantage;
};

score_arguments read_score_arguments(nb::kwargs const& arguments);

/// Throws argument_error{"finish"} for a code that is none.
std::vector<finish> finishes_from(std::span<std::int32_t const> codes);

/// Which instance each row answers, and each instance's task and baseline.
struct row_origins {
    std::span<std::int32_t const> instance_of;
    std::span<std::int32_t const> task;
    std::span<baseline const> baselines;
};

/// The engine's request with what it borrows.
class score_inputs {
public:
    /// `threads`: of the engine, to read texts with.
    score_inputs(score_arguments const& in, std::int32_t threads);

    [[nodiscard]] grade_request const& rollouts() const { return request_; }
    [[nodiscard]] grouping const& among() const { return among_; }
    [[nodiscard]] row_origins origins() const {
        return {request_.instance_of,
                {request_.instances.task, std::size_t(request_.instances.blocks.rows)},
                request_.baselines};
    }

private:
    std::vector<baseline> baselines_;
    borrowed_texts texts_;
    std::vector<finish> finished_;
    grade_request request_;
    grouping among_;
};

/// What optgap.Scores says of a scored batch, by name; its answers as `words` and `offsets`.
nb::dict score_columns(score_batch&& found, row_origins const& of);

}  // namespace optgap::python
