#pragma once
// An engine's way to the node's daemon. Every verb is a pure function of its inputs: a call that the daemon does not
// answer is computed by the caller, with the same bytes.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/remote/codec.hpp"
#include "host/remote/messages.hpp"
#include "host/remote/segment.hpp"
#include "host/remote/wire.hpp"
#include "optgap/engine.hpp"

namespace optgap::serve {

/// A daemon whose pulse has not moved for so long counts as hanging or stopped.
inline constexpr std::chrono::milliseconds max_silence{2000};

/// Thread-safe. Connects when it is first called. `run` returns false when the caller must compute the call: it is too
/// small to send, or the daemon refuses or does not answer; `out` then holds nothing of use.
class remote {
public:
    remote(engine_options const& options, std::string path, std::span<task_info const> tasks);
    ~remote();
    remote(remote const&) = delete;
    remote& operator=(remote const&) = delete;

    template <class Call>
    bool run(Call const& call, typename Call::result& out) {
        return exchange_call(Call::which, call.rows(),
                             {.size =
                                  [&] {
                                      measure size;
                                      put_call(size, call);
                                      return size.size();
                                  },
                              .write =
                                  [&](std::byte* at) {
                                      writer to(at);
                                      put_call(to, call);
                                  },
                              .read = [&](reader& from) { take_result(from, std::size_t(call.rows()), out); }});
    }
    /// Rows of JSON as one run; `options` as row_scorer's.
    bool run_rows(std::string_view options, std::span<std::string const> rows, std::vector<std::string>& scored,
                  std::vector<std::string>& remarks);
    [[nodiscard]] server_statistics statistics();

private:
    static constexpr std::size_t max_lines = 32;
    struct line;
    struct lines;
    class lease;

    /// Writes a call as bytes, and reads its result from bytes.
    struct encoding {
        std::function<std::size_t()> size;
        std::function<void(std::byte*)> write;
        std::function<void(reader&)> read;
    };
    bool exchange_call(verb what, std::int64_t rows, encoding const& call);
    lines& own_lines();
    /// Returns false with a reason when no daemon listens, or it is too early to try again.
    bool connect(lines& own, line& to, std::string& why, bool& was_refused);
    bool greet(line& to, std::string& why, bool& slow, bool& was_refused) const;
    /// `fill` writes the request's bytes; the reply lies in the line's memory.
    static bool exchange(line& by, verb what, std::size_t size, std::function<void(std::byte*)> const& fill,
                         reply& answer, std::string& why);
    bool fail(std::string const& why, bool was_refused);

    std::string path_;
    bool demanded_;       ///< a path of the caller's and on_fallback = error: a call that is not served throws
    bool trusts_others_;  ///< root with a named path accepts any user's daemon
    std::uint64_t build_;
    std::string baselines_;
    std::atomic<lines*> lines_;

    std::atomic<std::int64_t> calls_{0}, rows_{0}, small_{0}, fallbacks_{0}, refused_{0}, connects_{0};
    std::atomic<server_state> state_{server_state::idle};
};

}  // namespace optgap::serve
