#include "host/programs/served/program_codec.hpp"

#include <unordered_map>

#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

using serve::reader;
using serve::wire_error;

/// The numbers of a result, one after another.
struct run_numbers {
    run_code code;
    std::int32_t where, slot, tries, suspected, unused;
    double cpu_ms, wall_ms, wait_ms;
    std::int64_t peak_kb, steps;
};
struct compile_numbers {
    run_code code;
    std::int32_t cached;
    double cpu_ms;
};

void put_text(auto& out, std::string_view text) { out.array(std::span<char const>(text.data(), text.size())); }

run_code checked(run_code code) {
    if (code < run_code::ok || code > run_code::infrastructure) {
        throw wire_error("a run ends with no code of this build");
    }
    return code;
}

program_language checked(program_language language) {
    if (language != program_language::python && language != program_language::cpp) {
        throw wire_error("a program is in no language of completions");
    }
    return language;
}

program_interface checked(program_interface interface, program_language language) {
    bool const solve = interface == program_interface::solve && language == program_language::python;
    if (interface != program_interface::stdio && !solve) {
        throw wire_error("a program has no interface of its language");
    }
    return interface;
}

void put_programs(auto& out, std::span<compile_request const> asked) {
    out.one(std::uint64_t(asked.size()));
    std::vector<std::string_view> sources;
    for (compile_request const& one : asked) {
        out.one(one.language);
        out.one(one.interface);
        out.one(one.limits);
        sources.push_back(one.source);
    }
    out.texts(std::span<std::string_view const>(sources));
}

std::vector<compile_request> take_programs(reader& in) {
    auto const count = in.one<std::uint64_t>();
    std::vector<compile_request> out;
    for (std::uint64_t k = 0; k < count; ++k) {  // ends at the latest where the bytes end
        compile_request one;
        one.language = checked(in.one<program_language>());
        one.interface = checked(in.one<program_interface>(), one.language);
        one.limits = in.one<compile_limits>();
        out.push_back(one);
    }
    std::vector<std::string_view> const sources = in.texts();
    if (sources.size() != out.size()) {
        throw wire_error("programs: not one source each");
    }
    for (std::size_t k = 0; k < out.size(); ++k) {
        out[k].source = sources[k];
    }
    return out;
}

/// Writes each program and each input once.
void put_runs(auto& out, std::span<run_request const> asked) {
    std::unordered_map<ready_program const*, std::uint32_t> programs;
    std::unordered_map<char const*, std::uint32_t> inputs;
    std::vector<compile_request> sources;
    std::vector<std::string_view> texts;
    std::vector<served_runs::run> runs;
    for (run_request const& one : asked) {
        auto const [program, is_new] = programs.try_emplace(one.program.get(), std::uint32_t(sources.size()));
        if (is_new) {
            auto const* const own = dynamic_cast<served_program const*>(one.program.get());
            if (own == nullptr) {
                misuse("run: the program was not compiled by a sandbox of this kind");
            }
            sources.push_back(own->request());
        }
        auto const [input, is_first] = inputs.try_emplace(one.input.data(), std::uint32_t(texts.size()));
        std::uint32_t place = input->second;
        if (is_first) {
            texts.push_back(one.input);
        } else if (texts[place].size() != one.input.size()) {  // two inputs that begin at the same address
            place = std::uint32_t(texts.size());
            texts.push_back(one.input);
        }
        runs.push_back({program->second, place, one.limits});
    }
    put_programs(out, sources);
    out.texts(std::span<std::string_view const>(texts));
    out.array(std::span<served_runs::run const>(runs));
}

void put_compile_results(auto& out, std::span<compile_result const> found) {
    out.one(std::uint64_t(found.size()));
    for (compile_result const& one : found) {
        out.one(compile_numbers{one.code, one.cached ? 1 : 0, one.cpu_ms});
        put_text(out, one.first_line);
        put_text(out, one.log);
    }
}

void put_run_results(auto& out, std::span<run_result const> found) {
    out.one(std::uint64_t(found.size()));
    for (run_result const& one : found) {
        out.one(run_numbers{one.code, one.where, one.slot, one.tries, one.suspected ? 1 : 0, 0, one.cpu_ms, one.wall_ms,
                            one.wait_ms, one.peak_kb, one.steps});
        put_text(out, one.output);
        put_text(out, one.error_head);
        put_text(out, one.trouble);
    }
}

void put_terms(auto& out, served_terms const& terms) {
    out.one(terms.slots);
    out.one(terms.most);
    for (std::string const& isolation : terms.isolations) {
        put_text(out, isolation);
    }
    put_text(out, terms.trouble);
}

}  // namespace

void put(serve::measure& out, std::span<compile_request const> asked) { put_programs(out, asked); }
void put(serve::writer& out, std::span<compile_request const> asked) { put_programs(out, asked); }
void put(serve::measure& out, std::span<run_request const> asked) { put_runs(out, asked); }
void put(serve::writer& out, std::span<run_request const> asked) { put_runs(out, asked); }
void put(serve::measure& out, std::span<compile_result const> found) { put_compile_results(out, found); }
void put(serve::writer& out, std::span<compile_result const> found) { put_compile_results(out, found); }
void put(serve::measure& out, std::span<run_result const> found) { put_run_results(out, found); }
void put(serve::writer& out, std::span<run_result const> found) { put_run_results(out, found); }
void put(serve::measure& out, served_terms const& terms) { put_terms(out, terms); }
void put(serve::writer& out, served_terms const& terms) { put_terms(out, terms); }

std::vector<compile_request> take_compilations(reader& in) {
    std::vector<compile_request> out = take_programs(in);
    in.end();
    return out;
}

served_runs take_runs(reader& in) {
    served_runs out;
    out.programs = take_programs(in);
    out.inputs = in.texts();
    out.runs = in.array<served_runs::run>();
    in.end();
    for (served_runs::run const& one : out.runs) {
        if (one.program >= out.programs.size() || one.input >= out.inputs.size()) {
            throw wire_error("a run names no program, or no input");
        }
    }
    return out;
}

std::vector<compile_result> take_compile_results(reader& in) {
    auto const count = in.one<std::uint64_t>();
    std::vector<compile_result> out;
    for (std::uint64_t k = 0; k < count; ++k) {
        auto const numbers = in.one<compile_numbers>();
        compile_result one;
        one.code = checked(numbers.code);
        one.cached = numbers.cached != 0;
        one.cpu_ms = numbers.cpu_ms;
        one.first_line = in.text();
        one.log = in.text();
        out.push_back(std::move(one));
    }
    in.end();
    return out;
}

std::vector<run_result> take_run_results(reader& in) {
    auto const count = in.one<std::uint64_t>();
    std::vector<run_result> out;
    for (std::uint64_t k = 0; k < count; ++k) {
        auto const numbers = in.one<run_numbers>();
        run_result one;
        one.code = checked(numbers.code);
        one.where = numbers.where;
        one.slot = numbers.slot;
        one.tries = numbers.tries;
        one.suspected = numbers.suspected != 0;
        one.cpu_ms = numbers.cpu_ms;
        one.wall_ms = numbers.wall_ms;
        one.wait_ms = numbers.wait_ms;
        one.peak_kb = numbers.peak_kb;
        one.steps = numbers.steps;
        one.output = in.text();
        one.error_head = in.text();
        one.trouble = in.text();
        out.push_back(std::move(one));
    }
    in.end();
    return out;
}

served_terms take_terms(reader& in) {
    served_terms out;
    out.slots = in.one<std::int32_t>();
    out.most = in.one<std::int32_t>();
    for (std::string& isolation : out.isolations) {
        isolation = in.text();
    }
    out.trouble = in.text();
    in.end();
    return out;
}

}  // namespace optgap::programs
