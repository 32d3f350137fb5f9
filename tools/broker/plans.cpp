#include "tools/broker/plans.hpp"

#include <utility>

#include "tools/broker/landlock.hpp"

namespace optgap::broker {

using programs::wire::profile;

char* const* command_words::get() {
    pointers.clear();
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers.data();
}

command_words words_of(profile profile, settings const& all, std::string const& folder) {
    command_words out;
    switch (profile) {
        case profile::cpp: out.texts = {"program"}; break;
        case profile::python:
            // -I would ignore the environment, which the broker sets, with its fixed hash seed. The other effects of -I
            // come from -s (no packages of the user's) and from the harness, which removes the caller's folder from the
            // path.
            out.texts = {all.python, "-s", "-S", "-B", "-c", all.harness};
            break;
        case profile::compile:
            out.texts = {all.compiler};
            out.texts.insert(out.texts.end(), all.compiler_flags.begin(), all.compiler_flags.end());
            out.texts.insert(out.texts.end(), {"-o", folder + "/program"});
            break;
        case profile::wasm: out.texts = {all.wasm, "hold", all.wasm_library}; break;
        case profile::compile_wasm:
            out.texts = {all.wasm_compiler};
            out.texts.insert(out.texts.end(), all.wasm_compiler_flags.begin(), all.wasm_compiler_flags.end());
            out.texts.insert(out.texts.end(), {"-o", folder + "/program"});
            break;
    }
    return out;
}

command_words wrapper_words(programs::wire::request const& asked, settings const& all, std::string const& folder) {
    std::string const file = folder + "/program";
    command_words out;
    for (std::string word : all.command) {
        if (word == "{program}") {
            if (asked.profile == profile::python) {
                std::string const opening = "import os, sys\nos.dup2(os.open(sys.argv[1], os.O_RDONLY), 3)\n";
                out.texts.insert(out.texts.end(), {all.python, "-I", "-S", "-B", "-c", opening + all.harness});
            }
            out.texts.push_back(file);
            continue;
        }
        for (auto const& [name, value] : {std::pair<std::string, std::string>{"{folder}", folder},
                                          {"{cpu_ms}", std::to_string(asked.cpu_ms)},
                                          {"{memory_mb}", std::to_string(asked.memory_mb)}}) {
            for (std::size_t at = word.find(name); at != word.npos; at = word.find(name, at + value.size())) {
                word.replace(at, name.size(), value);
            }
        }
        out.texts.push_back(word);
    }
    return out;
}

char const* path_of(profile profile, settings const& all) {
    switch (profile) {
        case profile::cpp: return nullptr;
        case profile::python: return all.python.c_str();
        case profile::compile: return all.compiler.c_str();
        case profile::wasm: return all.wasm.c_str();
        case profile::compile_wasm: return all.wasm_compiler.c_str();
    }
    return nullptr;
}

int ruleset_of(profile profile, settings const& all, std::string const& folder) {
    file_rights rights;
    std::vector<std::string> executes;
    switch (profile) {
        case profile::cpp: break;
        case profile::python:
            rights.reads = all.python_reads;
            executes = {all.python, all.loader};
            break;
        case profile::compile:
            rights.reads = all.compiler_reads;
            executes = all.compiler_executes;
            executes.push_back(all.loader);
            rights.writes = folder;
            break;
        case profile::wasm:
            rights.reads = all.wasm_reads;
            executes = {all.wasm, all.loader};
            break;
        case profile::compile_wasm:
            rights.reads = all.wasm_compiler_reads;
            executes = all.wasm_compiler_executes;
            executes.push_back(all.loader);
            rights.writes = folder;
            break;
    }
    rights.executes = executes;
    return make_ruleset(rights);
}

std::vector<std::string> visible_to(profile profile, settings const& all) {
    std::vector<std::string> out;
    if (profile == profile::python) {
        out = all.python_reads;
        out.push_back(all.python);
        out.push_back(all.loader);
    }
    return out;
}

command_words namespace_words(std::string const& bubblewrap, std::string const& self,
                              std::vector<std::string> const& visible, std::vector<std::string> const& more) {
    command_words out;
    out.texts = {bubblewrap,   "--unshare-all", "--unshare-user", "--cap-drop", "ALL",
                 "--hostname", "sandbox",       "--ro-bind",      self,         own_path_inside};
    for (std::string const& path : visible) {
        // An ordinary mount refuses to open a device; Landlock says what may be done with it.
        bool const is_device = path == "/dev/urandom" || path == "/dev/null";
        out.texts.insert(out.texts.end(), {is_device ? "--dev-bind-try" : "--ro-bind-try", path, path});
    }
    out.texts.insert(out.texts.end(), more.begin(), more.end());
    out.texts.insert(out.texts.end(), {"--remount-ro", "/", "--chdir", "/", "--", own_path_inside});
    return out;
}

std::int32_t user_of(std::int32_t slot) { return 61184 + slot % 4096; }

}  // namespace optgap::broker
