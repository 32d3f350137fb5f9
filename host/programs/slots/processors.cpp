#include "host/programs/slots/processors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace optgap::programs {
namespace {

/// A number in a file; -1 where there is none.
std::int64_t number_in(std::string const& path) {
    std::ifstream file(path);
    std::int64_t value = -1;
    return file >> value ? value : -1;
}

std::int64_t core_of(std::int32_t number) {
    std::string const folder = fmt::format("/sys/devices/system/cpu/cpu{}/topology/", number);
    std::int64_t const core = number_in(folder + "core_id");
    std::int64_t const package = number_in(folder + "physical_package_id");
    // Where the kernel does not report the core, each processor counts as one.
    return core < 0 ? -1 - std::int64_t(number) : (std::max<std::int64_t>(package, 0) << 32) + core;
}

/// A lock on a file, which this process may hold already; null where another process has it.
std::shared_ptr<void> lock_of(std::string const& path) {
    static std::mutex guard;
    static std::map<std::pair<pid_t, std::string>, std::weak_ptr<void>> held;  // a fork shares its parent's locks
    std::lock_guard const lock(guard);
    std::weak_ptr<void>& mine = held[{getpid(), path}];
    if (std::shared_ptr<void> known = mine.lock()) {
        return known;
    }
    int const file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (file >= 0) {
            close(file);
        }
        return nullptr;
    }
    std::shared_ptr<void> made(static_cast<void*>(&held), [file](void*) { close(file); });
    mine = made;
    return made;
}

}  // namespace

std::int32_t processor_set::reserve() const { return std::max(1, capacity / 4); }

processor_set own_processors() {
    processor_set out;
    cpu_set_t mask;
    CPU_ZERO(&mask);
    if (sched_getaffinity(0, sizeof mask, &mask) == 0) {
        for (std::int32_t k = 0; k < CPU_SETSIZE; ++k) {
            if (CPU_ISSET(std::size_t(k), &mask)) {
                out.usable.push_back({k, core_of(k)});
            }
        }
    }
    out.capacity = std::max(1, std::int32_t(out.usable.size()));
    std::ifstream quota_file("/sys/fs/cgroup/cpu.max");
    std::string quota;
    double period = 0;
    if (quota_file >> quota >> period && quota != "max" && period > 0) {
        out.capacity = std::min(out.capacity, std::max(1, int(std::atof(quota.c_str()) / period)));
    }
    return out;
}

std::vector<std::int32_t> processors_for(processor_set const& all, std::int32_t slots) {
    if (slots > all.capacity || std::size_t(slots) > all.usable.size()) {
        return {};
    }
    std::vector<std::int32_t> first, others;
    std::set<std::int64_t> seen;
    for (std::size_t k = all.usable.size(); k-- > 0;) {
        (seen.insert(all.usable[k].core).second ? first : others).push_back(all.usable[k].number);
    }
    first.insert(first.end(), others.begin(), others.end());
    std::size_t const kept = std::size_t(all.reserve());
    if (std::size_t(slots) + kept <= first.size()) {
        first.resize(first.size() - kept);
    }
    return first;
}

processor_claims::processor_claims(std::string const& folder, processor_set const& all, std::int32_t slots) {
    std::vector<std::int32_t> const wanted = processors_for(all, slots);
    if (wanted.empty()) {
        why_none_ = fmt::format("{} slots, {} processors", slots, all.capacity);
        return;
    }
    if (folder.empty() || (mkdir(folder.c_str(), 0700) != 0 && access(folder.c_str(), W_OK) != 0)) {
        why_none_ = "no folder to say so to other sandboxes";
        return;
    }
    for (std::int32_t const number : wanted) {
        if (processors_.size() == std::size_t(slots)) {
            break;
        }
        if (std::shared_ptr<void> lock = lock_of(fmt::format("{}/{}", folder, number))) {
            processors_.push_back(number);
            locks_.push_back(std::move(lock));
        }
    }
    if (processors_.size() < std::size_t(slots)) {
        why_none_ = fmt::format("{} slots, and other processes have left {} processors", slots, processors_.size());
        processors_.clear();
        locks_.clear();
    }
}

}  // namespace optgap::programs
