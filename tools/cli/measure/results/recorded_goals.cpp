// Goals as results have them: judged by what is promised now, not by what was promised then.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/cli/measure/results/commands.hpp"
#include "tools/cli/measure/results/files.hpp"
#include "tools/cli/measure/results/lines.hpp"

namespace optgap::cli {

std::vector<bench::goal> recorded_goals(std::string const& path) {
    using json = nlohmann::ordered_json;
    std::vector<json> const lines = read_lines(path);
    std::vector<bench::goal> found;
    for (bench::goal const& promised : bench::promised_goals()) {
        std::size_t const before = found.size();
        for (json const& line : lines) {
            if (line["benchmark"] != "goal" || !line.contains("case") || line["case"] != promised.name) {
                continue;
            }
            if (!line.contains("value") || !line["value"].is_number()) {
                throw usage_error(fmt::format("{}: the goal {} of {} has no 'value', expected a number", path,
                                              promised.name, measured_on(line)));
            }
            bench::goal judged = promised;
            judged.value = line["value"].get<double>();
            judged.note = fmt::format("{}, {}, commit {}", line.value("task", "every task"), measured_on(line),
                                      line["commit"].get<std::string>().substr(0, 12));
            found.push_back(std::move(judged));
        }
        if (found.size() == before) {
            found.push_back(promised);
            found.back().note = "no line in " + path;
        }
    }
    return found;
}

}  // namespace optgap::cli
