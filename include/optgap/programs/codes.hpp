#pragma once  // Experimental.

#include <cstdint>
#include <iterator>
#include <string_view>

#include "optgap/verdict.hpp"

namespace optgap {

/// Codes of rows whose completion is a program, beside those that all rows share. The numbers are part of the format:
/// append, never reorder. They lie between the codes of verdicts from outside (external.hpp) and a task's own. A row
/// has the first code that applies, in the order of the program's text, its compilation and its run; then come the
/// codes of answers and of the task.
enum program_code : std::int32_t {
    code_program_missing = 40,  ///< no complete fenced block with a tag of a language
    code_program_repeated,      ///< format program_strict: a second one
    code_program_trailing,      ///< something follows the block
    code_program_language,      ///< complete blocks, but none with a tag of the row's language
    code_program_too_long,      ///< more than the limit `source_kb`
    code_compile_error,
    code_compile_limit,   ///< the compiler needs more than the limits
    code_run_steps,       ///< the steps of a deterministic isolation level are used up
    code_run_time,        ///< processor time is used up
    code_run_memory,      ///< an allocation was refused
    code_run_output,      ///< printed more than `output_kb`
    code_run_crash,       ///< ended by a signal, whose number is `where`
    code_run_exit,        ///< ended with another status than 0, which is `where`
    code_run_forbidden,   ///< made a system call that no program needs
    code_run_no_output,   ///< printed nothing but blanks
    code_not_run,         ///< left out after three invalid instances (fail fast)
    code_infrastructure,  ///< the machine's fault: the row has no reward
    code_judged_wrong,    ///< the judge of a user's own problem calls the output wrong
    code_problem_fault,   ///< the judge of a user's own problem failed: the row has no reward
    code_judge_failed,    ///< the output makes the judge of a user's own problem fail, which judges others
    program_code_end,
};

[[nodiscard]] constexpr bool is_program_code(std::int32_t code) {
    return code >= code_program_missing && code < program_code_end;
}
/// Whether it is a fault of the completion's form, found before anything is compiled.
[[nodiscard]] constexpr bool is_program_format_code(std::int32_t code) {
    return code >= code_program_missing && code <= code_program_too_long;
}

/// Whether the row has no reward, since what failed was not its program.
[[nodiscard]] constexpr bool is_masking_code(std::int32_t code) {
    return code == code_infrastructure || code == code_problem_fault;
}

/// "program_missing"; empty for any other number.
[[nodiscard]] constexpr std::string_view program_code_name(std::int32_t code) {
    constexpr std::string_view names[] = {
        "program_missing", "program_repeated", "program_trailing", "program_language", "program_too_long",
        "compile_error",   "compile_limit",    "run_steps",        "run_time",         "run_memory",
        "run_output",      "run_crash",        "run_exit",         "run_forbidden",    "run_no_output",
        "not_run",         "infrastructure",   "judged_wrong",     "problem_fault",    "judge_failed"};
    static_assert(std::size(names) == program_code_end - code_program_missing);
    return is_program_code(code) ? names[code - code_program_missing] : std::string_view();
}

}  // namespace optgap
