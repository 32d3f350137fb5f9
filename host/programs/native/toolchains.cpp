#include "host/programs/native/toolchains.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <xxhash.h>

#include "host/programs/native/processes.hpp"

namespace optgap::programs {
namespace {

namespace fs = std::filesystem;

/// Prints version, path, library folder, and every file and folder that a run opens.
constexpr char const* python_facts = R"py(
import os, sys
import math, random, heapq, bisect, collections, itertools, functools, re, json, time, array, decimal, fractions
print("version", "%d.%d.%d" % sys.version_info[:3])
print("path", os.path.realpath(sys.executable))
libraries = {os.path.dirname(os.__file__), os.path.realpath(os.path.dirname(os.__file__))}
libraries.update(path for path in sys.path if path)
for line in open("/proc/self/maps"):
    name = line.split(maxsplit=5)[5].strip() if len(line.split(maxsplit=5)) > 5 else ""
    if name.startswith("/") and ".so" in name:
        libraries.add(os.path.dirname(name))
        libraries.add(os.path.realpath(os.path.dirname(name)))
for path in sorted(libraries):
    print("read", path)
)py";

std::string environment_or(char const* name, std::string const& otherwise) {
    char const* const value = std::getenv(name);
    return value != nullptr && *value != 0 ? std::string(value) : otherwise;
}

std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        out.push_back(line);
    }
    return out;
}

void add_existing(std::vector<std::string>& to, std::string const& path) {
    std::error_code failed;
    if (!path.empty() && fs::exists(path, failed) && std::ranges::find(to, path) == to.end()) {
        to.push_back(path);
    }
}

/// Adds a path and the target of its link: the loader opens the name, Landlock sees the file.
void add_both(std::vector<std::string>& to, std::string const& path) {
    std::error_code failed;
    add_existing(to, path);
    add_existing(to, fs::canonical(path, failed).string());
}

bool write_file(fs::path const& path, std::string const& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    return bool(out);
}

/// Whether runs can read a path. If this process is root, each run has a user of its own, which does not reach what
/// only root reaches.
bool others_reach(std::string const& path) {
    if (geteuid() != 0) {
        return true;
    }
    for (fs::path at = path; at != at.root_path(); at = at.parent_path()) {
        struct stat found {};
        if (stat(at.c_str(), &found) != 0 || (found.st_mode & (S_ISDIR(found.st_mode) ? S_IXOTH : S_IROTH)) == 0) {
            return false;
        }
    }
    return true;
}

/// Fills `out`. Returns the reason for a failure, else an empty text.
std::string ask_python(std::string const& path, python_toolchain& out) {
    process_end const told = run_process({path, "-I", "-S", "-B", "-c", python_facts});
    if (told.status != 0) {
        return fmt::format("{}: {}", path, told.output.substr(0, 200));
    }
    for (std::string const& line : lines_of(told.output)) {
        std::string const value = line.substr(std::min(line.size(), line.find(' ') + 1));
        if (line.starts_with("version ")) {
            out.version = value;
        } else if (line.starts_with("path ")) {
            out.path = value;
        } else if (line.starts_with("read ")) {
            add_existing(out.reads, value);
        }
    }
    add_existing(out.reads, "/etc/ld.so.cache");
    for (std::string const& each : out.reads) {
        if (!others_reach(each)) {
            return fmt::format("{} lies where only root may read ({})", path, each);
        }
    }
    return {};
}

}  // namespace

std::string find_program(std::string const& name) {
    std::error_code failed;
    if (name.find('/') != std::string::npos) {
        return access(name.c_str(), X_OK) == 0 ? fs::canonical(name, failed).string() : std::string();
    }
    std::istringstream folders(environment_or("PATH", "/usr/local/bin:/usr/bin:/bin"));
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::string const path = folder + "/" + name;
        if (!folder.empty() && access(path.c_str(), X_OK) == 0 && fs::is_regular_file(path, failed)) {
            return fs::canonical(path, failed).string();
        }
    }
    return {};
}

std::string find_loader() {
    for (char const* const path : {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"}) {
        if (access(path, X_OK) == 0) {
            return path;
        }
    }
    return {};
}

std::string cache_folder(std::string& trouble) {
    std::string const path =
        environment_or("OPTGAP_SANDBOX_CACHE", fmt::format("/var/tmp/optgap-sandbox-{}", geteuid()));
    if (mkdir(path.c_str(), 0755) == 0) {
        chmod(path.c_str(), 0755);  // independent of the umask
    }
    struct stat found {};
    if (lstat(path.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) {
        trouble = fmt::format("{} is not a folder", path);
        return {};
    }
    if (found.st_uid != geteuid() || (found.st_mode & 022) != 0) {
        trouble = fmt::format("{} is another user's, or another user may write to it", path);
        return {};
    }
    return path;
}

python_toolchain find_python() {
    python_toolchain out;
    char const* const named = std::getenv("OPTGAP_PROGRAM_PYTHON");
    std::vector<std::string> const wanted =
        named != nullptr ? std::vector<std::string>{named} : std::vector<std::string>{"python3", "/usr/bin/python3"};
    for (std::string const& name : wanted) {
        std::string const path = find_program(name);
        std::string const why = path.empty() ? fmt::format("no {} in PATH", name) : ask_python(path, out);
        if (why.empty()) {
            out.trouble.clear();
            return out;
        }
        std::string const before = out.trouble;
        out = {};
        out.trouble = before + (before.empty() ? "" : "; ") + why;
    }
    return out;
}

cpp_toolchain find_cpp(std::string const& cache) {
    cpp_toolchain out;
    std::string const wanted = environment_or("OPTGAP_PROGRAM_CXX", "g++");
    std::string const path = find_program(wanted);
    if (path.empty()) {
        out.trouble = fmt::format("no {} in PATH", wanted);
        return out;
    }
    auto const ask = [&path](std::string const& what) {
        std::string answer = run_process({path, what}).output;
        answer.erase(answer.find_last_not_of('\n') + 1);
        return answer;
    };
    std::string const banner = ask("--version");
    out.version = banner.substr(0, banner.find('\n'));
    if (banner.find("Free Software Foundation") == std::string::npos) {
        out.trouble = fmt::format("{} is not GNU g++, which precompiled headers are made for", path);
        return out;
    }
    out.executes.push_back(path);
    for (char const* const part : {"cc1plus", "collect2", "as", "ld", "lto-wrapper"}) {
        std::string const found = ask(std::string("-print-prog-name=") + part);
        add_both(out.executes, found.find('/') == std::string::npos ? find_program(found) : found);
    }
    std::string const where = ask("-print-search-dirs");
    std::size_t const libraries = where.find("libraries: =");
    std::istringstream folders(libraries == std::string::npos ? "" : where.substr(libraries + 12));
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::error_code failed;
        add_existing(out.reads, fs::canonical(folder.substr(0, folder.find('\n')), failed).string());
    }
    bool listed = false;
    for (std::string const& line : lines_of(run_process({path, "-E", "-v", "-x", "c++", "/dev/null"}).output)) {
        listed = (listed || line.starts_with("#include <...>")) && !line.starts_with("End of search");
        if (listed && line.starts_with(" /")) {
            add_both(out.reads, line.substr(1));
        }
    }
    add_existing(out.reads, "/etc/ld.so.cache");
    std::erase(out.reads, "/");

    std::vector<std::string> const options{
        "-std=c++20",      "-O2", "-pipe",  "-w", "-fno-diagnostics-color", "-fno-diagnostics-show-caret",
        "-fmax-errors=20", "-s",  "-static"};
    std::string const text = banner + fmt::format("{}", fmt::join(options, " ")) + cpp_clocks;
    out.fingerprint = fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
    std::string const made = fmt::format("{}/cpp-{}", cache, out.fingerprint);
    if (!fs::exists(made)) {
        // Written to a temporary folder and renamed when complete, since other processes may make it, too.
        std::string aside = made + "-XXXXXX";
        if (mkdtemp(aside.data()) == nullptr) {
            out.trouble = fmt::format("{}: {}", made, std::strerror(errno));
            return out;
        }
        chmod(aside.c_str(), 0755);
        write_file(aside + "/standard.hpp", "#include <bits/stdc++.h>\n");
        write_file(aside + "/clocks.cpp", cpp_clocks);
        std::vector<std::string> header{path};
        header.insert(header.end(), options.begin(), options.end());
        std::vector<std::string> clocks = header;
        header.insert(header.end(), {"-x", "c++-header", aside + "/standard.hpp", "-o", aside + "/standard.hpp.gch"});
        clocks.insert(clocks.end(), {"-c", aside + "/clocks.cpp", "-o", aside + "/clocks.o"});
        for (std::vector<std::string> const& words : {header, clocks}) {
            process_end const end = run_process(words);
            if (end.status != 0) {
                out.trouble = fmt::format("{} cannot make {}: {}", path, words.back(), end.output.substr(0, 400));
                fs::remove_all(aside);
                return out;
            }
        }
        for (fs::directory_entry const& each : fs::directory_iterator(aside)) {
            chmod(each.path().c_str(), 0644);
        }
        std::error_code failed;
        fs::rename(aside, made, failed);
        if (failed) {
            fs::remove_all(aside);  // another process was faster
        }
    }
    out.reads.push_back(made);
    out.flags = options;
    out.flags.insert(out.flags.end(),
                     {"-include", made + "/standard.hpp", "-x", "c++", "-", "-x", "none", made + "/clocks.o"});
    out.path = path;
    return out;
}

scratch_folder::scratch_folder(std::string const& cache) {
    std::error_code failed;
    for (fs::directory_entry const& each : fs::directory_iterator(cache, failed)) {
        std::string const name = each.path().filename().string();
        int const process = name.starts_with("scratch-") ? std::atoi(name.c_str() + 8) : 0;
        if (process > 0 && kill(process, 0) != 0 && errno == ESRCH) {
            fs::remove_all(each.path(), failed);
        }
    }
    path_ = fmt::format("{}/scratch-{}-XXXXXX", cache, getpid());
    if (mkdtemp(path_.data()) == nullptr) {
        path_.clear();
    } else {
        chmod(path_.c_str(), 0711);  // each run's user finds its own folder in it, but cannot list the others
    }
}

scratch_folder::~scratch_folder() {
    std::error_code failed;
    if (!path_.empty()) {
        fs::remove_all(path_, failed);
    }
}

}  // namespace optgap::programs
