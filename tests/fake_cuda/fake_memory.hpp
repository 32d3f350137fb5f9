#pragma once
// Device memory that the host cannot touch: a read or a write there ends the process, as it does beside a real card,
// except inside of what a stream runs.

#include <cstddef>

namespace optgap::fake {

/// What is allocated from now on; off by default, because it costs system calls for each thing that runs.
void guard_device_memory(bool on);
bool guards_device_memory();

/// For the runtime: such a block, full of garbage; false for memory that is none.
void* guarded_block(std::size_t bytes);
bool end_guarded_block(void* memory);

/// The card is at work: opens the blocks while it lives. One at a time.
class device_access {
public:
    device_access();
    ~device_access();
    device_access(device_access const&) = delete;
    device_access& operator=(device_access const&) = delete;
};

}  // namespace optgap::fake
