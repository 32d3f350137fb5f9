#include "host/process/python_place.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "optgap/status.hpp"

namespace optgap {
namespace {

std::atomic<python_finder> own_python{nullptr};

/// Packages before this way to start them hold no declarations of commands.
bool has_package(std::string const& python) {
    std::string const check =
        std::string(python_own_path) +
        "import importlib.util, pathlib; found = importlib.util.find_spec('optgap'); sys.exit(found is None or not "
        "found.origin or not any((pathlib.Path(found.origin).parent / 'commands').glob('*.json')))";
    char const* const words[] = {python.c_str(), "-c", check.c_str(), nullptr};
    pid_t const child = fork();
    if (child == 0) {
        int const nowhere = open("/dev/null", O_RDWR);
        for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
            dup2(nowhere, stream);
        }
        execvp(words[0], const_cast<char**>(words));
        _exit(127);
    }
    int ended = 0;
    while (child > 0 && waitpid(child, &ended, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(ended) && WEXITSTATUS(ended) == 0;
}

}  // namespace

void set_own_python(python_finder find) { own_python = find; }

std::string this_program() {
    std::error_code problem;
    std::filesystem::path const found = std::filesystem::read_symlink("/proc/self/exe", problem);
    return problem ? "optgap" : found.string();
}

python_place python_with_package() {
    if (python_finder const own = own_python) {
        return own();
    }
    char const* const given = std::getenv("OPTGAP_PYTHON");
    std::vector<std::string> candidates;
    if (given != nullptr && *given != '\0') {
        candidates.emplace_back(given);
    } else {
        auto const folder = std::filesystem::path(this_program()).parent_path();
        candidates.push_back((folder.parent_path() / "venv-python/bin/python").string());
        candidates.emplace_back("python3");
    }
    std::string tried;
    for (std::string const& python : candidates) {
        if (has_package(python)) {
            return {python};
        }
        tried += (tried.empty() ? "" : " nor ") + python;
    }
    throw error(status::device_unavailable,
                "needs Python with the package optgap, and " + tried +
                    " has none: pip install optgap (in a checkout: tools/package/install.sh build/venv-python, or "
                    "OPTGAP_PYTHON=PATH for a Python that has it), then run the same command");
}

}  // namespace optgap
