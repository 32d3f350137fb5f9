#include "host/rows/read/options.hpp"

#include <algorithm>

#include "optgap/status.hpp"

namespace optgap::rows {

std::vector<std::string> package_names(std::string_view list) {
    std::vector<std::string> out;
    while (!list.empty()) {
        std::string_view const one = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), one.size() + 1));
        if (one.empty() || std::ranges::find(out, one) != out.end()) {
            throw field_error("kinds", "must be names of different packages, such as one,two");
        }
        out.emplace_back(one);
    }
    return out;
}

}  // namespace optgap::rows
