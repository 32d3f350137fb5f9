#pragma once
// The messages on the socket, small and of fixed size. The data that they point to lies in shared memory.

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include "host/calls/verb.hpp"

namespace optgap::serve {

inline constexpr std::uint64_t magic = 0x6576726573'67'6f;  // "ogserve"
inline constexpr std::uint32_t protocol_version = 10;       ///< of the messages and of the encodings

/// Requests about the daemon itself. Their numbers lie beyond every verb, so they mean the same in every build.
inline constexpr verb ask_status = verb(0x100);
inline constexpr verb ask_stop = verb(0x101);
/// Programs in the node's slots (host/programs/served): holders of slots, compilations, runs.
inline constexpr verb ask_programs = verb(0x102);
inline constexpr verb ask_compile = verb(0x103);
inline constexpr verb ask_runs = verb(0x104);
/// Rows of JSON as one run (host/serve/row_place.hpp): options, rows; and their columns, remarks.
inline constexpr verb ask_rows = verb(0x105);
[[nodiscard]] constexpr bool is_of_programs(verb what) {
    return what == ask_programs || what == ask_compile || what == ask_runs;
}

/// The number of verbs for which a message has room, in every build.
inline constexpr std::size_t max_verbs = 16;
static_assert(verb_count <= max_verbs);

/// Why a client or a request was refused; also the names of the daemon's counters.
enum class refusal : std::uint32_t {
    none = 0,
    credentials,  ///< another user
    connections,  ///< too many
    silence,      ///< connected and sent nothing
    protocol,     ///< no hello, or one of another protocol
    build,        ///< another version or other tasks
    baselines,    ///< reads another snapshot than the daemon was started with
    message,      ///< an impossible message
    segment,      ///< shared memory that is not sealed, too large or missing
    request,      ///< bytes that do not decode, an instance or answer that breaks its rules
    limit,        ///< would take more memory than one request may
    failed,       ///< the engine threw
    stopping,
};
inline constexpr std::array<char const*, 13> refusal_names{"none",  "credentials", "connections", "silence", "protocol",
                                                           "build", "baselines",   "message",     "segment", "request",
                                                           "limit", "failed",      "stopping"};

/// A sentence in a message, cut to fit.
template <std::size_t N>
struct sentence {
    char bytes[N] = {};
    void operator=(std::string_view text) {
        std::size_t const size = text.size() < N - 1 ? text.size() : N - 1;
        std::memset(bytes, 0, N);
        std::memcpy(bytes, text.data(), size);
    }
    [[nodiscard]] std::string_view view() const { return {bytes, strnlen(bytes, N)}; }
};

struct hello {
    std::uint64_t mark = magic;
    std::uint32_t version = protocol_version;
    std::uint32_t control = 0;  ///< 1: only asks about the daemon, whatever its build
    std::uint64_t build = 0;    ///< build_fingerprint
    sentence<40> baselines{};   ///< content hash of the client's snapshot; empty: no snapshot
};

/// The status page comes with it, unless refused.
struct welcome {
    std::uint64_t mark = magic;
    std::uint32_t version = protocol_version;
    refusal refused = refusal::none;
    std::int64_t max_bytes = 0;             ///< of one request
    std::int64_t min_rows[max_verbs] = {};  ///< by verb: calls with fewer cost less in the client (policy.hpp)
    std::int64_t min_json_rows = 0;         ///< the same of ask_rows
    sentence<192> reason;
};

/// A new segment comes with it when `size` bytes do not fit the one the daemon has.
struct request {
    std::uint64_t mark = magic;
    verb what = ask_status;
    std::uint32_t number = 0;
    std::uint64_t size = 0;
};

/// A new segment comes with it when `segment` is not the size of the one the client has.
struct reply {
    std::uint64_t mark = magic;
    std::uint32_t number = 0;
    refusal refused = refusal::none;
    std::uint64_t size = 0;
    std::uint64_t segment = 0;
    sentence<192> reason;
};

/// The daemon's pulse, in memory that clients map for reading.
struct status_page {
    std::atomic<std::uint64_t> beat{0};
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace optgap::serve
