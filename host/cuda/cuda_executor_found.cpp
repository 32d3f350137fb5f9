// The CUDA executor of the Python package's core: a library that is found when a GPU is asked for.

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "host/cuda/cuda_library.hpp"

namespace optgap {

namespace {

namespace fs = std::filesystem;

constexpr char const* file_name = "liboptgap_cuda.so";
constexpr char const* own_path_variable = "OPTGAP_CUDA_LIBRARY";
constexpr std::array packages{"optgap-cuda13", "optgap-cuda12"};

constexpr cuda_host core{&trace::detail::recording, &trace::detail::record};

std::string install(char const* package) { return "pip install " + std::string(package) + "==" OPTGAP_VERSION; }

/// The folder of this core: .../optgap/lib. The program finds it as .../optgap/bin/../lib; links are not resolved,
/// since installers may link a package's files to a cache.
fs::path own_folder() {
    Dl_info info{};
    return dladdr(&core, &info) != 0 ? fs::path(info.dli_fname).lexically_normal().parent_path() : fs::path();
}

/// Only the library that the user names; else the one beside the core, and those of the packages beside optgap.
std::vector<fs::path> candidates() {
    if (char const* const named = std::getenv(own_path_variable); named != nullptr && *named != '\0') {
        return {named};
    }
    fs::path const folder = own_folder();
    std::vector<fs::path> found{folder / file_name};
    for (char const* const package : packages) {
        std::string module = package;
        module.replace(module.find('-'), 1, "_");
        found.push_back(folder.parent_path().parent_path() / module / file_name);
    }
    std::error_code none;
    std::erase_if(found, [&](fs::path const& path) { return !fs::exists(path, none); });
    return found;
}

/// An exception of the library's also unwinds frames of the core, by the core's copy of libgcc's functions, whose
/// tables are filled by the first exception that the core throws itself.
void prepare_unwinding() {
    try {
        throw 0;
    } catch (int) {
    }
}

/// Returns nullptr, with the reason in `why`, where the file is no library of this build. The library stays loaded: a
/// GPU's context may outlive any engine.
cuda_library const* open_library(fs::path const& path, std::string& why) {
    void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        why = dlerror();
        return nullptr;
    }
    using entry = cuda_library const*();
    auto* const ask = reinterpret_cast<entry*>(dlsym(handle, cuda_library_entry));
    if (ask == nullptr) {
        why = path.string() + " is no CUDA part of optgap: it has no " + cuda_library_entry;
        return nullptr;
    }
    cuda_library const* const library = ask();
    if (library->layout != cuda_library_layout || std::string(library->build) != build_id()) {
        why = path.string() + " is " +
              (library->layout == cuda_library_layout
                   ? "of optgap " + std::string(library->version) + ", build " + library->build
                   : "of another optgap") +
              ", and this is optgap " OPTGAP_VERSION ", build " + build_id() + "; " + install(packages.front());
        return nullptr;
    }
    return library;
}

}  // namespace

std::unique_ptr<executor> make_cuda_executor(cuda_options& options, std::string& why) {
    prepare_unwinding();
    std::string reasons;
    for (fs::path const& path : candidates()) {
        std::string reason;
        cuda_library const* const library = open_library(path, reason);
        if (std::unique_ptr<executor> made(library != nullptr ? library->make(core, options, reason) : nullptr); made) {
            return made;
        }
        reasons += (reasons.empty() ? "" : "; ") + reason;
    }
    why = !reasons.empty() ? reasons
                           : "optgap's CUDA part is not installed: " + install(packages.front()) + ", or " +
                                 packages.back() + " where the driver is older than 580";
    return nullptr;
}

}  // namespace optgap
