#include "tools/cli/shell/python/python_process.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include <fmt/format.h>

#include "optgap/status.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {
namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> out;
    for (std::string& word : words) {
        out.push_back(word.data());
    }
    out.push_back(nullptr);
    return out;
}

std::string chosen_python() {
    try {
        return python_with_package().executable;
    } catch (error const& none) {
        throw usage_error(fmt::format("this command {}", none.what()));
    }
}

}  // namespace

void become_python(std::string const& module, std::string const& function, std::vector<std::string> const& arguments) {
    std::vector<std::string> words{
        chosen_python(), "-c",
        fmt::format("{}from {} import {}; sys.exit({}(*sys.argv[1:]))", python_own_path, module, function, function)};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::cout.flush();
    std::fflush(nullptr);
    std::vector<char*> const started = pointers(words);
    execvp(started[0], started.data());
    throw io_error(fmt::format("cannot start {}: {}", words[0], std::strerror(errno)));
}

}  // namespace optgap::cli
