#include "host/programs/native/processes.hpp"

#include <cstdlib>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/programs/native/broker_client.hpp"

namespace optgap::programs {

process_end run_process(std::vector<std::string> words) {
    process_end out;
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC) != 0) {
        return out;
    }
    file_handle const ours(pipes[0]);
    std::vector<char*> pointers;
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
    char language[] = "LC_ALL=C";
    char* const environment[] = {path, language, nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 1);
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 2);
    pid_t process = 0;
    bool const started =
        posix_spawn(&process, words.front().c_str(), &actions, nullptr, pointers.data(), environment) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(pipes[1]);
    if (!started) {
        return out;
    }
    char buffer[4096];
    for (ssize_t got = 0; (got = read(ours.get(), buffer, sizeof buffer)) > 0;) {
        out.output.append(buffer, std::size_t(got));
    }
    int status = 0;
    waitpid(process, &status, 0);
    out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return out;
}

}  // namespace optgap::programs
