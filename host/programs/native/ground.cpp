#include "host/programs/native/ground.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "host/process/left_to_parent.hpp"
#include "host/programs/native/processes.hpp"
#include "host/programs/slots/machine.hpp"
#include "host/programs/wrapper/template.hpp"

namespace optgap::programs {
namespace {

bool wants(sandbox_options const& options, program_language language) {
    return std::ranges::find(options.languages, language) != options.languages.end();
}

/// Sets the wrapper's words, or the reason for their absence.
void find_wrapper(sandbox_options const& options, ground& out) {
    char const* const named = std::getenv("OPTGAP_SANDBOX_COMMAND");
    std::string const text = !options.command.empty() ? options.command : named != nullptr ? named : "";
    if (text.empty()) {
        out.wrapper_trouble = "OPTGAP_SANDBOX_COMMAND names no wrapper";
        return;
    }
    std::vector<std::string> words = wrapper_template(text);
    std::string const path = find_program(words[0]);
    if (path.empty()) {
        out.wrapper_trouble = fmt::format("no {} in PATH", words[0]);
        return;
    }
    words[0] = path;
    out.wrapper = std::move(words);
}

}  // namespace

bool wants_modules(sandbox_options const& options, program_language language) {
    return options.isolation == "wasm" || options.steps || language == program_language::wasm;
}

ground survey(sandbox_options const& options, bool all) {
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
    bool const modules = std::ranges::any_of(options.languages, [&](program_language language) {
        return language != program_language::python && (all || wants_modules(options, language));
    });
    if (modules && (options.isolation == "auto" || options.isolation == "wasm")) {
        out.wasm = find_wasm_runtime(out.broker_path);
        if (out.wasm.helper.empty() || !wants(options, program_language::cpp)) {
            out.wasm_cpp.trouble = out.wasm.trouble;
            out.wasm_cpp.fix = out.wasm.fix;
        } else if (out.cache.empty()) {
            out.wasm_cpp.trouble = trouble;
        } else {
            out.wasm_cpp = find_wasm_compiler(out.cache);
        }
    }
    if (options.isolation == "command") {
        find_wrapper(options, out);
    }
    if (!out.cache.empty()) {
        out.scratch = left_to_parent(std::make_shared<scratch_folder>(out.cache));
    }
    std::vector<std::string> words{"loader=" + find_loader(),           "self=" + out.broker_path,
                                   "bubblewrap=" + out.bubblewrap,      "harness=" + std::string(python_harness),
                                   "python=" + out.python.path,         "compiler=" + out.cpp.path,
                                   "wasm=" + out.wasm.helper,           "wasm-library=" + out.wasm.library,
                                   "wasm-compiler=" + out.wasm_cpp.path};
    auto const add = [&words](char const* name, std::vector<std::string> const& values) {
        for (std::string const& value : values) {
            words.push_back(fmt::format("{}={}", name, value));
        }
    };
    if (out.scratch) {
        words.push_back("scratch=" + out.scratch->path());
    }
    add("command", out.wrapper);
    add("python-read", out.python.reads);
    add("compiler-flag", out.cpp.flags);
    add("compiler-read", out.cpp.reads);
    add("compiler-execute", out.cpp.executes);
    add("wasm-read", out.wasm.reads);
    add("wasm-compiler-flag", out.wasm_cpp.flags);
    add("wasm-compiler-read", out.wasm_cpp.reads);
    add("wasm-compiler-execute", out.wasm_cpp.executes);
    out.broker = left_to_parent(std::make_shared<broker_client>(out.broker_path, std::move(words)));
    return out;
}

}  // namespace optgap::programs
