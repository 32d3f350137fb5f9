#pragma once  // Experimental.
// Grades rows of any kind, as `optgap score` does, for a program that links the library.
//
//   engine const by;
//   row_scorer scorer(by, R"({"reward": "power"})");
//   for (std::string const& row : scorer.score({R"({"key": "tsp@1:train:easy:1", "completion": "…"})"})) { … }

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap {

/// How much a model is told of its row: whether its form is right and whether it breaks a rule; the rule that it
/// breaks; the place where. No level tells the optimum, a bound, the baseline or what would give them away.
enum class feedback_level : std::int32_t { verdict = 0, rule, place };

/// One thread at a time. Keeps proven baselines, compiled rubrics and open sandboxes from call to call.
class row_scorer {
public:
    /// `options`: a JSON object of what `optgap score` takes, with `_` for `-` (docs/rows.md). `by` must outlive it.
    /// Throws field_error for an option that is unknown or does not fit.
    explicit row_scorer(engine const& by, std::string_view options = "{}");
    ~row_scorer();
    row_scorer(row_scorer&&) noexcept;
    row_scorer& operator=(row_scorer&&) noexcept;

    /// Takes one JSON object per row and returns the same with its columns, in order; a row that cannot be scored has
    /// `error`, {row, field, rule}, instead. A call is a run: groups, duplicates and ranks are of its rows alone.
    [[nodiscard]] std::vector<std::string> score(std::span<std::string const> rows);
    /// One row for people, as `optgap explain` prints it: the answer in its text, the broken rule, the optimum, the
    /// reward's arithmetic. The row is a run of its own. Throws field_error where it cannot be scored.
    [[nodiscard]] std::string explain(std::string_view row);
    /// What a model may be told of its row, on one line of at most 1000 bytes (docs/feedback.md). Each level's text
    /// begins with that of the level before. Throws as `explain`.
    [[nodiscard]] std::string feedback(std::string_view row, feedback_level level = feedback_level::rule);
    /// Remarks for the user about the rows of the last call of `score`.
    [[nodiscard]] std::vector<std::string> remarks() const;
    /// 16 hex digits over all that the numbers depend on beside the rows (optgap/run_record.hpp).
    [[nodiscard]] std::string const& fingerprint() const;

private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

}  // namespace optgap
