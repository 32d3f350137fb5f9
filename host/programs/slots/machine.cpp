#include "host/programs/slots/machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>
#include <unistd.h>

#include <fmt/format.h>

#include "host/programs/slots/processors.hpp"

namespace optgap::programs {
namespace {

namespace fs = std::filesystem;

std::string own_library_folder() {
    Dl_info found{};
    if (dladdr(reinterpret_cast<void const*>(&default_slots), &found) == 0 || found.dli_fname == nullptr) {
        return {};
    }
    return fs::path(found.dli_fname).parent_path().string();
}

}  // namespace

std::string find_broker(std::string const& wanted, std::string& trouble) {
    char const* const named = std::getenv("OPTGAP_BROKER");
    std::string const chosen = !wanted.empty() ? wanted : named != nullptr ? named : "";
    if (!chosen.empty()) {
        if (access(chosen.c_str(), X_OK) != 0) {
            trouble = fmt::format("{} cannot be executed", chosen);
            return {};
        }
        return fs::absolute(chosen).string();
    }
    std::error_code failed;
    std::string const program = fs::read_symlink("/proc/self/exe", failed).parent_path().string();
    std::string const library = own_library_folder();
    for (std::string const& folder : {program, program + "/../libexec/optgap", library}) {
        std::string const path = folder + "/optgap-broker";
        if (!folder.empty() && access(path.c_str(), X_OK) == 0) {
            return fs::canonical(path, failed).string();
        }
    }
    trouble = fmt::format(
        "no optgap-broker beside {}: it is built where libseccomp-dev is installed (apt-get install libseccomp-dev, "
        "then "
        "build again)",
        program);
    return {};
}

std::int32_t default_slots() {
    processor_set const all = own_processors();
    return std::clamp(all.capacity - all.reserve(), 1, 4096);
}

}  // namespace optgap::programs
