// Finds the processes of a run whose program is not the broker's direct child.

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include <dirent.h>
#include <unistd.h>

#include "tools/broker/clocks.hpp"

namespace optgap::broker {
namespace {

constexpr std::size_t max_processes = 4096;

/// The processor time of children that a process has waited for, in nanoseconds.
std::int64_t waited_for(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string const text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::size_t const name_end = text.rfind(')');
    long long user = 0;
    long long system = 0;
    if (name_end == text.npos ||
        std::sscanf(text.c_str() + name_end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lld %lld",
                    &user, &system) != 2) {
        return 0;
    }
    return (user + system) * (1'000'000'000 / sysconf(_SC_CLK_TCK));
}

}  // namespace

std::vector<pid_t> children_of(pid_t process) {
    std::vector<pid_t> out;
    std::string const folder = "/proc/" + std::to_string(process) + "/task";
    DIR* const tasks = opendir(folder.c_str());
    if (tasks == nullptr) {
        return out;
    }
    while (dirent const* const task = readdir(tasks)) {
        if (task->d_name[0] != '.') {
            std::ifstream file(folder + "/" + task->d_name + "/children");
            for (pid_t child = 0; file >> child;) {
                out.push_back(child);
            }
        }
    }
    closedir(tasks);
    return out;
}

process_tree tree_of(pid_t root) {
    process_tree out;
    out.processes.push_back(root);
    for (std::size_t k = 0; k < out.processes.size() && out.processes.size() < max_processes; ++k) {
        pid_t const each = out.processes[k];
        out.cpu += cpu_of(each) + waited_for(each);
        out.waited += wait_of(each);
        out.runnable = out.runnable || is_runnable(each);
        std::vector<pid_t> const more = children_of(each);
        out.processes.insert(out.processes.end(), more.begin(), more.end());
    }
    return out;
}

}  // namespace optgap::broker
