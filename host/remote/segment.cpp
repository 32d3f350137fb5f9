#include "host/remote/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>

namespace optgap::serve {

namespace {

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

/// Segments grow by at least a half, so that a slowly rising size does not make a segment per call.
constexpr std::size_t smallest = std::size_t(64) << 10;

}  // namespace

void descriptor::reset(int fd) {
    if (fd_ >= 0) {
        ::close(fd_);
    }
    fd_ = fd;
}

segment segment::create(std::size_t bytes, descriptor& out, bool read_only) {
    std::size_t const page = std::size_t(sysconf(_SC_PAGESIZE));
    std::size_t const size = std::max(bytes <= smallest ? smallest : bytes + bytes / 4, page) / page * page + page;
    out.reset(memfd_create("optgap", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!out || ftruncate(out.get(), off_t(size)) != 0 || fcntl(out.get(), F_ADD_SEALS, F_SEAL_SHRINK) != 0) {
        throw std::bad_alloc();
    }
    void* const data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, out.get(), 0);
    if (data == MAP_FAILED) {
        throw std::bad_alloc();
    }
    if (read_only) {
        // Kernels before 5.1 do not know it; readers there could write to the memory, but nothing reads that back.
        static_cast<void>(fcntl(out.get(), F_ADD_SEALS, F_SEAL_FUTURE_WRITE));
    }
    static_cast<void>(fcntl(out.get(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SEAL));
    return {static_cast<std::byte*>(data), size};
}

segment segment::open(descriptor const& from, std::size_t most, std::string& why) {
    struct stat about {};
    int const seals = fcntl(from.get(), F_GET_SEALS);
    if (seals < 0 || fstat(from.get(), &about) != 0) {
        why = "the descriptor is no memfd";
    } else if ((seals & F_SEAL_SHRINK) == 0) {
        why = "the memfd is not sealed against shrinking";
    } else if (about.st_size <= 0 || std::size_t(about.st_size) > most) {
        why = "the memfd has " + std::to_string(about.st_size) + " bytes, expected 1 to " + std::to_string(most);
    } else {
        void* const data = mmap(nullptr, std::size_t(about.st_size), PROT_READ, MAP_SHARED, from.get(), 0);
        if (data != MAP_FAILED) {
            return {static_cast<std::byte*>(data), std::size_t(about.st_size)};
        }
        why = std::string("the memfd cannot be mapped: ") + std::strerror(errno);
    }
    return {};
}

void segment::unmap() {
    if (data_ != nullptr) {
        munmap(data_, size_);
        data_ = nullptr;
    }
}

}  // namespace optgap::serve
