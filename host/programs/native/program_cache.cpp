#include "host/programs/native/program_cache.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace optgap::programs {
namespace {

namespace fs = std::filesystem;

void prune(std::string const& folder) {
    std::error_code failed;
    std::vector<std::pair<fs::file_time_type, fs::path>> kept;
    for (fs::directory_entry const& each : fs::directory_iterator(folder, failed)) {
        kept.emplace_back(each.last_write_time(failed), each.path());
    }
    if (kept.size() > program_cache::max_programs) {
        std::ranges::sort(kept);
        for (std::size_t k = 0; k < kept.size() - program_cache::max_programs * 3 / 4; ++k) {
            fs::remove(kept[k].second, failed);
        }
    }
}

}  // namespace

program_cache::program_cache(std::string folder) : folder_(std::move(folder)) {
    if (!folder_.empty() && mkdir(folder_.c_str(), 0700) != 0 && access(folder_.c_str(), W_OK) != 0) {
        folder_.clear();
    }
}

file_handle program_cache::load(std::string const& key) const {
    if (folder_.empty()) {
        return {};
    }
    file_handle const file(open((folder_ + "/" + key).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    std::string const bytes = file.good() ? bytes_of(file.get()) : std::string();
    // An incomplete file never gets its final name, so an empty file was not written by this cache.
    return bytes.empty() ? file_handle() : sealed_bytes(bytes);
}

void program_cache::save(std::string const& key, int program) const {
    if (folder_.empty()) {
        return;
    }
    std::string const bytes = bytes_of(program);
    std::string aside = folder_ + "/new-XXXXXX";
    file_handle const file(mkostemp(aside.data(), O_CLOEXEC));
    if (!file.good()) {
        return;
    }
    bool const whole = pwrite(file.get(), bytes.data(), bytes.size(), 0) == ssize_t(bytes.size());
    if (!whole || rename(aside.c_str(), (folder_ + "/" + key).c_str()) != 0) {
        unlink(aside.c_str());
    }
    prune(folder_);
}

}  // namespace optgap::programs
