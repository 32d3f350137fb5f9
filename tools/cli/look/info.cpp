// optgap info: what this build is and what it found on this machine.

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "kernels/registry/registry.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {
namespace {

/// "yes" or why not, in the driver's or the build's words.
std::string why_no_cuda() {
    try {
        engine_options options;
        options.server = "off";
        options.where = device::cuda;
        options.threads = 1;
        engine const probe(options);
        return {};
    } catch (error const& problem) {
        return problem.what();
    }
}

json describe(context& ctx) {
    engine const& here = ctx.get_engine();
    bool const on_gpu = here.where() == device::cuda;
    std::string const why = on_gpu ? std::string() : why_no_cuda();
    json isas = json::array();
    for (char const* const name : instruction_sets()) {
        isas.push_back(name);
    }
    // A library that was found at run time is usable and not among them.
    bool const built =
        why.empty() || std::ranges::any_of(registry(), [](task_entry const& task) { return task.cuda != nullptr; });
    return {{"version", OPTGAP_VERSION},
            {"compiler", __VERSION__},
            {"device", here.device_name()},
            {"threads", here.threads()},
            {"instruction_set", isas[std::size_t(best_instruction_set())]},
            {"instruction_sets", isas},
            {"cuda", {{"built", built}, {"usable", why.empty()}, {"why_not", why.empty() ? json() : json(why)}}},
            {"tasks", here.tasks().size()}};
}

void print(json const& facts) {
    json const& cuda = facts["cuda"];
    std::string out;
    auto const line = [&](char const* name, std::string const& value) {
        out += fmt::format("{:<16}{}\n", name, value);
    };
    line("version", facts["version"]);
    line("compiler", facts["compiler"]);
    line("device", facts["device"]);
    line("threads", json_text(facts["threads"]));
    std::vector<std::string> const isas = facts["instruction_sets"];
    line("instructions", fmt::format("{} (of {})", facts["instruction_set"].get<std::string>(), fmt::join(isas, ", ")));
    line("cuda", cuda["usable"] ? "yes" : fmt::format("no: {}", cuda["why_not"].get<std::string>()));
    line("tasks", json_text(facts["tasks"]));
    write_stdout(out);
}

}  // namespace

void add_info(command_line& app, context& ctx) {
    command_entry const command = app.add_command("info", "The build, its device, instruction set and threads",
                                                  {"optgap info", "optgap info --json --device cuda"});
    command.on_run([&ctx] {
        json const facts = describe(ctx);
        ctx.json ? write_stdout(json_text(facts, 2) + "\n") : print(facts);
    });
}

}  // namespace optgap::cli
