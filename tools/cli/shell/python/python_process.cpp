#include "tools/cli/shell/python/python_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "tools/cli/shell/context.hpp"

namespace optgap::cli {
namespace {

/// A folder `optgap` where the user stands must not hide the package, nor a json.py the library's.
constexpr char const* own_path = "import sys; sys.path[:] = sys.path[sys.path[0] == '':]; ";

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> out;
    for (std::string& word : words) {
        out.push_back(word.data());
    }
    out.push_back(nullptr);
    return out;
}

/// Packages before this way to start them hold no declarations of commands.
bool has_package(std::string const& python) {
    std::vector<std::string> words{python, "-c",
                                   std::string(own_path) +
                                       "import importlib.util, pathlib; found = importlib.util.find_spec('optgap'); "
                                       "sys.exit(found is None or not found.origin or not "
                                       "any((pathlib.Path(found.origin).parent / 'commands').glob('*.json')))"};
    std::vector<char*> const arguments = pointers(words);
    pid_t const child = fork();
    if (child == 0) {
        int const nowhere = open("/dev/null", O_RDWR);
        for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
            dup2(nowhere, stream);
        }
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    int ended = 0;
    while (child > 0 && waitpid(child, &ended, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(ended) && WEXITSTATUS(ended) == 0;
}

std::string python_with_package() {
    char const* const given = std::getenv("OPTGAP_PYTHON");
    std::vector<std::string> candidates;
    if (given != nullptr && *given != '\0') {
        candidates.emplace_back(given);
    } else {
        auto const folder = std::filesystem::path(this_program()).parent_path();
        candidates.push_back((folder.parent_path() / "venv-python/bin/python").string());
        candidates.emplace_back("python3");
    }
    for (std::string const& python : candidates) {
        if (has_package(python)) {
            return python;
        }
    }
    throw usage_error(fmt::format(
        "this command needs Python with the package optgap, and {} has none: pip install optgap (in a checkout: "
        "tools/package/install.sh build/venv-python, or OPTGAP_PYTHON=PATH for a Python that has it), then run the "
        "same command",
        fmt::join(candidates, " nor ")));
}

}  // namespace

std::string this_program() {
    std::error_code problem;
    std::filesystem::path const found = std::filesystem::read_symlink("/proc/self/exe", problem);
    return problem ? "optgap" : found.string();
}

void become_python(std::string const& module, std::string const& function, std::vector<std::string> const& arguments) {
    std::vector<std::string> words{
        python_with_package(), "-c",
        fmt::format("{}from {} import {}; sys.exit({}(*sys.argv[1:]))", own_path, module, function, function)};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::cout.flush();
    std::fflush(nullptr);
    std::vector<char*> const started = pointers(words);
    execvp(started[0], started.data());
    throw io_error(fmt::format("cannot start {}: {}", words[0], std::strerror(errno)));
}

}  // namespace optgap::cli
