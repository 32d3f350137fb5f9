#pragma once
// Ranges per public verb and per stage, for two readers: NVTX (Nsight; domain "optgap", one registered name each;
// absent without OPTGAP_HAVE_NVTX) and a recording that ends as a Chrome trace (Perfetto). No other code uses either. A
// verb that is built of others shows them as its stages. While tracing is off, a range costs one load of a flag.
//
//   trace::range const here(verb::verify);
//   trace::range const stage(trace::name::parse);

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "host/calls/verb.hpp"

#ifdef OPTGAP_HAVE_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

namespace optgap::trace {

/// A verb (host/calls/verb.hpp), or another range: stages, and the scheduler's own.
enum class name : std::int32_t {
    prompt = verb_count,
    parse,
    score,
    issue,
    submit,
    collect,
    batch,
    worker,
    device_upload,
    device_kernels,
    device_download,
    count_,
};

inline constexpr std::size_t name_count = std::size_t(name::count_);
inline constexpr std::array<char const*, name_count - verb_count> stage_texts{
    "prompt", "parse",       "score",         "issue",          "submit",         "collect",
    "batch",  "pool worker", "device upload", "device kernels", "device download"};
static_assert(stage_texts.back() != nullptr);

[[nodiscard]] constexpr char const* text_of(name which) {
    std::size_t const at = std::size_t(which);
    return at < verb_count ? verb_names[at] : stage_texts[at - verb_count];
}

/// Records ranges of all threads from now on. Each thread keeps its first million; the rest is counted.
void start_recording();
/// Stops, and returns the recording as Chrome-trace JSON (complete events, microseconds since the start).
std::string stop_recording();

namespace detail {

inline std::atomic<bool> recording{false};

using clock = std::chrono::steady_clock;
void record(name which, clock::time_point begin);

#ifdef OPTGAP_HAVE_NVTX
/// This library's names in NVTX, registered on first use.
struct registered {
    nvtxDomainHandle_t domain = nvtxDomainCreateA("optgap");
    std::array<nvtxStringHandle_t, name_count> names{};

    registered() {
        for (std::size_t k = 0; k < names.size(); ++k) {
            names[k] = nvtxDomainRegisterStringA(domain, text_of(name(k)));
        }
    }
    static registered const& get() {
        static registered const known;
        return known;
    }
};

inline void push(name which) {
    registered const& known = registered::get();
    nvtxEventAttributes_t event{};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = known.names[std::size_t(which)];
    nvtxDomainRangePushEx(known.domain, &event);
}
inline void pop() { nvtxDomainRangePop(registered::get().domain); }
#else
constexpr void push(name) {}
constexpr void pop() {}
#endif

}  // namespace detail

/// Records the scope it lives in as a range on the calling thread.
class range {
public:
    explicit range(name which) : which_(which), recorded_(detail::recording.load(std::memory_order_relaxed)) {
        detail::push(which);
        if (recorded_) {
            begin_ = detail::clock::now();
        }
    }
    explicit range(verb which) : range(name(which)) {}
    ~range() {
        if (recorded_) {
            detail::record(which_, begin_);
        }
        detail::pop();
    }
    range(range const&) = delete;
    range& operator=(range const&) = delete;

private:
    name which_;
    bool recorded_;
    detail::clock::time_point begin_;
};

}  // namespace optgap::trace
