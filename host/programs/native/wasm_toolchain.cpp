#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <xxhash.h>

#include "host/programs/native/processes.hpp"
#include "host/programs/native/toolchains.hpp"
#include "host/programs/native/wasm.hpp"

namespace optgap::programs {
namespace {

namespace wasm_places {

namespace fs = std::filesystem;

std::string environment(char const* name) {
    char const* const value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

/// wasmtime's library in the Python environment with the prefix `folder`; empty when it has none.
std::string in_prefix(fs::path const& folder) {
    std::error_code failed;
    for (fs::directory_entry const& python : fs::directory_iterator(folder / "lib", failed)) {
        if (!python.path().filename().string().starts_with("python3")) {
            continue;
        }
        fs::directory_iterator const machines(python.path() / "site-packages/wasmtime", failed);
        for (fs::directory_entry const& machine : machines) {
            fs::path const library = machine.path() / "_libwasmtime.so";
            if (fs::exists(library, failed)) {
                return fs::canonical(library, failed).string();
            }
        }
    }
    return {};
}

/// wasmtime's library in one of the prefixes above a file that may lie deep in site-packages.
std::string above(fs::path at) {
    for (int k = 0; k < 8 && at.has_relative_path(); ++k) {
        at = at.parent_path();
        if (std::string const found = in_prefix(at); !found.empty()) {
            return found;
        }
    }
    return {};
}

std::string find_library(std::string& trouble) {
    std::error_code failed;
    std::string const named = environment("OPTGAP_WASMTIME");
    if (named == "none") {
        trouble = "OPTGAP_WASMTIME says none";
        return {};
    }
    if (!named.empty()) {
        if (!fs::is_regular_file(named, failed)) {
            trouble = fmt::format("OPTGAP_WASMTIME: {} is not a file", named);
            return {};
        }
        return fs::canonical(named, failed).string();
    }
    Dl_info own{};
    if (dladdr(reinterpret_cast<void const*>(&find_wasm_runtime), &own) != 0 && own.dli_fname != nullptr) {
        if (std::string const found = above(fs::absolute(own.dli_fname, failed)); !found.empty()) {
            return found;
        }
    }
    if (std::string const found = above(fs::read_symlink("/proc/self/exe", failed)); !found.empty()) {
        return found;
    }
    if (std::string const active = environment("VIRTUAL_ENV"); !active.empty()) {
        if (std::string const found = in_prefix(active); !found.empty()) {
            return found;
        }
    }
    for (char const* const path : {"/usr/local/lib/libwasmtime.so", "/usr/lib/libwasmtime.so"}) {
        if (fs::exists(path, failed)) {
            return fs::canonical(path, failed).string();
        }
    }
    trouble = "no wasmtime in the Python environments of optgap and VIRTUAL_ENV, nor libwasmtime.so of the system";
    return {};
}

/// Whether all users can read a path. If this process is root, runs have users of their own.
bool everyone_reads(std::string const& path) {
    struct stat found {};
    for (fs::path at = path; geteuid() == 0 && at != at.root_path(); at = at.parent_path()) {
        if (stat(at.c_str(), &found) != 0 || (found.st_mode & (S_ISDIR(found.st_mode) ? S_IXOTH : S_IROTH)) == 0) {
            return false;
        }
    }
    return true;
}

/// Identifies a build of a file by size and modification time.
std::string mark_of(std::string const& path) {
    struct stat found {};
    stat(path.c_str(), &found);
    return fmt::format("{} {} {}.{} ", path, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
}

std::string digest(std::string const& of) { return fmt::format("{:016x}", XXH3_64bits(of.data(), of.size())); }

std::vector<std::string> lines(std::string const& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        out.push_back(line);
    }
    return out;
}

void add(std::vector<std::string>& to, std::string const& path) {
    std::error_code failed;
    for (std::string const& each : {path, fs::canonical(path, failed).string()}) {
        if (!each.empty() && each != "/" && fs::exists(each, failed) && std::ranges::find(to, each) == to.end()) {
            to.push_back(each);
        }
    }
}

/// Makes the precompiled header in its final place, since it contains the paths of its sources. One process at a time
/// makes it, and it gets its name after everything else is complete.
std::string make_folder(std::string const& made, std::string const& path, std::vector<std::string> const& options) {
    file_handle const lock(open((made + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!lock.good() || flock(lock.get(), LOCK_EX) != 0) {
        return fmt::format("{}.lock: {}", made, std::strerror(errno));
    }
    if (fs::exists(made + "/standard.pch")) {
        return {};  // another process was faster
    }
    std::error_code failed;
    fs::remove_all(made, failed);
    fs::create_directories(made + "/bits", failed);
    for (auto const& [name, text] :
         {std::pair{"/bits/stdc++.h", wasm_header}, std::pair{"/standard.hpp", "#include <bits/stdc++.h>\n"},
          std::pair{"/support.cpp", wasm_support}}) {
        std::ofstream(made + name, std::ios::binary) << text;
    }
    std::vector<std::string> header{path};
    header.insert(header.end(), options.begin(), options.end());
    std::vector<std::string> support = header;
    header.insert(header.end(),
                  {"-isystem", made, "-x", "c++-header", made + "/standard.hpp", "-o", made + "/new.pch"});
    support.insert(support.end(), {"-c", made + "/support.cpp", "-o", made + "/support.o"});
    for (std::vector<std::string> const& words : {support, header}) {
        process_end const end = run_process(words);
        if (end.status != 0) {
            return fmt::format("{} cannot make {}: {}", path, words.back(), end.output.substr(0, 400));
        }
    }
    chmod(made.c_str(), 0755);  // independent of the umask
    for (fs::directory_entry const& each : fs::recursive_directory_iterator(made)) {
        chmod(each.path().c_str(), each.is_directory() ? 0755 : 0644);
    }
    fs::rename(made + "/new.pch", made + "/standard.pch", failed);
    return failed ? fmt::format("{}: {}", made, failed.message()) : std::string();
}

}  // namespace wasm_places

}  // namespace

wasm_runtime find_wasm_runtime(std::string const& broker) {
    using namespace wasm_places;
    wasm_runtime out;
    std::string const helper = (fs::path(broker).parent_path() / "optgap-wasm").string();
    out.fix = "pip install wasmtime beside optgap, or name its library (_libwasmtime.so) in OPTGAP_WASMTIME";
    std::string const library = find_library(out.trouble);
    if (library.empty()) {
        return out;
    }
    if (access(helper.c_str(), X_OK) != 0) {
        out.trouble = fmt::format("no optgap-wasm beside {}", broker);
        out.fix = "build again";
        return out;
    }
    process_end const told = run_process({helper, "probe", library});
    if (told.status != 0 || !told.output.ends_with("good\n")) {
        out.trouble = fmt::format("{}: {}", library, told.output.substr(0, 300));
        return out;
    }
    for (std::string const& line : lines(told.output)) {
        if (line.starts_with("read ")) {
            add(out.reads, line.substr(5));
        }
    }
    add(out.reads, library);
    add(out.reads, "/etc/ld.so.cache");
    std::vector<std::string> needed = out.reads;
    needed.push_back(helper);
    for (std::string const& each : needed) {
        if (!everyone_reads(each)) {
            out.trouble = fmt::format("{} lies where only root may read", each);
            out.fix = "a copy where the runs' users may read it, named in OPTGAP_WASMTIME";
            return out;
        }
    }
    out.library = library;
    out.fingerprint = digest(mark_of(helper) + mark_of(library));
    out.trouble.clear();
    out.fix.clear();
    out.helper = helper;
    return out;
}

wasm_compiler find_wasm_compiler(std::string const& cache) {
    using namespace wasm_places;
    wasm_compiler out;
    out.fix =
        "install clang, lld, wasi-libc, libc++-dev-wasm32 and libclang-rt-VERSION-dev-wasm32, or name a clang++ that "
        "has "
        "them in OPTGAP_PROGRAM_WASM_CXX";
    std::string wanted = environment("OPTGAP_PROGRAM_WASM_CXX");
    wanted = wanted.empty() ? "clang++" : wanted;
    std::string const path = find_program(wanted);
    if (path.empty()) {
        out.trouble = fmt::format("no {} in PATH", wanted);
        return out;
    }
    // Uses the real path, whose name may not select C++.
    std::vector<std::string> const options{"--driver-mode=g++",
                                           "--target=wasm32-wasi",
                                           "-std=c++20",
                                           "-O2",
                                           "-w",
                                           "-fno-exceptions",
                                           "-fno-color-diagnostics",
                                           "-fno-caret-diagnostics",
                                           "-fno-crash-diagnostics",
                                           "-ferror-limit=20",
                                           "-D_WASI_EMULATED_SIGNAL",
                                           "-D_WASI_EMULATED_PROCESS_CLOCKS"};
    auto const ask = [&](std::vector<std::string> const& what) {
        std::vector<std::string> words{path};
        words.insert(words.end(), options.begin(), options.end());
        words.insert(words.end(), what.begin(), what.end());
        return lines(run_process(words).output);
    };
    std::vector<std::string> const banner = ask({"--version"});
    out.version = banner.empty() ? "" : banner.front();
    if (out.version.find("clang") == std::string::npos) {
        out.trouble = fmt::format("{} is not clang", path);
        return out;
    }
    std::vector<std::string> const c_library = ask({"-print-file-name=libc.a"});
    if (c_library.empty() || !c_library.front().starts_with("/")) {
        out.trouble = fmt::format("{} has no C library for wasm32-wasi", path);
        return out;
    }
    add(out.executes, path);
    std::string linker = ask({"-print-prog-name=wasm-ld"}).front();
    linker = linker.starts_with("/") ? linker : find_program(linker);
    if (linker.empty()) {
        out.trouble = fmt::format("{} has no wasm-ld", path);
        return out;
    }
    add(out.executes, linker);
    add(out.reads, fs::path(c_library.front()).parent_path().string());
    // Distributions link some of them to another folder.
    for (char const* const library : {"libc++.a", "libc++abi.a"}) {
        std::error_code failed;
        std::string const found =
            fs::canonical(ask({std::string("-print-file-name=") + library}).front(), failed).string();
        if (found.empty()) {
            out.trouble = fmt::format("{} has no C++ library for wasm32-wasi", path);
            return out;
        }
        add(out.reads, fs::path(found).parent_path().string());
    }
    add(out.reads, ask({"-print-resource-dir"}).front());
    bool listed = false;
    for (std::string const& line : ask({"-E", "-v", "-x", "c++", "/dev/null"})) {
        listed = (listed || line.starts_with("#include <...>")) && !line.starts_with("End of search");
        if (listed && line.starts_with(" /")) {
            add(out.reads, line.substr(1));
        }
    }
    for (std::string const& line : ask({"-print-search-dirs"})) {
        std::istringstream folders(line.starts_with("libraries: =") ? line.substr(12) : "");
        for (std::string folder; std::getline(folders, folder, ':');) {
            add(out.reads, folder);
        }
    }
    for (std::string const& program : {path, linker}) {  // their own shared libraries
        for (std::string const& line : lines(run_process({find_loader(), "--list", program}).output)) {
            std::size_t const at = line.find("=> /");
            if (at != std::string::npos) {
                add(out.reads, line.substr(at + 3, line.find(" (", at) - at - 3));
            }
        }
    }
    add(out.reads, "/etc/ld.so.cache");
    std::string const text = mark_of(path) + mark_of(c_library.front()) + fmt::format("{}", fmt::join(options, " ")) +
                             wasm_header + wasm_support;
    out.fingerprint = digest(text);
    std::string const made = fmt::format("{}/wasm-{}", cache, out.fingerprint);
    if (!fs::exists(made + "/standard.pch")) {
        out.trouble = make_folder(made, path, options);
        if (!out.trouble.empty()) {
            return out;
        }
    }
    out.reads.push_back(made);
    out.flags = options;
    out.flags.insert(out.flags.end(),
                     {"-isystem", made, "-include-pch", made + "/standard.pch", "-x", "c++", "-", "-x", "none",
                      made + "/support.o", "-lwasi-emulated-signal", "-lwasi-emulated-process-clocks", "-Wl,-s",
                      "-Wl,--threads=1", "-Wl,-z,stack-size=8388608", "-Wl,--stack-first"});
    out.fix.clear();
    out.path = path;
    return out;
}

}  // namespace optgap::programs
