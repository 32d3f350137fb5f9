#pragma once
// The messages between a client's programs and the daemon that owns the node's slots: compilations and runs as bytes. A
// client's bytes are not trusted: enumerators, counts and indices are checked here, limits by the sandbox.

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "host/programs/sandbox.hpp"
#include "host/remote/wire.hpp"

namespace optgap::programs {

/// A program as a client holds it. The daemon compiles it again where it has forgotten it.
struct served_program final : ready_program {
    explicit served_program(compile_request const& of)
        : ready_program(of.language), source(of.source), limits(of.limits), interface(of.interface) {}
    std::string source;
    compile_limits limits;
    program_interface interface;

    /// What it was made from. The request borrows this program's source.
    [[nodiscard]] compile_request request() const {
        return {.language = language, .source = source, .limits = limits, .interface = interface};
    }
};

/// The daemon's offer to clients.
struct served_terms {
    std::int32_t slots = 0;                                ///< the node's slots
    std::int32_t most = 0;                                 ///< maximum for one client; 0: all
    std::array<std::string, language_count> isolations{};  ///< isolation levels; empty: no support for that language
    std::string trouble;                                   ///< why a language is not supported
};

/// Decoded runs. Views point into the bytes that they were read from.
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

// These throw wire_error unless the bytes contain exactly such an object.

std::vector<compile_request> take_compilations(serve::reader& in);
served_runs take_runs(serve::reader& in);
/// The results come without programs.
std::vector<compile_result> take_compile_results(serve::reader& in);
std::vector<run_result> take_run_results(serve::reader& in);
served_terms take_terms(serve::reader& in);

}  // namespace optgap::programs
