#pragma once
// What one call of a native sandbox has to do, and what has come of it.

#include <array>
#include <deque>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/programs/native/native_sandbox.hpp"

namespace optgap::programs {

/// Of a job that was dropped or killed by its stop_token.
inline constexpr char const* stopped = "stopped: nobody waits for it any more";

struct native_sandbox::job {
    enum kind { run, check_canary, compilation, translation } what = run;
    std::size_t index = 0;
    std::int32_t tries = 1;
    bool quiet = false;  ///< with no other of the same call beside it
    std::int32_t slot = -1;
    std::vector<std::size_t> after = {};  ///< of a run of a module: the runs that its process makes behind it
};

struct native_sandbox::call {
    std::span<run_request const> runs;
    std::span<compile_request const> compilations;
    std::vector<run_result> run_results;
    std::vector<compile_result> compile_results;
    std::deque<job> waiting;
    std::deque<std::pair<job, broker_reply>> ended;
    std::size_t open = 0;
    std::array<file_handle, 2> checkers;  ///< of Python's sources, by interface
    std::unordered_map<std::size_t, file_handle>
        modules;  ///< by compilation: what the compiler has made, to be translated
    std::stop_token stop;
    program_share share;
    bool wants = false;               ///< could start a job now; under the sandbox's lock
    std::int32_t has = 0;             ///< slots; the same
    std::vector<std::uint64_t> sent;  ///< by slot: what the broker calls the last job; one that has ended is no matter
};

}  // namespace optgap::programs
