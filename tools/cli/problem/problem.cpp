// optgap problem: score-based problems of a user's own, as folders and as archives. What scores programs against them
// is `optgap score`.

#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/programs/own/own_statement.hpp"
#include "host/programs/own/problem_archive.hpp"
#include "host/programs/own/problem_files.hpp"
#include "optgap/status.hpp"
#include "tools/cli/problem/problem_checks.hpp"
#include "tools/cli/problem/problem_templates.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/table.hpp"
#include "tools/cli/shell/whole_file.hpp"

namespace optgap::cli {
namespace {

namespace problem_words {

using namespace optgap::programs;
namespace fs = std::filesystem;

/// Rules about a problem's files, as misuse of the command line.
template <class Call>
auto or_usage_error(Call const& call) {
    try {
        return call();
    } catch (field_error const& refused) {
        throw usage_error(refused.rule());
    }
}

void write_new(std::string const& folder, std::string const& language) {
    if (fs::exists(folder)) {
        throw usage_error(fmt::format("{} is there already", folder));
    }
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) {
        throw usage_error(fmt::format("cannot make {}: {}", folder, failed.message()));
    }
    std::string_view const from = language == "python" ? "parcels/" : "jobs/";
    for (problem_template const& file : problem_templates()) {
        if (file.name.starts_with(from)) {
            write_whole((fs::path(folder) / file.name.substr(from.size())).string(), file.text);
        }
    }
    write_stdout(
        fmt::format("{}: a problem that works; make it yours, then run\n  optgap problem check {}\n", folder, folder));
}

void pack(context& ctx, std::string const& problem, std::string out) {
    own_problem const read = or_usage_error([&] { return read_own_problem(problem); });
    std::string const path = path_of_own_problem(problem);
    std::string const archive = or_usage_error([&] { return archive_of(read_problem_files(path)); });
    out = out.empty() ? read.name + ".tar" : out;
    write_whole(out, archive);
    if (ctx.json) {
        nlohmann::ordered_json const row{{"archive", out}, {"digest", read.digest}, {"bytes", archive.size()}};
        write_stdout(row.dump() + "\n");
    } else {
        write_stdout(fmt::format("{}@{}\n", out, read.digest));
    }
}

struct row_options {
    std::vector<std::string> problems;
    std::string language = "python", format = "program";
    std::int32_t count = 1, instances = 0;
    std::uint64_t seed = 1;
};

/// A row's path is the given one with the digest, so that changed files are refused.
void write_rows(row_options const& options) {
    program_language const language = language_named(options.language);
    format_spec const format = parse_format(options.format);
    if (format.place != answer_place::fenced) {
        throw usage_error(
            fmt::format("--format {}: expected one that reads programs: program or program_strict", options.format));
    }
    for (std::string const& path : options.problems) {
        own_problem const problem = or_usage_error([&] { return read_own_problem(path); });
        bool const tested = !problem.tests.empty();
        if (tested && (options.count != 1 || options.instances != 0 || options.seed != 1)) {
            throw usage_error(
                fmt::format("{} has tests, which are its instances: --count, --instances and --seed have "
                            "no effect",
                            path));
        }
        std::int32_t const instances = options.instances > 0 ? options.instances : problem.instances;
        std::string const prompt = own_statement(problem, language, instances, format);
        for (std::int32_t k = 0; k < options.count; ++k) {
            nlohmann::ordered_json row{{"problem", fmt::format("{}@{}", path_of_own_problem(path), problem.digest)}};
            for (std::int32_t i = 0; i < instances && !tested; ++i) {
                row["seeds"].push_back(options.seed + std::uint64_t(k) * std::uint64_t(instances) + std::uint64_t(i));
            }
            row["language"] = options.language;
            row["format"] = options.format;
            row["name"] = problem.name;
            row["decimals"] = problem.decimals;
            row["prompt"] = prompt;
            write_stdout(row.dump() + "\n");
        }
    }
}

struct check_options {
    std::string problem, isolation = "auto";
    std::vector<std::string> good, bad;
    std::int32_t instances = 5, slots = 0;
};

known_candidate candidate_of(std::string const& path, bool good) {
    bool const python = path.ends_with(".py");
    if (!python && !path.ends_with(".cpp")) {
        throw usage_error(fmt::format("{}: expected a file that ends in .py or .cpp", path));
    }
    return {fs::path(path).filename().string(), python ? program_language::python : program_language::cpp,
            read_whole(path), good};
}

void check(context& ctx, check_options const& options) {
    auto const problem =
        std::make_shared<own_problem const>(or_usage_error([&] { return read_own_problem(options.problem); }));
    std::vector<known_candidate> candidates;
    for (std::string const& path : options.good) {
        candidates.push_back(candidate_of(path, true));
    }
    for (std::string const& path : options.bad) {
        candidates.push_back(candidate_of(path, false));
    }
    std::unique_ptr<sandbox> opened[language_count];
    auto const in = [&](program_language language) -> sandbox& {
        std::unique_ptr<sandbox>& here = opened[std::size_t(language)];
        if (here == nullptr) {
            here = open_sandbox({.isolation = options.isolation, .slots = options.slots, .languages = {language}});
        }
        return *here;
    };
    std::string const path = path_of_own_problem(options.problem);
    std::vector<problem_check> const done =
        problem_checks(problem, in, fs::absolute(path).string()).run(candidates, options.instances);
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    table out({{"check"}, {"result"}, {"found"}});
    std::size_t failed = 0;
    for (problem_check const& one : done) {
        char const* const names[] = {"passed", "FAILED", "-"};
        char const* const words[] = {"passed", "failed", "noted"};
        failed += one.outcome == check_outcome::failed ? 1 : 0;
        out.add({one.name, names[std::size_t(one.outcome)], one.found});
        rows.push_back({{"check", one.name}, {"result", words[std::size_t(one.outcome)]}, {"found", one.found}});
    }
    if (ctx.json) {
        nlohmann::ordered_json const all{{"problem", problem->name}, {"digest", problem->digest}, {"checks", rows}};
        write_stdout(all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    } else {
        write_stdout(fmt::format("{}@{}\n\n{}\n{} of {} failed\n", problem->name, problem->digest, out.text(), failed,
                                 done.size()));
    }
    ctx.end_with(failed == 0 ? exit_done : exit_rejected);
}

}  // namespace problem_words

}  // namespace

void add_problem(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "problem", "Score-based problems of your own: a folder with a statement, a generator and a judge",
        {"optgap problem new vans", "optgap problem check vans", "optgap problem rows vans --count 100 --instances 10",
         "optgap problem pack vans -o vans.tar"},
        {"The folder, and rows that name it: docs/problems.md. What scores programs is `optgap score`."});
    command.require_command();

    auto const name = std::make_shared<std::string>(), language = std::make_shared<std::string>("python");
    command_entry const made = command.add_command("new", "Write a problem that works, to change it");
    made.add_option("FOLDER", *name, "A folder that is not there yet").required();
    made.add_option("--language", *language, "Of generator and judge: python or cpp")
        .one_of({"python", "cpp"})
        .show_default();
    made.on_run([name, language] { problem_words::write_new(*name, *language); });

    auto const options = std::make_shared<problem_words::check_options>();
    command_entry const checked = command.add_command(
        "check",
        "Run its programs on their own, on bad outputs and beside hostile candidates; exit code 1 when one fails");
    checked.add_option("PROBLEM", options->problem, "Folder or archive").required();
    checked.add_option("--good", options->good, "A program that is valid on every instance; may be repeated")
        .one_each();
    checked.add_option("--bad", options->bad, "A program that is invalid on one at least; may be repeated").one_each();
    checked.add_option("--instances", options->instances, "First instances to try").between(1, 1000).show_default();
    checked.add_option("--isolation", options->isolation, "auto, or an isolation level of `optgap sandbox`")
        .show_default();
    checked.add_option("--slots", options->slots, "Runs at once; 0: the processors less a quarter")
        .between(0, 4096)
        .show_default();
    checked.on_run([&ctx, options] { problem_words::check(ctx, *options); });

    auto const asked = std::make_shared<problem_words::row_options>();
    command_entry const rows = command.add_command("rows", "Rows with prompts, to be answered and scored");
    rows.add_option("PROBLEM", asked->problems, "Folders or archives").required();
    rows.add_option("--language", asked->language, "Of the programs: python or cpp")
        .one_of({"python", "cpp"})
        .show_default();
    rows.add_option("--format", asked->format, "Of completions: program, program_strict or JSON").show_default();
    rows.add_option("--count", asked->count, "Rows of each problem").between(1, 1'000'000).show_default();
    rows.add_option("--instances", asked->instances, "Hidden instances of a row; 0: as many as the problem says")
        .between(0, 1000)
        .show_default();
    rows.add_option("--seed", asked->seed, "Of the first instance; the others follow").seed().show_default();
    rows.on_run([asked] { problem_words::write_rows(*asked); });

    auto const problem = std::make_shared<std::string>(), out = std::make_shared<std::string>();
    command_entry const packed = command.add_command(
        "pack", "Write it as one archive, the same bytes from the same files; prints ARCHIVE@DIGEST");
    packed.add_option("PROBLEM", *problem, "Its folder").required();
    packed.add_option("-o,--out", *out, "The archive; else NAME.tar");
    packed.on_run([&ctx, problem, out] { problem_words::pack(ctx, *problem, *out); });
}

}  // namespace optgap::cli
