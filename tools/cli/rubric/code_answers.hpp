#pragma once
// Checks in Python in `optgap rubric check|floors|explain`: they run in the sandbox, as in `optgap score --isolation`.

#include <optional>
#include <string_view>

#include "host/program_runs/code_checks.hpp"
#include "host/program_runs/shared_sandboxes.hpp"
#include "tools/cli/rubric/rubric_commands.hpp"

namespace optgap::cli {

/// What many rows ask about is gathered by one pass and runs all at once; a second pass has the answers.
class code_answers {
public:
    explicit code_answers(rubric_row_options const& options);

    /// Throws field_error for a rubric with checks in Python where --isolation was not given.
    void require(rubrics::text_rubric const& rubric, std::string_view command) const;
    rubrics::code_judge& gathering() { return gathered_; }
    /// Bytes of the texts that wait.
    [[nodiscard]] std::size_t waiting() const { return gathered_.bytes(); }
    /// Runs what was gathered and answers. Throws error where nothing here holds Python, or the machine fails.
    rubrics::code_judge& answering();

private:
    program_runs::sandbox_place place_;
    program_runs::shared_sandboxes sandboxes_;
    std::optional<programs::code_checks> known_;
    programs::code_gatherer gathered_;
};

}  // namespace optgap::cli
