#include "tests/fake_cuda/fake_runtime.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "host/cuda/cuda_try.hpp"
#include "kernels/launch/library_rows.hpp"
#include "kernels/launch/pending_error.cuh"
#include "tests/fake_cuda/fake_memory.hpp"
#include "tests/fake_cuda/fake_state.hpp"
#include "tests/fake_cuda/fake_streams.hpp"

namespace optgap::fake {

state& now() {
    static state the_state;
    return the_state;
}

void count_handle(std::int64_t more) {
    std::lock_guard const lock(now().lock);
    now().handles += more;
}

namespace {

std::atomic<std::int64_t> card_nanoseconds{1};
std::atomic<std::int64_t> waiting{0};
std::atomic<std::int64_t> longest{0};
std::atomic<std::int64_t> grids{0};

/// Whether the runtime knows this host memory. Copies from and to other memory are staged before the call returns.
bool pinned(void const* memory) {
    std::lock_guard const lock(now().lock);
    auto const* const at = static_cast<unsigned char const*>(memory);
    return std::any_of(now().blocks.begin(), now().blocks.end(), [at](auto const& block) {
        auto const* const begin = static_cast<unsigned char const*>(block.first);
        return begin <= at && at < begin + block.second;
    });
}

}  // namespace

void upload(unsigned char* to, unsigned char const* from, std::size_t bytes, cudaStream_t stream) {
    auto const seen = std::make_shared<std::vector<unsigned char>>(from, from + bytes);
    bool const staged = !pinned(from);
    queue("copy to the device", stream, [=](touches& told) {
        told.writes(to, std::int64_t(bytes));
        if (!staged && std::memcmp(seen->data(), from, bytes) != 0) {
            complain("what a copy takes to the device was changed before the copy ran");
        }
        std::memcpy(to, seen->data(), bytes);
    });
}

void download(unsigned char* to, unsigned char const* from, std::size_t bytes, cudaStream_t stream) {
    bool const staged = !pinned(to);
    if (!staged) {
        std::memset(to, garbage, bytes);  // visible to a host that does not wait
    }
    queue("copy to the host", stream, [=](touches& told) {
        told.reads(from, std::int64_t(bytes));
        std::memcpy(to, from, bytes);
    });
    if (staged) {
        demand(stream);
    }
}

void use_device() {
    std::lock_guard const lock(now().lock);
    now().contexts.insert(current_device);
}

cudaError_t unsafe() {
    std::lock_guard const lock(now().lock);
    if (!now().capturing || capture_mode == cudaStreamCaptureModeRelaxed) {
        return cudaSuccess;
    }
    now().spoiled = true;
    return cudaErrorStreamCaptureUnsupported;
}

cudaError_t allocate(char const* name, void** memory, std::size_t bytes, bool waits) {
    *memory = nullptr;
    if (waits) {
        demand_all();
    }
    use_device();
    if (cudaError_t const forbidden = unsafe(); forbidden != cudaSuccess) {
        return forbidden;
    }
    cudaError_t const result = called(name);
    if (result != cudaSuccess) {
        return result;
    }
    *memory = guards_device_memory() && std::string_view(name) != "cudaHostAlloc"
                  ? guarded_block(bytes)
                  : std::memset(std::aligned_alloc(256, (bytes + 255) / 256 * 256), garbage, bytes);
    std::lock_guard const lock(now().lock);
    now().blocks[*memory] = bytes;
    return cudaSuccess;
}

cudaError_t give_back(char const* name, void* memory, bool waits) {
    if (waits) {
        demand_all();
    }
    {
        std::lock_guard const lock(now().lock);
        now().blocks.erase(memory);
    }
    if (!end_guarded_block(memory)) {
        std::free(memory);
    }
    use_device();
    cudaError_t const forbidden = unsafe();
    cudaError_t const result = called(name);
    return forbidden != cudaSuccess ? forbidden : result;
}

void set_driver(int version) {
    std::lock_guard const lock(now().lock);
    now().driver = version;
}

void set_devices(int count) {
    std::lock_guard const lock(now().lock);
    now().devices = count;
}

void set_multiprocessors(int count) {
    std::lock_guard const lock(now().lock);
    now().multiprocessors = count;
}

std::set<int> contexts() {
    std::lock_guard const lock(now().lock);
    return now().contexts;
}

void forget_contexts() {
    std::lock_guard const lock(now().lock);
    now().contexts.clear();
}

void begin_capture() {
    std::lock_guard const lock(now().lock);
    now().capturing = true;
    now().spoiled = false;
}

bool end_capture() {
    std::lock_guard const lock(now().lock);
    now().capturing = false;
    return !now().spoiled;
}

void at_next_launch(std::function<void()> what) {
    std::lock_guard const lock(now().lock);
    now().in_launch = std::move(what);
}

cudaError_t called(char const* name, cudaStream_t stream) {
    state& s = now();
    if (std::string_view(name) == "launch") {
        std::function<void()> what;
        {
            std::lock_guard const lock(s.lock);
            what.swap(s.in_launch);
        }
        if (what) {
            what();
        }
    }
    std::lock_guard const lock(s.lock);
    ++s.calls[name];
    if (stream != nullptr) {
        s.streams.insert(stream);
    }
    if (s.ended_by != cudaSuccess) {
        return pending_error = s.ended_by;
    }
    if (s.until_fault < 0 || s.until_fault-- > 0) {
        return cudaSuccess;
    }
    if (status_of(s.fault) == status::device_failed) {
        s.ended_by = s.fault;
        drop_queued();
    }
    return pending_error = s.fault;
}

cudaError_t launch(void const* kernel, std::int64_t shared_bytes, cudaStream_t stream,
                   std::function<void(touches&)> what) {
    {
        std::lock_guard const lock(now().lock);
        if (now().loaded.count(kernel) == 0) {
            ++now().unloaded;
        }
        auto const most = now().shared_bytes.find(kernel);
        if (shared_bytes > (most == now().shared_bytes.end() ? 48 << 10 : most->second)) {
            return cudaErrorInvalidValue;
        }
    }
    cudaError_t const result = called("launch", stream);
    if (result == cudaSuccess) {
        queue("launch", stream, [what = std::move(what)](touches& told) {
            card_time(waiting);
            what(told);
        });
    }
    return result;
}

std::int64_t card_time(std::int64_t more) { return card_nanoseconds += more; }
void set_waiting(std::int64_t nanoseconds) { waiting = nanoseconds; }

void note_block(std::int64_t nanoseconds) {
    for (std::int64_t seen = longest; seen < nanoseconds && !longest.compare_exchange_weak(seen, nanoseconds);) {
    }
}
std::int64_t longest_block() { return longest.exchange(0); }

void note_grid(std::int64_t more) { grids += more; }
std::int64_t blocks() { return grids; }

void forget_kernels() {
    std::lock_guard const lock(now().lock);
    now().loaded.clear();
    now().shared_bytes.clear();
    now().unloaded = 0;
}

std::int64_t launches_that_load() {
    std::lock_guard const lock(now().lock);
    return now().unloaded;
}

void fail_after(std::int64_t calls, cudaError_t code) {
    std::lock_guard const lock(now().lock);
    now().until_fault = calls;
    now().fault = code;
}

cudaError_t call_cub() {
    cudaError_t const own = called("cub");
    return own != cudaSuccess ? own : cudaPeekAtLastError();
}
cudaError_t launch_by_cub(void const* kernel, std::vector<void const*> const& library, cudaStream_t stream,
                          std::function<void(touches&)> const& what) {
    {
        std::lock_guard const lock(now().lock);
        for (void const* const one : library) {
            now().library_loads += now().loaded.insert(one).second ? 1 : 0;
        }
    }
    return apart_from_pending_error(stream, [&] {
        cudaError_t const result = launch(kernel, 0, stream, what);
        return result != cudaSuccess ? result : call_cub();
    });
}
std::vector<void const*> cub_sort::kernels(std::int64_t rows) const {
    return rows <= max_rows_of_one_block ? std::vector<void const*>{&one_block}
                                         : std::vector<void const*>{&histogram, &exclusive_sum, &onesweep};
}
std::int64_t cub_sort::temporary_bytes(std::int64_t rows) {
    return rows <= max_rows_of_one_block ? 1 : 8 * rows + 4096;
}
std::int64_t library_loads() {
    std::lock_guard const lock(now().lock);
    return now().library_loads;
}
void leave_error(cudaError_t code) { pending_error = code; }

void heal() {
    drop_queued();
    pending_error = cudaSuccess;
    std::lock_guard const lock(now().lock);
    now().until_fault = -1;
    now().ended_by = cudaSuccess;
}

std::map<std::string, std::int64_t> calls() {
    std::lock_guard const lock(now().lock);
    return now().calls;
}

std::int64_t all_calls() {
    std::int64_t sum = 0;
    for (auto const& [name, count] : calls()) {
        sum += count;
    }
    return sum;
}

void forget_calls() {
    std::lock_guard const lock(now().lock);
    now().calls.clear();
    now().streams.clear();
    grids = 0;
    now().library_loads = 0;
}

std::int64_t alive() {
    std::lock_guard const lock(now().lock);
    return now().handles + std::int64_t(now().blocks.size());
}

std::int64_t bytes() {
    std::lock_guard const lock(now().lock);
    std::int64_t sum = 0;
    for (auto const& [block, size] : now().blocks) {
        sum += std::int64_t(size);
    }
    return sum;
}

std::set<cudaStream_t> streams() {
    std::lock_guard const lock(now().lock);
    return now().streams;
}

}  // namespace optgap::fake
