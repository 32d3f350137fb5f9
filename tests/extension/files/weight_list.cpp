// A format of a user's own: items of a knapsack, the capacity first, then `weight/value` for each.
//
//     weights 10: 3/7 4/9 5/8

#include "host/files/instance_format.hpp"
#include "kernels/text/task_text.hpp"

#include <sstream>

#include <nlohmann/json.hpp>

extern optgap::task_text const optgap_text_knapsack;

namespace optgap::files {

namespace {

bool begins_with_weights(std::string_view beginning) { return beginning.starts_with("weights "); }

std::vector<std::int32_t> read_weight_list(std::string_view text) {
    std::istringstream words{std::string(text)};
    std::string head;
    std::int64_t capacity = 0;
    char mark = 0;
    if (!(words >> head >> capacity >> mark) || head != "weights" || mark != ':') {
        throw field_error("line 1", "expected `weights CAPACITY:` and then weight/value for each item");
    }
    json instance{{"capacity", capacity}, {"weights", json::array()}, {"values", json::array()}};
    std::int64_t weight = 0;
    std::int64_t value = 0;
    while (words >> weight >> mark >> value) {
        instance["weights"].push_back(weight);
        instance["values"].push_back(value);
    }
    if (!words.eof() || mark == 0) {
        throw field_error("line 1", "expected weight/value, two integers");
    }
    return instance_from_json(optgap_text_knapsack, instance);
}

std::string write_weight_list(json const& instance) {
    std::string out = "weights " + instance["capacity"].dump() + ":";
    for (std::size_t i = 0; i < instance["weights"].size(); ++i) {
        out += " " + instance["weights"][i].dump() + "/" + instance["values"][i].dump();
    }
    return out + "\n";
}

}  // namespace

instance_formats_of weight_list_files() {
    return {{.name = "weight_list",
             .task = "knapsack",
             .extensions = {".weights"},
             .recognise = &begins_with_weights,
             .read = &read_weight_list,
             .write = &write_weight_list}};
}

}  // namespace optgap::files
