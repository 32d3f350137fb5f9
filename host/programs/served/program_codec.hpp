#pragma once
// What goes between a client's programs and the daemon that holds the node's slots: compilations and runs as bytes.
// Nothing that a client sends is believed: enumerators, counts and indices are checked, limits by the sandbox.

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "host/programs/sandbox.hpp"
#include "host/remote/wire.hpp"

namespace optgap::programs {

/// A program as a client holds it: the daemon compiles it again where it has forgotten it.
struct served_program final : ready_program {
    explicit served_program(compile_request const& of)
        : ready_program(of.language), source(of.source), limits(of.limits), interface(of.interface) {}
    std::string source;
    compile_limits limits;
    program_interface interface;

    /// What it was made from. The source is this program's.
    [[nodiscard]] compile_request request() const {
        return {.language = language, .source = source, .limits = limits, .interface = interface};
    }
};

/// How the daemon holds programs.
struct served_terms {
    std::int32_t slots = 0;                           ///< of the node
    std::int32_t most = 0;                            ///< that one client may have; 0: all
    std::array<std::string, language_count> rungs{};  ///< empty: that language is not held
    std::string trouble;                              ///< why one is not
};

/// Runs, decoded. Views lie in the bytes that they were read from.
struct served_runs {
    std::vector<compile_request> programs;
    struct run {
        std::uint32_t program = 0, input = 0;
        run_limits limits;
    };
    std::vector<run> runs;
    std::vector<std::string_view> inputs;
};

// `out` is serve::measure or serve::writer.

void put(serve::measure& out, std::span<compile_request const> asked);
void put(serve::writer& out, std::span<compile_request const> asked);
/// Programs must be served_program.
void put(serve::measure& out, std::span<run_request const> asked);
void put(serve::writer& out, std::span<run_request const> asked);
void put(serve::measure& out, std::span<compile_result const> found);
void put(serve::writer& out, std::span<compile_result const> found);
void put(serve::measure& out, std::span<run_result const> found);
void put(serve::writer& out, std::span<run_result const> found);
void put(serve::measure& out, served_terms const& terms);
void put(serve::writer& out, served_terms const& terms);

// Throw wire_error unless the bytes hold such a thing and nothing else.

std::vector<compile_request> take_compilations(serve::reader& in);
served_runs take_runs(serve::reader& in);
/// Without programs.
std::vector<compile_result> take_compile_results(serve::reader& in);
std::vector<run_result> take_run_results(serve::reader& in);
served_terms take_terms(serve::reader& in);

}  // namespace optgap::programs
