#pragma once
// The work of one call of a native sandbox, and its results.

#include <array>
#include <deque>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/programs/native/native_sandbox.hpp"

namespace optgap::programs {

/// The result of a job that was dropped or killed by its stop_token.
inline constexpr char const* stopped = "stopped: nobody waits for it any more";

struct native_sandbox::job {
    enum kind { run, check_canary, compilation, translation } what = run;
    std::size_t index = 0;
    std::int32_t tries = 1;
    bool quiet = false;  ///< runs without others of the same call
    std::int32_t slot = -1;
    std::vector<std::size_t> after = {};  ///< for a run of a module: the further runs that its process makes
};

struct native_sandbox::call {
    std::span<run_request const> runs;
    std::span<compile_request const> compilations;
    std::vector<run_result> run_results;
    std::vector<compile_result> compile_results;
    std::deque<job> waiting;
    std::deque<std::pair<job, broker_reply>> ended;
    std::size_t open = 0;
    std::array<file_handle, 2> checkers;                   ///< for Python's sources, by interface
    std::unordered_map<std::size_t, file_handle> modules;  ///< by compilation: compiled modules to be translated
    std::stop_token stop;
    program_share share;
    bool wants = false;               ///< could start a job now; guarded by the sandbox's lock
    std::int32_t has = 0;             ///< slots; guarded likewise
    std::vector<std::uint64_t> sent;  ///< by slot: the broker's id of the last job, which may have ended
};

}  // namespace optgap::programs
