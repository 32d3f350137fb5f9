// optgap sandbox: what can hold programs of others on this machine, shown by programs that try to get out.

#include <algorithm>
#include <iterator>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/programs/limits.hpp"
#include "host/programs/native/isolation_levels.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/table.hpp"
#include "tools/cli/shell/whole_file.hpp"

namespace optgap::cli {
namespace {

namespace sandbox_words {

using json = nlohmann::ordered_json;
using namespace optgap::programs;

struct chosen {
    std::string isolation = "auto", limits = "train", input, interface = "stdio";
    std::int32_t slots = 0, repeat = 1;
    std::vector<std::string> files;
};

program_language language_of_file(std::string const& path) {
    for (auto const& [ending, language] :
         {std::pair{".py", program_language::python}, std::pair{".cpp", program_language::cpp},
          std::pair{".wasm", program_language::wasm}, std::pair{".wat", program_language::wasm}}) {
        if (path.ends_with(ending)) {
            return language;
        }
    }
    throw usage_error(
        fmt::format("--run {}: expected a file that ends in .py or .cpp, or a module in .wasm or .wat", path));
}

/// Output of a program as text: bytes that are no UTF-8 become U+FFFD, and it may be long.
std::string shown(std::string const& bytes, std::size_t most) { return bytes.substr(0, most); }

json run_row(std::string const& path, std::string const& isolation, compile_result const& built,
             run_result const& ran) {
    bool const compiled = built.code == run_code::ok;
    run_code const code = compiled ? ran.code : built.code;
    json row{{"program", path}, {"isolation", isolation}, {"code", name_of(code)}};
    row["where"] = compiled ? ran.where : -1;
    row["output"] = shown(ran.output, 65536);
    row["output_bytes"] = ran.output.size();
    row["errors"] = compiled ? ran.error_head : built.log;
    row["first_line"] = built.first_line;
    row["compile_cpu_ms"] = built.cpu_ms;
    row["cpu_ms"] = ran.cpu_ms;
    row["wall_ms"] = ran.wall_ms;
    row["wait_ms"] = ran.wait_ms;
    row["peak_kb"] = ran.peak_kb;
    row["steps"] = ran.steps;
    row["tries"] = ran.tries;
    row["suspected"] = ran.suspected;
    row["trouble"] = compiled ? ran.trouble : std::string();
    return row;
}

json run_files(sandbox& here, chosen const& options) {
    program_limits const limits = parse_limits(options.limits);
    std::string const input = options.input.empty() ? std::string() : read_whole(options.input);
    std::vector<std::string> sources;
    for (std::string const& path : options.files) {
        sources.push_back(read_whole(path));
    }
    std::vector<compile_request> asked;
    for (std::size_t k = 0; k < sources.size(); ++k) {
        asked.push_back({language_of_file(options.files[k]),
                         sources[k],
                         limits.compile,
                         {},
                         interface_named(options.interface, language_of_file(options.files[k]))});
    }
    std::vector<compile_result> const built = here.compile_all(asked);
    std::vector<run_request> runs;
    std::vector<std::size_t> file_of;
    for (std::int32_t turn = 0; turn < options.repeat; ++turn) {
        for (std::size_t k = 0; k < built.size(); ++k) {
            if (built[k].code == run_code::ok) {
                runs.push_back({built[k].program, input, limits.run});
                file_of.push_back(k);
            }
        }
    }
    std::vector<run_result> const ran = here.run_all(runs);
    json rows = json::array();
    for (std::size_t k = 0; k < built.size(); ++k) {
        std::string const isolation = here.isolation(asked[k].language);
        if (built[k].code != run_code::ok) {
            rows.push_back(run_row(options.files[k], isolation, built[k], {}));
        }
        for (std::size_t r = 0; r < ran.size(); ++r) {
            if (file_of[r] == k) {
                rows.push_back(run_row(options.files[k], isolation, built[k], ran[r]));
            }
        }
    }
    return rows;
}

/// Modules are no completion's language, so that none of the isolation levels has to hold them: reported beside the
/// others.
isolation_scan of_modules(sandbox_options wanted) {
    wanted.languages = {program_language::wasm};
    wanted.isolation = "wasm";
    return scan_isolation(wanted, true);
}

json probe_rows(isolation_scan const& found) {
    json rows = json::array();
    for (isolation_probe const& probe : found.probes) {
        rows.push_back({{"isolation", probe.isolation},
                        {"rung", probe.isolation},  // its former name
                        {"language", name_of(probe.language)},
                        {"usable", probe.usable},
                        {"found", probe.found},
                        {"fix", probe.fix},
                        {"self_test", probe.self_test}});
    }
    return rows;
}

void print_probes(isolation_scan const& found) {
    table out({{"isolation"}, {"language"}, {"usable"}, {"found"}});
    std::string fixes;
    for (isolation_probe const& probe : found.probes) {
        out.add({probe.isolation, std::string(name_of(probe.language)), probe.usable ? "yes" : "no", probe.found});
        if (!probe.usable) {
            fixes += fmt::format("{} ({}): {}\n", probe.isolation, name_of(probe.language), probe.fix);
        }
        for (std::string const& line : probe.self_test) {
            if (!probe.usable && !line.starts_with("refused ")) {
                fixes += fmt::format("  {}\n", line);
            }
        }
    }
    write_stdout(out.text() + "\n");
    if (!fixes.empty()) {
        write_stdout("To have the others:\n" + fixes + "\n");
    }
    write_stdout(fmt::format("broker  {}\npython  {}\nc++     {}\nwasm    {}, {}\n", found.broker, found.python,
                             found.cpp, found.wasm.empty() ? "no wasmtime" : found.wasm,
                             found.wasm_cpp.size() < 2 ? "no compiler for it" : found.wasm_cpp));
    if (found.opened) {
        std::string const pinned = found.processors.empty()
                                       ? "not pinned: " + found.unpinned
                                       : fmt::format("pinned to processors {}", fmt::join(found.processors, ", "));
        write_stdout(fmt::format("slots   {}, {}\n", found.opened->slots(), pinned));
    }
}

void print_runs(json const& rows) {
    table out({{"program"},
               {"isolation"},
               {"code"},
               {"where", align::right},
               {"CPU ms", align::right},
               {"wall ms", align::right},
               {"MB", align::right}});
    for (json const& row : rows) {
        out.add(
            {row["program"], row["isolation"], row["code"], row["where"] == -1 ? std::string("-") : row["where"].dump(),
             fmt::format("{:.1f}", row["cpu_ms"].get<double>()), fmt::format("{:.1f}", row["wall_ms"].get<double>()),
             fmt::format("{:.1f}", row["peak_kb"].get<double>() / 1024)});
    }
    write_stdout("\n" + out.text());
    for (json const& row : rows) {
        for (char const* const what : {"output", "errors"}) {
            if (std::string const text = row[what]; !text.empty()) {
                write_stdout(fmt::format("\n{} of {}:\n{}{}", what, row["program"].get<std::string>(),
                                         text.substr(0, 2000), text.ends_with('\n') ? "" : "\n"));
            }
        }
    }
}

void look(context& ctx, chosen const& options) {
    sandbox_options wanted;
    wanted.isolation = options.isolation;
    wanted.slots = options.slots;
    wanted.steps = !options.files.empty() && parse_limits(options.limits).run.steps > 0;
    if (!options.files.empty()) {
        wanted.languages.clear();
    }
    for (std::string const& path : options.files) {
        program_language const language = language_of_file(path);
        if (std::ranges::find(wanted.languages, language) == wanted.languages.end()) {
            wanted.languages.push_back(language);
        }
    }
    isolation_scan found = scan_isolation(wanted, options.isolation == "auto" && options.files.empty());
    if (options.files.empty() && (options.isolation == "auto" || options.isolation == "wasm")) {
        isolation_scan modules = of_modules(wanted);
        found.probes.insert(found.probes.begin(), std::move_iterator(modules.probes.begin()),
                            std::move_iterator(modules.probes.end()));
    }
    json out{{"isolation_levels", probe_rows(found)}, {"usable", bool(found.opened)}};
    out["rungs"] = out["isolation_levels"];  // their former name
    out["chosen"] = json::object();
    if (found.opened) {
        for (program_language const language : wanted.languages) {
            out["chosen"][std::string(name_of(language))] = found.opened->isolation(language);
        }
        out["slots"] = found.opened->slots();
        out["processors"] = found.processors;
        out["unpinned"] = found.unpinned;
    }
    out["broker"] = found.broker;
    out["python"] = found.python;
    out["cpp"] = found.cpp;
    out["wasm"] = found.wasm;
    out["wasm_cpp"] = found.wasm_cpp;
    if (found.opened && !options.files.empty()) {
        out["runs"] = run_files(*found.opened, options);
    }
    if (ctx.json) {
        // A program's output need not be UTF-8.
        write_stdout(out.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
    } else {
        print_probes(found);
        if (out.contains("runs")) {
            print_runs(out["runs"]);
        }
    }
    if (!found.opened) {
        ctx.warn(found.refusal);
        ctx.end_with(exit_failed);
    }
}

}  // namespace sandbox_words

}  // namespace

void add_sandbox(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "sandbox", "What can hold programs of others on this machine, shown by a self-test; runs programs in it",
        {"optgap sandbox", "optgap sandbox --json",
         "optgap sandbox --isolation jail --run program.py --input input.txt"},
        {"Isolation levels, strongest first: wasm, namespaces, jail, command. Exit code 3 when none holds. "
         "docs/sandbox.md says",
         "what each protects from, and what it does not."});
    auto const options = std::make_shared<sandbox_words::chosen>();
    command.add_option("--isolation", options->isolation, "auto, or one isolation level").show_default();
    command.add_option("--run", options->files, "Programs to run: .py, .cpp, or modules in .wasm or .wat; once each");
    command.add_option("--input", options->input, "With --run: a file for their stdin; - is this one's");
    command.add_option("--interface", options->interface, "With --run: stdio, or solve in Python").show_default();
    command.add_option("--limits", options->limits, "With --run: train, river, ahc, or JSON").show_default();
    command.add_option("--repeat", options->repeat, "With --run: runs of each program").at_least(1).show_default();
    command.add_option("--slots", options->slots, "With --run: runs at once; 0: processors less a quarter")
        .between(0, 4096);
    command.on_run([&ctx, options] {
        sandbox_words::chosen const defaults;
        bool const run_only = !options->input.empty() || options->limits != defaults.limits ||
                              options->repeat != defaults.repeat || options->slots != defaults.slots ||
                              options->interface != defaults.interface;
        if (options->files.empty() && run_only) {
            throw usage_error("--input, --interface, --limits, --repeat and --slots have no effect without --run");
        }
        sandbox_words::look(ctx, *options);
    });
}

}  // namespace optgap::cli
