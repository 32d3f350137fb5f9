#pragma once
// A sandbox whose programs are compiled and run by the node's daemon, which shares its slots among all clients. What it
// does not serve is done here, by a sandbox of this process's own, which is opened only then.

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
    std::string path;         ///< of the daemon's socket
    std::uint64_t build = 0;  ///< serve::build_fingerprint
    std::int32_t slots = 0;   ///< that this process has at most; 0: as many as the daemon gives a client
    /// Opens this process's own. Throws error{sandbox_unavailable}.
    std::function<std::shared_ptr<sandbox>()> home;
};

class served_sandbox final : public sandbox {
public:
    served_sandbox(served_options options, served_terms terms)
        : options_(std::move(options)), terms_(std::move(terms)) {}

    std::vector<compile_result> compile_all(std::span<compile_request const> requests) override;
    std::vector<run_result> run_all(std::span<run_request const> requests) override;
    std::string rung(program_language language) const override { return terms_.rungs[std::size_t(language)]; }
    bool deterministic(program_language language) const override { return rung(language) == "wasm"; }
    std::int32_t slots() const override;
    std::int32_t slots_busy() const override { return std::min(slots(), under_way_.load()); }
    /// Calls that were done here.
    [[nodiscard]] std::int64_t at_home() const { return at_home_; }

private:
    std::shared_ptr<sandbox> home();
    std::vector<run_result> run_here(std::span<run_request const> requests);

    served_options const options_;
    served_terms const terms_;
    std::mutex lock_;
    std::shared_ptr<sandbox> home_;
    std::atomic<std::int32_t> under_way_ = 0;  ///< runs
    std::atomic<std::int64_t> at_home_ = 0;
};

/// How the daemon at a path holds these languages; nothing where it does not hold all of them, or nobody answers there:
/// `why` says which.
std::optional<served_terms> terms_of_daemon(std::string const& path, std::uint64_t build,
                                            std::span<program_language const> languages, std::string& why);

}  // namespace optgap::programs
