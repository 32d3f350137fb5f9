#pragma once
// Turns a child's end into a verdict on the program.

#include "host/programs/native/broker_client.hpp"
#include "host/programs/sandbox.hpp"

namespace optgap::programs {

struct judged_run {
    run_result result;
    bool again = false;    ///< worth another try on a quiet slot
    bool starved = false;  ///< it never got its processor time: not charged, whatever a canary shows
};

[[nodiscard]] judged_run judge_run(run_limits const& limits, broker_reply reply);

struct judged_compilation {
    compile_result result;  ///< without the program
    bool again = false;
};

[[nodiscard]] judged_compilation judge_compilation(broker_reply const& reply);

/// "line 3: ..." of the first error in a compiler's output, or its first line.
[[nodiscard]] std::string first_complaint(std::string_view log);

}  // namespace optgap::programs
