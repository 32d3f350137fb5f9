#pragma once
// NVTX ranges for profilers, and the only place that knows NVTX. Domain "optgap", one registered name per public verb
// and per stage inside one; without OPTGAP_HAVE_NVTX it all compiles to nothing. Public verbs never nest in each other.
//
//   trace::range const here(trace::name::verify);

#include <cstdint>

#ifdef OPTGAP_HAVE_NVTX
#include <array>

#include <nvtx3/nvToolsExt.h>
#endif

namespace optgap::trace {

enum class name : std::int32_t {
    generate,
    prompt,
    parse,
    verify,
    construct,
    improve,
    solve,
    score,
    rewards,
    advantages,
    device_upload,
    device_kernels,
    device_download,
    count_,
};

#ifdef OPTGAP_HAVE_NVTX

/// The scope it lives in, as a range on the calling thread.
class range {
public:
    explicit range(name which) {
        registered const& known = registered::get();
        nvtxEventAttributes_t event{};
        event.version = NVTX_VERSION;
        event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
        event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
        event.message.registered = known.names[std::size_t(which)];
        nvtxDomainRangePushEx(known.domain, &event);
    }
    ~range() { nvtxDomainRangePop(registered::get().domain); }
    range(range const&) = delete;
    range& operator=(range const&) = delete;

private:
    struct registered {
        nvtxDomainHandle_t domain = nvtxDomainCreateA("optgap");
        std::array<nvtxStringHandle_t, std::size_t(name::count_)> names{};

        registered() {
            constexpr std::array<char const*, std::size_t(name::count_)> texts{
                "generate", "prompt",  "parse",      "verify",        "construct",      "improve",        "solve",
                "score",    "rewards", "advantages", "device upload", "device kernels", "device download"};
            for (std::size_t k = 0; k < texts.size(); ++k) {
                names[k] = nvtxDomainRegisterStringA(domain, texts[k]);
            }
        }
        static registered const& get() {
            static registered const known;
            return known;
        }
    };
};

#else

class range {
public:
    explicit constexpr range(name) {}
    constexpr ~range() {}
    range(range const&) = delete;
    range& operator=(range const&) = delete;
};

#endif

}  // namespace optgap::trace
