// optgap-wasm: compiles and runs one WebAssembly module through wasmtime, inside of the jail that optgap-broker has put
// it in (docs/sandbox.md). An executable of its own, so that neither the engine nor the broker holds a compiler of
// machine code, and a fault in wasmtime is one run's. Nobody types its command line but these:
//
//   optgap-wasm probe LIBRARY    says that it can be loaded, and which files that reads
//   optgap-wasm hold LIBRARY     stdin begins with a line "compile" or "run STEPS MEMORY_MB OUTPUT_KB", descriptor 3 is
//   the
//                                module: WebAssembly, binary or text, or what a compilation has written to stdout
//
// The last line on stderr is "optgap-wasm END WHERE STEPS"; behind what the module printed there.

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include <sys/resource.h>
#include <unistd.h>

#include "tools/wasm/api.hpp"
#include "tools/wasm/wasi.hpp"

using namespace optgap::wasm;

namespace {

constexpr std::size_t stack_bytes = std::size_t(64) << 20;
constexpr int module_descriptor = 3;

std::string read_all(int descriptor) {
    std::string out;
    char buffer[1 << 16];
    for (ssize_t got = 0; (got = read(descriptor, buffer, sizeof buffer)) > 0;) {
        out.append(buffer, std::size_t(got));
    }
    return out;
}

void write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t const wrote = write(descriptor, bytes.data(), bytes.size());
        if (wrote <= 0) {
            return;
        }
        bytes.remove_prefix(std::size_t(wrote));
    }
}

/// Says how it ended, and ends; what is open is the kernel's to clear.
[[noreturn]] void tell(std::string said, char const* end, std::int64_t where, std::uint64_t steps) {
    if (!said.empty() && said.back() != '\n') {
        said += '\n';
    }
    said += std::string("optgap-wasm ") + end + " " + std::to_string(where) + " " + std::to_string(steps) + "\n";
    write_all(STDERR_FILENO, said);
    _exit(0);
}

std::string text_of(api const& use, failure* what) {
    byte_vector message;
    use.failure_message(what, &message);
    return {message.data, message.size};
}

std::uint8_t const* bytes_of(std::string const& text) { return reinterpret_cast<std::uint8_t const*>(text.data()); }

engine* make_engine(api const& use) {
    config* const wanted = use.config_new();
    use.config_fuel(wanted, true);
    use.config_parallel(wanted, false);  // no thread starts here
    use.config_cow(wanted, false);       // it would need a file in memory
    use.config_nan(wanted, true);        // the same bits on every processor
    use.config_relaxed_simd(wanted, false);
    use.config_memory64(wanted, false);
    use.config_multi_memory(wanted, false);
    use.config_async_stack(wanted, stack_bytes + (std::size_t(1) << 20));
    use.config_stack(wanted, stack_bytes);
    return use.engine_new(wanted);
}

/// The binary form; ends with a compilation's error.
std::string binary_of(api const& use, std::string module) {
    if (module.starts_with(std::string_view("\0asm", 4))) {
        return module;
    }
    if (use.text_to_binary == nullptr) {
        tell("not a WebAssembly module: its first bytes are not \"\\0asm\"", "refused", -1, 0);
    }
    byte_vector binary;
    if (failure* const failed = use.text_to_binary(module.data(), module.size(), &binary)) {
        tell(text_of(use, failed), "refused", -1, 0);
    }
    return {binary.data, binary.size};
}

[[noreturn]] void compile(api const& use, std::string const& given) {
    std::string const binary = binary_of(use, given);
    engine* const by = make_engine(use);
    module* made = nullptr;
    if (failure* const failed = use.module_new(by, bytes_of(binary), binary.size(), &made)) {
        tell(text_of(use, failed), "refused", -1, 0);
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
        tell(text_of(use, failed), "refused", -1, 0);
    }
    export_vector exports;
    use.module_exports(made, &exports);
    bool starts = false;
    for (std::size_t k = 0; k < exports.size; ++k) {
        byte_vector const& name = *use.export_name(exports.data[k]);
        starts = starts || std::string_view(name.data, name.size) == "_start";
    }
    if (!starts) {
        tell("the module exports no function _start: it is a library, not a program", "refused", -1, 0);
    }
    byte_vector code;
    if ((failed = use.module_serialize(made, &code)) != nullptr) {
        tell(text_of(use, failed), "refused", -1, 0);
    }
    write_all(STDOUT_FILENO, {code.data, code.size});
    tell({}, "ok", -1, 0);
}

/// How the call of a module ended, from what stopped it.
[[noreturn]] void tell_end(world& of, context* in, exported const* memory, trap* trapped) {
    api const& use = *of.of;
    flush(of);
    std::uint64_t left = 0;
    use.get_fuel(in, &left);
    std::uint64_t steps = of.limits.steps - left;
    std::uint8_t code = 255;
    bool const coded = trapped != nullptr && use.trap_code(trapped, &code);
    if (of.why == stopped::steps || (coded && code == trap_out_of_fuel)) {
        tell(of.errors, "steps", -1, of.limits.steps);
    }
    if (of.why == stopped::output) {
        tell(of.errors, "output", -1, steps);
    }
    if (of.why == stopped::exit || trapped == nullptr) {
        tell(of.errors, "exit", of.status, steps);
    }
    std::uint64_t const size = memory != nullptr ? use.memory_size(in, &memory->as_memory) : 0;
    bool const full = size >= of.limits.memory_bytes / 100 * 95;
    bool const asked = of.errors.find("std::bad_alloc") != std::string::npos;
    byte_vector message;
    use.trap_message(trapped, &message);
    std::string said(message.data, std::strlen(message.data) < message.size ? std::strlen(message.data) : message.size);
    if (!of.errors.empty() && of.errors.back() != '\n') {
        of.errors += '\n';
    }
    tell(of.errors + said, full || asked ? "memory" : "crash", coded ? code : -1, steps);
}

[[noreturn]] void run(api const& use, std::string const& code, world& of) {
    rlimit stack{};
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur < stack_bytes + (std::size_t(8) << 20)) {
        tell("the stack's limit is below what a module may use", "lost", -1, 0);
    }
    engine* const by = make_engine(use);
    module* made = nullptr;
    if (failure* const failed = use.module_deserialize(by, bytes_of(code), code.size(), &made)) {
        tell(text_of(use, failed), "lost", -1, 0);
    }
    linker* const links = use.linker_new(by);
    store* const kept = use.store_new(by, nullptr, nullptr);
    context* const in = use.store_context(kept);
    use.store_limiter(kept, std::int64_t(of.limits.memory_bytes), 1 << 20, 1, 16, 1);
    failure* failed = define_calls(links, of);
    if (failed == nullptr) {
        failed = use.set_fuel(in, of.limits.steps);
    }
    if (failed != nullptr) {
        tell(text_of(use, failed), "lost", -1, 0);
    }
    instance started{};
    trap* trapped = nullptr;
    failed = use.linker_instantiate(links, in, made, &started, &trapped);
    if (of.why != stopped::no) {  // what a call of the host gives to stop a run comes back as a failure, not as a trap
        tell_end(of, in, nullptr, nullptr);
    }
    if (failed != nullptr) {  // a memory or a table of more than there may be
        tell(text_of(use, failed), "memory", -1, 0);
    }
    if (trapped != nullptr) {
        tell_end(of, in, nullptr, trapped);
    }
    exported start{};
    exported memory{};
    bool const has_memory = use.instance_export(in, &started, "memory", 6, &memory) && memory.kind == exported_memory;
    if (!use.instance_export(in, &started, "_start", 6, &start) || start.kind != exported_function) {
        tell("_start is no function", "crash", -1, 0);
    }
    failed = use.call(in, &start.as_function, nullptr, 0, nullptr, 0, &trapped);
    if (failed != nullptr && of.why == stopped::no) {
        tell(text_of(use, failed), "crash", -1, 0);  // it takes arguments or gives results
    }
    tell_end(of, in, has_memory ? &memory : nullptr, trapped);
}

bool take_number(std::string_view& from, std::uint64_t& out) {
    from.remove_prefix(from.empty() ? 0 : 1);
    auto const [end, wrong] = std::from_chars(from.data(), from.data() + from.size(), out);
    from.remove_prefix(std::size_t(end - from.data()));
    return wrong == std::errc();
}

[[noreturn]] void hold(api const& use) {
    std::string const all = read_all(STDIN_FILENO);
    std::string_view head(all.data(), std::min(all.size(), all.find('\n')));
    std::string const module = read_all(module_descriptor);
    close(module_descriptor);
    if (head == "compile") {
        compile(use, module);
    }
    world of;
    of.of = &use;
    of.input = all.substr(std::min(all.size(), head.size() + 1));
    constexpr std::string_view verb = "run";
    bool good = head.starts_with(verb);
    head.remove_prefix(good ? verb.size() : 0);
    good = good && take_number(head, of.limits.steps) && take_number(head, of.limits.memory_bytes) &&
           take_number(head, of.limits.output_bytes) && head.empty();
    if (!good) {
        tell("what is asked for is not understood", "lost", -1, 0);
    }
    of.limits.memory_bytes <<= 20;
    of.limits.output_bytes <<= 10;
    run(use, module, of);
}

/// As an interpreter's facts: the files that a run reads.
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
