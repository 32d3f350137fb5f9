// optgap-wasm compiles or runs one WebAssembly module through wasmtime, inside of the jail that optgap-broker sets up
// (docs/sandbox.md). It is a separate executable, so that neither the engine nor the broker contains a compiler of
// machine code, and a fault in wasmtime affects one program only. Its command lines:
//
//   optgap-wasm probe LIBRARY    says that it can be loaded, and which files that reads
//   optgap-wasm hold LIBRARY     stdin is a line "compile", descriptor 3 a module, binary or text: stdout is its
//                                machine code, and the last line on stderr "optgap-wasm ok" or "optgap-wasm refused";
//                                or stdin is what host/programs/wire/module_wire.hpp says, descriptor 3 machine code

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include <unistd.h>

#include "tools/wasm/api.hpp"
#include "tools/wasm/runs.hpp"
#include "tools/wasm/wasi.hpp"

using namespace optgap::wasm;

namespace {

constexpr int module_descriptor = 3;

std::string read_all(int descriptor) {
    std::string out;
    char buffer[1 << 16];
    for (ssize_t got = 0; (got = read(descriptor, buffer, sizeof buffer)) > 0;) {
        out.append(buffer, std::size_t(got));
    }
    return out;
}

/// Reports how a compilation ended, and exits. The kernel closes what is open.
[[noreturn]] void tell(std::string said, char const* end) {
    if (!said.empty() && said.back() != '\n') {
        said += '\n';
    }
    write_all(STDERR_FILENO, said + "optgap-wasm " + end + "\n");
    _exit(0);
}

/// The binary form of a module. On failure, reports a compile error and exits.
std::string binary_of(api const& use, std::string module) {
    if (module.starts_with(std::string_view("\0asm", 4))) {
        return module;
    }
    if (use.text_to_binary == nullptr) {
        tell("not a WebAssembly module: its first bytes are not \"\\0asm\"", "refused");
    }
    byte_vector binary;
    if (failure* const failed = use.text_to_binary(module.data(), module.size(), &binary)) {
        tell(text_of(use, failed), "refused");
    }
    return {binary.data, binary.size};
}

[[noreturn]] void compile(api const& use, std::string const& given) {
    std::string const binary = binary_of(use, given);
    engine* const by = make_engine(use);
    module* made = nullptr;
    if (failure* const failed = use.module_new(by, bytes_of(binary), binary.size(), &made)) {
        tell(text_of(use, failed), "refused");
    }
    world none;
    none.of = &use;
    linker* const links = use.linker_new(by);
    instance_pre* checked = nullptr;
    failure* failed = define_calls(links, none);
    if (failed == nullptr) {
        failed = use.linker_check(links, made, &checked);
    }
    if (failed != nullptr) {
        tell(text_of(use, failed), "refused");
    }
    export_vector exports;
    use.module_exports(made, &exports);
    bool starts = false;
    for (std::size_t k = 0; k < exports.size; ++k) {
        byte_vector const& name = *use.export_name(exports.data[k]);
        starts = starts || std::string_view(name.data, name.size) == "_start";
    }
    if (!starts) {
        tell("the module exports no function _start: it is a library, not a program", "refused");
    }
    byte_vector code;
    if ((failed = use.module_serialize(made, &code)) != nullptr) {
        tell(text_of(use, failed), "refused");
    }
    write_all(STDOUT_FILENO, {code.data, code.size});
    tell({}, "ok");
}

[[noreturn]] void hold(api const& use) {
    std::string const asked = read_all(STDIN_FILENO);
    std::string const module = read_all(module_descriptor);
    close(module_descriptor);
    if (asked == "compile\n") {
        compile(use, module);
    }
    run_module(use, module, asked);
}

/// Prints the files that a run reads, as the facts of an interpreter do.
int probe(api const& use) {
    static_cast<void>(make_engine(use));
    std::string maps;
    if (std::FILE* const file = std::fopen("/proc/self/maps", "r")) {
        char line[4096];
        while (std::fgets(line, sizeof line, file) != nullptr) {
            char const* const path = std::strchr(line, '/');
            if (path != nullptr && std::strstr(path, ".so") != nullptr) {
                std::printf("read %s", path);
            }
        }
        std::fclose(file);
    }
    std::puts("good");
    return 0;
}

}  // namespace

int main(int count, char** words) {
    std::string_view const verb = count == 3 ? words[1] : "";
    if (verb != "probe" && verb != "hold") {
        std::fputs("optgap-wasm: started by optgap, not by hand\n", stderr);
        return 2;
    }
    api use{};
    if (char const* const wrong = load_api(words[2], use)) {
        std::fprintf(stderr, "optgap-wasm: %s: %s\n", words[2], wrong);
        return 3;
    }
    if (verb == "probe") {
        return probe(use);
    }
    hold(use);
}
