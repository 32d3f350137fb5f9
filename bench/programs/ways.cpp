#include "bench/programs/ways.hpp"

#include <chrono>

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.hpp"

namespace optgap::bench {
namespace {

constexpr char const* starter = R"py(
import asyncio, shlex, subprocess, sys
way, runs, given, wanted, *words = sys.argv[1:]
given, wanted = given.encode(), wanted.encode()

def plain():
    for _ in range(int(runs)):
        done = subprocess.run(words, input=given, capture_output=True, check=True, timeout=60)
        assert done.stdout == wanted, done.stdout

async def by_shell():
    line, pipe = " ".join(map(shlex.quote, words)), subprocess.PIPE
    for _ in range(int(runs)):
        made = await asyncio.create_subprocess_shell(line, executable="/bin/bash", stdin=pipe, stdout=pipe, stderr=pipe)
        made.stdin.write(given)
        made.stdin.close()
        await asyncio.wait_for(made.wait(), 60)
        printed = await made.stdout.read(1 << 20)
        assert printed == wanted, printed

plain() if way == "subprocess.run" else asyncio.run(by_shell())
)py";

double seconds_in(timeval const& of) { return double(of.tv_sec) + double(of.tv_usec) * 1e-6; }

spent_time time_of_process(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    auto const begin = std::chrono::steady_clock::now();
    pid_t process = 0;
    int status = 0;
    rusage used{};
    bool const good = ::posix_spawn(&process, arguments[0], nullptr, nullptr, arguments.data(), environ) == 0 &&
                      ::wait4(process, &status, 0, &used) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    expect(good, "the same program without a sandbox does not run, or prints something else");
    return {seconds_in(used.ru_utime) + seconds_in(used.ru_stime),
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

}  // namespace

std::vector<std::string> const& ways_without_sandbox() {
    static std::vector<std::string> const all{"subprocess.run", "bash"};
    return all;
}

spent_time time_of(std::string const& way, std::string const& python, shown_program const& program, std::int64_t runs) {
    auto const of = [&](std::int64_t count) {
        std::vector<std::string> words{python,        "-I",          "-S", "-c", starter, way, std::to_string(count),
                                       program.input, program.output};
        words.insert(words.end(), program.words.begin(), program.words.end());
        return time_of_process(words);
    };
    spent_time const empty = of(0);
    spent_time const whole = of(runs);
    return {whole.cpu - empty.cpu, whole.wall - empty.wall};
}

}  // namespace optgap::bench
