#include "bench/programs/held.hpp"

#include <chrono>

#include "host/programs/native/isolation_levels.hpp"
#include "host/programs/native/processes.hpp"
#include "host/programs/native/toolchains.hpp"

namespace optgap::bench {

using programs::program_language;

char const* const line_in_cpp = "#include <cstdio>\nint main() { std::puts(\"1\"); }\n";
char const* const busy_python = R"py(import time
while time.process_time() < 0.05:
    pass
print(1)
)py";

measurement row_of_programs(char const* workload, char const* unit, std::int64_t batch) {
    measurement made;
    made.workload = workload;
    made.task = "any";
    made.level = "-";
    made.unit = unit;
    made.batch = batch;
    made.items = double(batch);
    return made;
}

double wall_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

held_program::held_program(std::string const& isolation, std::int32_t slots, program_language language,
                           char const* source) {
    programs::sandbox_options wanted;
    wanted.isolation = isolation;
    wanted.slots = slots;
    wanted.languages = {language};
    programs::isolation_scan found = programs::scan_isolation(wanted, false);
    if (!found.opened) {
        why_not = found.refusal;
        return;
    }
    in = std::move(found.opened);
    programs::compile_request asked;
    asked.language = language;
    asked.source = source;
    programs::compile_result const built = in->compile(asked);
    expect(built.code == programs::run_code::ok, "the program does not compile: " + built.log);
    program = built.program;
}

std::vector<programs::run_result> held_program::run(std::int64_t count) const {
    std::vector<programs::run_request> const asked(std::size_t(count), {program, "", {}});
    std::vector<programs::run_result> const ran = in->run_all(asked);
    for (programs::run_result const& one : ran) {
        expect(one.code == programs::run_code::ok && one.output == "1\n",
               "a run ends with " + std::string(name_of(one.code)) + ": " + one.trouble);
    }
    return ran;
}

double sum_of(std::vector<programs::run_result> const& runs, double programs::run_result::*part) {
    double sum = 0;
    for (programs::run_result const& one : runs) {
        sum += one.*part;
    }
    return sum / 1000;
}

shown_program shown_without(program_language language, char const* source, std::string const& python,
                            scratch_folder const& folder) {
    shown_program out{{}, "", "1\n"};
    if (language == program_language::python) {
        out.words = {python, "-I", "-S", folder.write("program.py", source)};
        return out;
    }
    std::string const compiler = programs::find_program("g++");
    expect(!compiler.empty(), "no g++ in PATH");
    out.words = {folder.path() + "/program"};
    programs::process_end const end = programs::run_process(
        {compiler, "-std=c++20", "-O2", "-static", "-o", out.words[0], folder.write("program.cpp", line_in_cpp)});
    expect(end.status == 0, "g++: " + end.output);
    return out;
}

}  // namespace optgap::bench
