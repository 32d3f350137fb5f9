#pragma once  // Experimental.
// Rubrics with checks in Python (docs/rubrics.md). The checks run in a sandbox, beside this process and never in it.
//
//   optgap::rubrics::code_sandbox codes("auto");                   // throws error{sandbox_unavailable}
//   auto const scores = codes.score_all({.rubrics = rubrics, .texts = texts});

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "optgap/rubrics/rubric.hpp"

namespace optgap::rubrics {

/// A sandbox that holds Python. Thread-safe: calls share its slots. A forked child makes its own.
class code_sandbox {
public:
    /// `isolation`: "auto" or an isolation level of `optgap sandbox`. `slots`: processes at once, 0: the processors
    /// less a quarter. Throws error{sandbox_unavailable} where nothing here holds Python.
    explicit code_sandbox(std::string const& isolation = "auto", std::int32_t slots = 0);
    ~code_sandbox();
    code_sandbox(code_sandbox const&) = delete;
    code_sandbox& operator=(code_sandbox const&) = delete;

    /// As rubrics::score_all and rubrics::floors_of; the batch's checks in Python run all at once. A fault of the code
    /// fails its check; throws error{sandbox_unavailable} for a fault of the machine.
    std::vector<text_score> score_all(batch_input const& batch);
    std::vector<std::pair<std::string, double>> floors_of(text_rubric const& rubric, std::string_view prompt,
                                                          std::string_view other = {});

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace optgap::rubrics
