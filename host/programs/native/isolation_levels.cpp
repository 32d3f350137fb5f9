#include "host/programs/native/isolation_levels.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "host/programs/native/ground.hpp"
#include "host/programs/native/native_sandbox.hpp"
#include "host/programs/native/self_tests.hpp"
#include "host/programs/slots/machine.hpp"
#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

using wire::hold;

std::string whole_file(std::string const& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The program that an isolation level must contain before it is trusted.
program_handle self_test_of(program_language language, ground const& on) {
    file_handle bytes =
        language == program_language::cpp ? sealed_bytes(whole_file(on.broker_path)) : sealed_bytes(python_self_test);
    return bytes.good() ? std::make_shared<native_program>(language, std::move(bytes)) : nullptr;
}

bool has_landlock(isolation_probe& probe, ground const& on) {
    if (on.landlock == 0) {
        probe.found = "the kernel has no Landlock";
        probe.fix =
            "a kernel from 5.13 on with landlock among its security modules (boot option lsm=landlock,...), and a "
            "container profile that lets its calls pass";
    }
    return on.landlock != 0;
}

/// Whether the requirements of the isolation level are present. The self-test shows the rest.
bool has_parts(isolation_probe& probe, ground const& on) {
    if (on.broker_path.empty()) {
        probe.found = on.broker_trouble;
        probe.fix = "install libseccomp-dev and build again, or name one in OPTGAP_BROKER";
        return false;
    }
    if (probe.isolation == "wasm") {
        bool const cpp = probe.language == program_language::cpp;
        if (probe.language == program_language::python) {
            probe.found = "no Python that is compiled to WebAssembly is taken";
            probe.fix = "use namespaces or jail";
            return false;
        }
        if (on.wasm.helper.empty() || (cpp && on.wasm_cpp.path.empty())) {
            probe.found = cpp ? on.wasm_cpp.trouble : on.wasm.trouble;
            probe.fix = cpp ? on.wasm_cpp.fix : on.wasm.fix;
            return false;
        }
        return has_landlock(probe, on);
    }
    bool const python = probe.language == program_language::python;
    std::string const& runtime = python ? on.python.path : on.cpp.path;
    if (runtime.empty()) {
        probe.found = python ? on.python.trouble : on.cpp.trouble;
        probe.fix = python ? "install python3, or name one in OPTGAP_PROGRAM_PYTHON"
                           : "install g++ with static libraries, or name one in OPTGAP_PROGRAM_CXX";
        return false;
    }
    if (probe.isolation == "command" && on.wrapper.empty()) {
        probe.found = on.wrapper_trouble;
        probe.fix = R"(OPTGAP_SANDBOX_COMMAND='["wrapper", "{program}"]' and --isolation command)";
        return false;
    }
    if (probe.isolation == "command" && on.scratch == nullptr) {
        probe.found = "no folder for programs: a wrapper runs files";
        probe.fix = "name one in OPTGAP_SANDBOX_CACHE";
        return false;
    }
    // A wrapper isolates Python without Landlock, but not the compiler.
    if ((probe.isolation != "command" || !python) && !has_landlock(probe, on)) {
        return false;
    }
    if (probe.isolation == "namespaces" && on.bubblewrap.empty()) {
        probe.found = "no bwrap in PATH";
        probe.fix = "install bubblewrap";
        return false;
    }
    return true;
}

/// Sets the cache of compiled programs and the languages that are modules.
std::unique_ptr<native_sandbox> make_sandbox(ground const& on, std::array<hold, language_count> holds,
                                             std::array<bool, language_count> modules, std::int32_t slots) {
    auto made = std::make_unique<native_sandbox>(on.broker, holds, slots);
    std::array<std::string, language_count> toolchains;
    for (program_language const language : {program_language::cpp, program_language::wasm}) {
        std::string& own = toolchains[std::size_t(language)];
        if (modules[std::size_t(language)]) {
            made->set_wasm(language);
            own = on.wasm.fingerprint;
        }
        if (language == program_language::cpp) {
            own = own.empty() ? on.cpp.fingerprint : on.wasm_cpp.fingerprint + own;
        }
    }
    made->set_cache(program_cache(on.cache.empty() ? "" : on.cache + "/programs"), toolchains);
    return made;
}

/// Runs the module that tries to break out and, for a language compiled to modules, a known program.
void test_wasm(isolation_probe& probe, ground const& on) {
    std::unique_ptr<native_sandbox> const alone = make_sandbox(on, {}, {false, true, true}, 1);
    auto const compiled = [&](program_language language, char const* source) {
        compile_request asked;
        asked.language = language;
        asked.source = source;
        return alone->compile(asked);
    };
    auto const fail = [&probe](char const* what, run_code code, std::string const& why) {
        probe.found = fmt::format("{} ended with {}{}{}", what, name_of(code), why.empty() ? "" : ": ", why);
        probe.fix = "another version of wasmtime or clang, or a container profile that lets Landlock and seccomp pass";
    };
    compile_result const tries = compiled(program_language::wasm, wasm_self_test);
    if (tries.code != run_code::ok) {
        return fail("the self-test's translation", tries.code, tries.log);
    }
    run_result const ran = alone->run({tries.program, self_test_input, {}});
    probe.self_test = self_test_lines(ran.output);
    if (ran.code != run_code::ok || !all_refused(ran.output)) {
        return fail("the self-test", ran.code, ran.trouble.empty() ? ran.error_head : ran.trouble);
    }
    if (probe.language == program_language::cpp) {
        compile_result const built = compiled(program_language::cpp, wasm_cpp_test);
        if (built.code != run_code::ok) {
            return fail("a known program's compilation", built.code, built.log);
        }
        run_result const known = alone->run({built.program, self_test_input, {}});
        if (known.code != run_code::ok || known.output != wasm_cpp_answer) {
            return fail("a known program", known.code, known.trouble.empty() ? known.error_head : known.trouble);
        }
    }
    probe.usable = true;
    probe.found = fmt::format("{}, Landlock ABI {}, seccomp", on.wasm.library, on.landlock);
}

hold hold_of(std::string const& isolation) {
    return isolation == "namespaces" ? hold::namespaces : isolation == "command" ? hold::command : hold::jail;
}

/// Judges a site's own wrapper. It must run programs; what it lets the self-test do is reported but accepted.
void judge_wrapper(isolation_probe& probe, ground const& on, run_result const& ran) {
    std::vector<std::string> allowed;
    for (std::string const& line : probe.self_test) {
        if (line.starts_with("ALLOWED ")) {
            allowed.push_back(line.substr(8));
        }
    }
    probe.usable = ran.code == run_code::ok && is_whole(ran.output);
    if (probe.usable) {
        probe.found = fmt::format("isolation is the site's: {}; {}", on.wrapper[0],
                                  allowed.empty() ? "the self-test was refused all eleven ways out"
                                                  : fmt::format("it lets the self-test {}", fmt::join(allowed, ", ")));
    } else {
        std::string const why = ran.trouble.empty() ? ran.error_head.substr(0, ran.error_head.find('\n')) : ran.trouble;
        probe.found = fmt::format("the self-test ended with {}{}{}", name_of(ran.code), why.empty() ? "" : ": ", why);
        probe.fix = "a wrapper that passes stdin, stdout and status on, and lets the program's file be read";
    }
}

void test_isolation_level(isolation_probe& probe, ground const& on) {
    if (probe.isolation == "wasm") {
        return test_wasm(probe, on);
    }
    program_handle const program = self_test_of(probe.language, on);
    hold const held = hold_of(probe.isolation);
    native_sandbox alone(on.broker, {held, held}, 1);
    run_limits generous;
    generous.cpu_ms = 5000;
    run_result const ran = program ? alone.run({program, self_test_input, generous}) : run_result();
    probe.self_test = self_test_lines(ran.output);
    probe.usable = ran.code == run_code::ok && all_refused(ran.output);
    if (probe.isolation == "command") {
        return judge_wrapper(probe, on, ran);
    }
    std::string const native = fmt::format("Landlock ABI {}, seccomp", on.landlock);
    if (probe.usable) {
        probe.found = probe.isolation == "jail" ? native : on.bubblewrap + ", " + native;
    } else {
        probe.found = fmt::format("the self-test ended with {}{}{}", name_of(ran.code), ran.trouble.empty() ? "" : ": ",
                                  ran.trouble);
        probe.fix =
            probe.isolation == "namespaces"
                ? "user namespaces for bwrap (sysctl kernel.unprivileged_userns_clone, user.max_user_namespaces, or "
                  "a container profile that allows unshare and mount)"
                : "a container profile that allows seccomp and landlock, and room for processes and memory files";
    }
}

/// Gives the sandbox a program of the language that is known to work at the isolation level.
void give_canary(native_sandbox& to, isolation_probe const& probe, ground const& on) {
    std::string const told = fmt::format("{}\n", fmt::join(probe.self_test, "\n"));
    if (probe.isolation != "wasm") {
        to.set_canary(probe.language, self_test_of(probe.language, on), self_test_input, told);
        return;
    }
    bool const module = probe.language == program_language::wasm;
    compile_request asked;
    asked.language = probe.language;
    asked.source = module ? wasm_self_test : wasm_cpp_test;
    compile_result const built = to.compile(asked);
    if (built.code == run_code::ok) {
        to.set_canary(probe.language, built.program, self_test_input, module ? told : wasm_cpp_answer);
    }
}

isolation_probe not_built(std::string const& isolation, program_language language, char const* found) {
    isolation_probe out;
    out.isolation = isolation;
    out.language = language;
    out.found = found;
    out.fix = language == program_language::wasm ? "use wasm" : "use namespaces or jail";
    return out;
}

}  // namespace

std::vector<std::string> const isolation_levels{"wasm", "namespaces", "jail", "command"};

isolation_scan scan_isolation(sandbox_options const& options, bool all) {
    if (options.isolation != "auto" &&
        std::ranges::find(isolation_levels, options.isolation) == isolation_levels.end()) {
        misuse(fmt::format("isolation '{}' is not known; expected auto, {}", options.isolation,
                           fmt::join(isolation_levels, ", ")));
    }
    isolation_scan out;
    ground const on = survey(options, all);
    out.broker = on.broker_path;
    out.python = fmt::format("{} {}", on.python.path, on.python.version);
    out.cpp = fmt::format("{} {}", on.cpp.path, on.cpp.version);
    out.wasm = on.wasm.library;
    out.wasm_cpp = fmt::format("{} {}", on.wasm_cpp.path, on.wasm_cpp.version);
    std::array<hold, language_count> holds{};
    std::array<bool, language_count> modules{};
    std::vector<std::string> missing;
    for (program_language const language : options.languages) {
        bool held = false;
        for (std::string const& isolation : isolation_levels) {
            bool const taken = isolation != "wasm" || wants_modules(options, language);
            if ((options.isolation != "auto" && options.isolation != isolation) || ((held || !taken) && !all)) {
                continue;
            }
            // `auto` never chooses a wrapper: survey() looks for one only where it is named.
            isolation_probe probe;
            if (isolation != "wasm" && language == program_language::wasm) {
                probe = not_built(isolation, language, "holds no modules");
            } else if (isolation != "wasm" && options.steps) {
                probe = not_built(isolation, language, "counts no steps, which the limits name");
                probe.fix = "use wasm, or limits without steps";
            } else {
                probe.isolation = isolation;
                probe.language = language;
                if (has_parts(probe, on)) {
                    test_isolation_level(probe, on);
                }
                if (probe.usable && taken && !held) {
                    held = true;
                    holds[std::size_t(language)] = hold_of(isolation);
                    modules[std::size_t(language)] = isolation == "wasm";
                }
            }
            out.probes.push_back(std::move(probe));
        }
        if (!held) {
            missing.emplace_back(name_of(language));
        }
    }
    if (!missing.empty()) {
        out.refusal =
            fmt::format("no isolation level holds programs in {} on this machine", fmt::join(missing, " and "));
        for (isolation_probe const& probe : out.probes) {
            if (!probe.usable) {
                out.refusal +=
                    fmt::format("; {} ({}): {}: {}", probe.isolation, name_of(probe.language), probe.found, probe.fix);
            }
        }
        return out;
    }
    std::int32_t const slots = options.slots > 0 ? options.slots : default_slots();
    std::unique_ptr<native_sandbox> made = make_sandbox(on, holds, modules, slots);
    made->keep(on.scratch);
    made->pin(processor_claims(on.cache.empty() ? "" : on.cache + "/processors", own_processors(), slots));
    out.processors = made->claims().processors();
    out.unpinned = out.processors.empty() ? made->claims().why_none() : "";
    for (program_language const language : options.languages) {
        for (isolation_probe const& probe : out.probes) {
            if (probe.usable && probe.language == language && probe.isolation == made->isolation(language)) {
                give_canary(*made, probe, on);
                break;
            }
        }
    }
    out.opened = std::move(made);
    return out;
}

std::unique_ptr<sandbox> open_sandbox(sandbox_options const& options) {
    if (options.slots < 0 || options.slots > 4096) {
        misuse(fmt::format("slots is {}; expected 0 to 4096", options.slots));
    }
    if (options.languages.empty()) {
        misuse("languages: expected at least one");
    }
    isolation_scan found = scan_isolation(options, false);
    if (!found.opened) {
        throw error(status::sandbox_unavailable, found.refusal);
    }
    return std::move(found.opened);
}

}  // namespace optgap::programs
