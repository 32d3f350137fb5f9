// Linked into programs for systems whose glibc is older than the one they were compiled with
// (tools/cmake/old_glibc.cmake). It defines the functions that g++'s headers, libstdc++.a and libgcc_eh.a call and
// glibc 2.28 lacks. Where the running glibc has them, its own are called.

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <cstdint>
#include <ctime>

namespace {

/// The running glibc's function of that name; nullptr where it has none.
template <class Function>
Function* newer(char const* name, Function* ours) {
    auto* const found = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
    return found != ours ? found : nullptr;
}

// Looked up while the library is loaded, since later calls could come during unwinding or after a fork.
auto* const newer_wait = newer<decltype(pthread_cond_clockwait)>("pthread_cond_clockwait", pthread_cond_clockwait);
auto* const newer_search = newer<decltype(_dl_find_object)>("_dl_find_object", _dl_find_object);

/// The request of an unwinder: the object that contains an address, and its table of frames.
struct frame_search {
    std::uintptr_t address;
    dl_find_object* out;
};

int find_frames(dl_phdr_info* object, std::size_t /*size*/, void* data) {
    frame_search const& search = *static_cast<frame_search*>(data);
    bool holds = false;
    std::uintptr_t frames = 0, begin = 0, end = 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        ElfW(Phdr) const& part = object->dlpi_phdr[i];
        std::uintptr_t const from = object->dlpi_addr + part.p_vaddr;
        if (part.p_type == PT_LOAD) {
            begin = begin == 0 || from < begin ? from : begin;
            end = from + part.p_memsz > end ? from + part.p_memsz : end;
            holds = holds || (search.address >= from && search.address < from + part.p_memsz);
        } else if (part.p_type == PT_GNU_EH_FRAME) {
            frames = from;
        }
    }
    if (!holds || frames == 0) {
        return 0;
    }
    search.out->dlfo_map_start = reinterpret_cast<void*>(begin);
    search.out->dlfo_map_end = reinterpret_cast<void*>(end);
    search.out->dlfo_eh_frame = reinterpret_cast<void*>(frames);
    return 1;
}

}  // namespace

extern "C" {

/// glibc 2.32. Threads may exist at any time, so reference counts stay atomic.
char __libc_single_threaded = 0;

/// glibc 2.30. The older function waits only by the wall clock; the caller reads its own clock again.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, timespec const* until) {
    if (newer_wait != nullptr) {
        return newer_wait(condition, mutex, clock, until);
    }
    timespec now{}, wall{};
    clock_gettime(clock, &now);
    clock_gettime(CLOCK_REALTIME, &wall);
    constexpr long second = 1'000'000'000;
    long const nanoseconds = wall.tv_nsec + until->tv_nsec - now.tv_nsec;  // more than -1 and less than 2 seconds
    wall.tv_sec += until->tv_sec - now.tv_sec + (nanoseconds >= second ? 1 : nanoseconds < 0 ? -1 : 0);
    wall.tv_nsec = nanoseconds + (nanoseconds >= second ? -second : nanoseconds < 0 ? second : 0);
    return pthread_cond_timedwait(condition, mutex, &wall);
}

/// glibc 2.35.
int _dl_find_object(void* address, dl_find_object* out) noexcept {
    if (newer_search != nullptr) {
        return newer_search(address, out);
    }
    frame_search search{reinterpret_cast<std::uintptr_t>(address), out};
    return dl_iterate_phdr(find_frames, &search) == 1 ? 0 : -1;
}

}  // extern "C"
