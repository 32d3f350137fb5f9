#include <span>

#include <fmt/format.h>

#include "host/programs/sandbox.hpp"
#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

constexpr std::string_view language_names[language_count] = {"python", "cpp", "wasm"};
constexpr std::size_t written_languages = 2;  ///< completions' languages come first
constexpr std::string_view interface_names[] = {"stdio", "solve"};
constexpr std::string_view run_code_names[] = {"ok",       "compile_error", "compile_limit", "run_steps",
                                               "run_time", "run_memory",    "run_output",    "run_crash",
                                               "run_exit", "run_forbidden", "run_no_output", "infrastructure"};

void check_range(char const* field, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value < least || value > most) {
        misuse(fmt::format("limits: {} is {}; expected {} to {}", field, value, least, most));
    }
}

}  // namespace

std::string_view name_of(program_language language) { return language_names[std::size_t(language)]; }
std::string_view name_of(run_code code) { return run_code_names[std::size_t(code)]; }

program_language language_named(std::string_view name) {
    for (std::size_t k = 0; k < written_languages; ++k) {
        if (name == language_names[k]) {
            return program_language(k);
        }
    }
    misuse(fmt::format("language '{}' is not known; expected {}", name,
                       fmt::join(std::span(language_names).first(written_languages), " or ")));
}

std::string_view name_of(program_interface interface) { return interface_names[std::size_t(interface)]; }

program_interface interface_named(std::string_view name, program_language language) {
    for (std::size_t k = 0; k < std::size(interface_names); ++k) {
        if (name == interface_names[k]) {
            require_interface(language, program_interface(k));
            return program_interface(k);
        }
    }
    misuse(fmt::format("interface '{}' is not known; expected {}", name.substr(0, 60),
                       fmt::join(interface_names, " or ")));
}

void require_interface(program_language language, program_interface interface) {
    if (interface == program_interface::solve && language != program_language::python) {
        misuse(fmt::format("interface solve is a function of Python; a program in {} has stdio", name_of(language)));
    }
}

void check_limits(run_limits const& limits) {
    check_range("cpu_ms", limits.cpu_ms, 1, 600'000);
    check_range("steps", limits.steps, 0, INT64_MAX);
    check_range("memory_mb", limits.memory_mb, 16, 8192);
    check_range("output_kb", limits.output_kb, 1, 16'384);
}

void check_limits(compile_limits const& limits) {
    check_range("compile_cpu_ms", limits.cpu_ms, 1, 600'000);
    check_range("compile_memory_mb", limits.memory_mb, 16, 8192);
}

}  // namespace optgap::programs
