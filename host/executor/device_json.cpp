#include <array>

#include <nlohmann/json.hpp>

#include "optgap/device/store.hpp"
#include "optgap/engine.hpp"

namespace optgap {

std::string to_json(device_statistics const& statistics) {
    constexpr std::array<char const*, 6> states{"cpu", "ready", "released", "unavailable", "failed", "forked"};
    return nlohmann::ordered_json({{"state", states.at(std::size_t(statistics.state))},
                                   {"device", statistics.device},
                                   {"device_calls", statistics.device_calls},
                                   {"fallbacks", statistics.fallbacks},
                                   {"host_calls", statistics.host_calls},
                                   {"busy_calls", statistics.busy_calls},
                                   {"released_calls", statistics.released_calls},
                                   {"out_of_memory", statistics.out_of_memory},
                                   {"unavailable", statistics.unavailable},
                                   {"failed", statistics.failed},
                                   {"policy", statistics.policy},
                                   {"last_reason", statistics.last_reason}})
        .dump();
}

std::string to_json(device_store_statistics const& statistics) {
    return nlohmann::ordered_json({{"memory", statistics.memory},
                                   {"used", statistics.used},
                                   {"sets", statistics.sets},
                                   {"found", statistics.found},
                                   {"made", statistics.made},
                                   {"dropped", statistics.dropped},
                                   {"calls", statistics.calls}})
        .dump();
}

std::string to_json(server_statistics const& statistics) {
    constexpr std::array<char const*, 5> states{"off", "idle", "connected", "unreachable", "refused"};
    return nlohmann::ordered_json({{"state", states.at(std::size_t(statistics.state))},
                                   {"path", statistics.path},
                                   {"calls", statistics.calls},
                                   {"rows", statistics.rows},
                                   {"small", statistics.small},
                                   {"fallbacks", statistics.fallbacks},
                                   {"refused", statistics.refused},
                                   {"reconnects", statistics.reconnects},
                                   {"last_reason", statistics.last_reason}})
        .dump();
}

}  // namespace optgap
