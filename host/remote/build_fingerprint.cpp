#include "host/remote/build_fingerprint.hpp"

#include <string>

#include <xxhash.h>

#include <nlohmann/json.hpp>

#include "optgap/run_record.hpp"

namespace optgap::serve {

std::uint64_t build_fingerprint(std::span<task_info const> tasks) {
    run_settings settings;
    settings.engine_version = OPTGAP_VERSION;
    settings.tasks.assign(tasks.begin(), tasks.end());
    auto const record = nlohmann::ordered_json::parse(run_record(settings));
    std::string text = record["engine"].dump() + record["format"].dump() + describe_listed_shapes();
    for (std::size_t const size : {sizeof(instance_spec), sizeof(baseline), sizeof(verdict), sizeof(reward_row),
                                   sizeof(parsed_text), sizeof(reward_spec)}) {
        text += ' ';
        text += std::to_string(size);
    }
    return XXH3_64bits(text.data(), text.size());
}

}  // namespace optgap::serve
