#pragma once
// Device memory that the host cannot touch. A read or a write there ends the process, as with a real GPU, except by the
// work of a stream.

#include <cstddef>

namespace optgap::fake {

/// Applies to later allocations. Off by default, because it costs system calls for each piece of work.
void guard_device_memory(bool on);
bool guards_device_memory();

/// For the runtime: makes such a block, full of garbage, and frees one; false for other memory.
void* guarded_block(std::size_t bytes);
bool end_guarded_block(void* memory);

/// Opens the blocks while it lives, since the device is at work. Only one at a time.
class device_access {
public:
    device_access();
    ~device_access();
    device_access(device_access const&) = delete;
    device_access& operator=(device_access const&) = delete;
};

}  // namespace optgap::fake
