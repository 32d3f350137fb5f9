#pragma once
// A sandbox whose programs are compiled and run by the node's daemon, which shares its slots among all clients. What
// the daemon does not serve runs in a sandbox of this process's own, opened only then.

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "host/programs/served/program_codec.hpp"

namespace optgap::programs {

struct served_options {
    std::string path;         ///< the daemon's socket
    std::uint64_t build = 0;  ///< serve::build_fingerprint
    std::int32_t slots = 0;   ///< maximum for this process; 0: as many as the daemon gives a client
    /// Opens this process's own sandbox. Throws error{sandbox_unavailable}.
    std::function<std::shared_ptr<sandbox>()> home;
};

class served_sandbox final : public sandbox {
public:
    served_sandbox(served_options options, served_terms terms)
        : options_(std::move(options)), terms_(std::move(terms)) {}

    std::vector<compile_result> compile_all(std::span<compile_request const> requests) override;
    std::vector<run_result> run_all(std::span<run_request const> requests) override;
    std::string isolation(program_language language) const override { return terms_.isolations[std::size_t(language)]; }
    bool deterministic(program_language language) const override { return isolation(language) == "wasm"; }
    std::int32_t slots() const override;
    std::int32_t slots_busy() const override { return std::min(slots(), under_way_.load()); }
    /// The number of calls that ran in this process's own sandbox.
    [[nodiscard]] std::int64_t at_home() const { return at_home_; }

private:
    std::shared_ptr<sandbox> home();
    std::vector<run_result> run_here(std::span<run_request const> requests);

    served_options const options_;
    served_terms const terms_;
    std::mutex lock_;
    std::shared_ptr<sandbox> home_;
    std::atomic<std::int32_t> under_way_ = 0;  ///< current runs
    std::atomic<std::int64_t> at_home_ = 0;
};

/// The terms of the daemon at a path for these languages; nullopt where it does not support all of them, or no daemon
/// answers. `why` gives the reason.
std::optional<served_terms> terms_of_daemon(std::string const& path, std::uint64_t build,
                                            std::span<program_language const> languages, std::string& why);

}  // namespace optgap::programs
