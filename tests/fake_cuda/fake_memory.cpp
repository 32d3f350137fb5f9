#include "tests/fake_cuda/fake_memory.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "tests/fake_cuda/fake_state.hpp"

namespace optgap::fake {

namespace {

std::atomic<bool> guarding{false};
std::mutex blocks_lock;
std::map<void*, std::size_t> blocks;
int at_work = 0;

void protect_all(int how) {
    for (auto const& [memory, bytes] : blocks) {
        if (mprotect(memory, bytes, how) != 0) {
            std::abort();
        }
    }
}

}  // namespace

void guard_device_memory(bool on) { guarding = on; }
bool guards_device_memory() { return guarding; }

void* guarded_block(std::size_t bytes) {
    constexpr std::size_t page = 4096;
    std::size_t const whole = (bytes + page) / page * page;
    void* const memory = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        std::abort();
    }
    std::memset(memory, garbage, bytes);
    std::lock_guard const alone(blocks_lock);
    blocks[memory] = whole;
    if (at_work == 0) {
        protect_all(PROT_NONE);
    }
    return memory;
}

bool end_guarded_block(void* memory) {
    std::lock_guard const alone(blocks_lock);
    auto const found = blocks.find(memory);
    if (found == blocks.end()) {
        return false;
    }
    munmap(memory, found->second);
    blocks.erase(found);
    return true;
}

device_access::device_access() {
    std::lock_guard const alone(blocks_lock);
    if (at_work++ == 0) {
        protect_all(PROT_READ | PROT_WRITE);
    }
}

device_access::~device_access() {
    std::lock_guard const alone(blocks_lock);
    if (--at_work == 0) {
        protect_all(PROT_NONE);
    }
}

}  // namespace optgap::fake
