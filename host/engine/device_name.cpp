// Names of devices, as the command line, Python and serve spell them.

#include <charconv>
#include <string>

#include "optgap/engine.hpp"

namespace optgap {

void parse_device(std::string_view name, engine_options& options) {
    std::size_t const colon = name.find(':');
    std::string_view const kind = name.substr(0, colon);
    bool known = kind == "auto" || kind == "cuda" || (kind == "cpu" && colon == name.npos);
    std::int32_t ordinal = -1;
    if (colon != name.npos) {
        char const* const end = name.data() + name.size();
        auto const [stop, failure] = std::from_chars(name.data() + colon + 1, end, ordinal);
        known = known && failure == std::errc() && stop == end && ordinal >= 0;
    }
    if (!known) {
        throw error(status::invalid_argument,
                    "device '" + std::string(name) + "': expected auto, cpu, cuda, or cuda:N or auto:N for GPU N");
    }
    options.where = kind == "cpu" ? device::cpu : kind == "cuda" ? device::cuda : device::automatic;
    options.ordinal = ordinal;
}

}  // namespace optgap
