#include "host/rows/read/options.hpp"

#include <algorithm>

#include "optgap/status.hpp"

namespace optgap::rows {

std::vector<std::string> package_names(std::string_view list) {
    std::vector<std::string> out;
    for (std::size_t begin = 0, end = 0; !list.empty() && end != list.npos; begin = end + 1) {
        end = list.find(',', begin);
        std::string_view const one = list.substr(begin, end == list.npos ? end : end - begin);
        if (one.empty() || std::ranges::find(out, one) != out.end()) {
            throw field_error("kinds", "must be names of different packages, such as one,two");
        }
        out.emplace_back(one);
    }
    return out;
}

}  // namespace optgap::rows
