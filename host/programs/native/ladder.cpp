#include "host/programs/native/ladder.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "host/programs/native/machine.hpp"
#include "host/programs/native/native_sandbox.hpp"
#include "host/programs/native/processes.hpp"
#include "host/programs/native/self_tests.hpp"
#include "host/programs/native/toolchains.hpp"
#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

using wire::hold;

std::string whole_file(std::string const& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// What all native rungs stand on, found once.
struct ground {
    std::string broker_path, broker_trouble;
    std::string bubblewrap;
    std::string cache;
    int landlock = 0;
    python_toolchain python;
    cpp_toolchain cpp;
    std::shared_ptr<broker_client> broker;
    std::shared_ptr<scratch_folder> scratch;
};

bool wants(sandbox_options const& options, program_language language) {
    return std::ranges::find(options.languages, language) != options.languages.end();
}

ground survey(sandbox_options const& options) {
    ground out;
    out.broker_path = find_broker(options.broker, out.broker_trouble);
    if (out.broker_path.empty()) {
        return out;
    }
    process_end const told = run_process({out.broker_path, "landlock"});
    out.landlock = std::atoi(told.output.c_str());
    if (told.status != 0 || told.output.empty()) {
        out.broker_trouble = out.broker_path + " does not answer as an optgap-broker";
        out.broker_path.clear();
        return out;
    }
    out.bubblewrap = find_program("bwrap");
    std::string trouble;
    out.cache = cache_folder(trouble);
    if (wants(options, program_language::python)) {
        out.python = find_python();
    }
    if (wants(options, program_language::cpp)) {
        if (out.cache.empty()) {
            out.cpp.trouble = trouble;
        } else {
            out.cpp = find_cpp(out.cache);
        }
    }
    if (!out.cache.empty()) {
        out.scratch = std::make_shared<scratch_folder>(out.cache);
    }
    std::vector<std::string> words{"loader=" + find_loader(),      "self=" + out.broker_path,
                                   "bubblewrap=" + out.bubblewrap, "harness=" + std::string(python_harness),
                                   "python=" + out.python.path,    "compiler=" + out.cpp.path};
    auto const add = [&words](char const* name, std::vector<std::string> const& values) {
        for (std::string const& value : values) {
            words.push_back(fmt::format("{}={}", name, value));
        }
    };
    if (out.scratch) {
        words.push_back("scratch=" + out.scratch->path());
    }
    add("python-read", out.python.reads);
    add("compiler-flag", out.cpp.flags);
    add("compiler-read", out.cpp.reads);
    add("compiler-execute", out.cpp.executes);
    out.broker = std::make_shared<broker_client>(out.broker_path, std::move(words));
    return out;
}

/// The program that a rung has to hold before it is believed.
program_handle self_test_of(program_language language, ground const& on) {
    file_handle bytes =
        language == program_language::cpp ? sealed_bytes(whole_file(on.broker_path)) : sealed_bytes(python_self_test);
    return bytes.good() ? std::make_shared<native_program>(language, std::move(bytes)) : nullptr;
}

/// Whether what the rung needs is there; the rest is shown by the self-test.
bool has_parts(rung_probe& probe, ground const& on) {
    if (on.broker_path.empty()) {
        probe.found = on.broker_trouble;
        probe.fix = "install libseccomp-dev and build again, or name one in OPTGAP_BROKER";
        return false;
    }
    bool const python = probe.language == program_language::python;
    std::string const& runtime = python ? on.python.path : on.cpp.path;
    if (runtime.empty()) {
        probe.found = python ? on.python.trouble : on.cpp.trouble;
        probe.fix = python ? "install python3, or name one in OPTGAP_PROGRAM_PYTHON"
                           : "install g++ with static libraries, or name one in OPTGAP_PROGRAM_CXX";
        return false;
    }
    if (on.landlock == 0) {
        probe.found = "the kernel has no Landlock";
        probe.fix =
            "a kernel from 5.13 on with landlock among its security modules (boot option lsm=landlock,...), and a "
            "container profile that lets its calls pass";
        return false;
    }
    if (probe.rung == "namespaces" && on.bubblewrap.empty()) {
        probe.found = "no bwrap in PATH";
        probe.fix = "install bubblewrap";
        return false;
    }
    return true;
}

void test_rung(rung_probe& probe, ground const& on) {
    program_handle const program = self_test_of(probe.language, on);
    hold const held = probe.rung == "jail" ? hold::jail : hold::namespaces;
    native_sandbox alone(on.broker, {held, held}, 1);
    run_limits generous;
    generous.cpu_ms = 5000;
    run_result const ran = program ? alone.run({program, self_test_input, generous}) : run_result();
    probe.self_test = self_test_lines(ran.output);
    probe.usable = ran.code == run_code::ok && all_refused(ran.output);
    std::string const native = fmt::format("Landlock ABI {}, seccomp", on.landlock);
    if (probe.usable) {
        probe.found = probe.rung == "jail" ? native : on.bubblewrap + ", " + native;
    } else {
        probe.found = fmt::format("the self-test ended with {}{}{}", name_of(ran.code), ran.trouble.empty() ? "" : ": ",
                                  ran.trouble);
        probe.fix =
            probe.rung == "namespaces"
                ? "user namespaces for bwrap (sysctl kernel.unprivileged_userns_clone, user.max_user_namespaces, or "
                  "a container profile that allows unshare and mount)"
                : "a container profile that allows seccomp and landlock, and room for processes and memory files";
    }
}

rung_probe not_built(std::string const& rung, program_language language) {
    rung_probe out;
    out.rung = rung;
    out.language = language;
    out.found = "not in this version";
    out.fix = "use namespaces or jail";
    return out;
}

}  // namespace

std::vector<std::string> const rung_names{"wasm", "namespaces", "jail", "command"};

ladder climb(sandbox_options const& options, bool all) {
    if (options.rung != "auto" && std::ranges::find(rung_names, options.rung) == rung_names.end()) {
        misuse(
            fmt::format("isolation '{}' is not known; expected auto, {}", options.rung, fmt::join(rung_names, ", ")));
    }
    ladder out;
    ground const on = survey(options);
    out.broker = on.broker_path;
    out.python = fmt::format("{} {}", on.python.path, on.python.version);
    out.cpp = fmt::format("{} {}", on.cpp.path, on.cpp.version);
    std::array<hold, language_count> holds{};
    std::vector<std::string> missing;
    for (program_language const language : options.languages) {
        bool held = false;
        for (std::string const& rung : rung_names) {
            if ((options.rung != "auto" && options.rung != rung) || (held && !all)) {
                continue;
            }
            rung_probe probe;
            if (rung == "wasm" || rung == "command") {
                probe = not_built(rung, language);
            } else {
                probe.rung = rung;
                probe.language = language;
                if (has_parts(probe, on)) {
                    test_rung(probe, on);
                }
                if (probe.usable && !held) {
                    held = true;
                    holds[std::size_t(language)] = rung == "jail" ? hold::jail : hold::namespaces;
                }
            }
            out.probes.push_back(std::move(probe));
        }
        if (!held) {
            missing.emplace_back(name_of(language));
        }
    }
    if (!missing.empty()) {
        out.refusal = fmt::format("no rung holds programs in {} on this machine", fmt::join(missing, " and "));
        for (rung_probe const& probe : out.probes) {
            if (!probe.usable) {
                out.refusal +=
                    fmt::format("; {} ({}): {}: {}", probe.rung, name_of(probe.language), probe.found, probe.fix);
            }
        }
        return out;
    }
    auto made = std::make_unique<native_sandbox>(on.broker, holds, options.slots > 0 ? options.slots : default_slots());
    made->keep(on.scratch);
    made->set_cache(program_cache(on.cache.empty() ? "" : on.cache + "/programs"), on.cpp.fingerprint);
    for (program_language const language : options.languages) {
        for (rung_probe const& probe : out.probes) {
            if (probe.usable && probe.language == language) {
                std::string expected = fmt::format("{}\n", fmt::join(probe.self_test, "\n"));
                made->set_canary(language, self_test_of(language, on), self_test_input, std::move(expected));
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
    ladder found = climb(options, false);
    if (!found.opened) {
        throw error(status::sandbox_unavailable, found.refusal);
    }
    return std::move(found.opened);
}

}  // namespace optgap::programs
