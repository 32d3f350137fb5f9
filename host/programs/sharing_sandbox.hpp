#pragma once
// A sandbox that runs equal programs on equal inputs once for all of its calls: a call waits for a current run and
// copies an ended one. It serves calls of one completion each; run_programs shares only within one call.

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "host/programs/run_batch.hpp"
#include "host/programs/sandbox.hpp"

namespace optgap::programs {

class sharing_sandbox final : public sandbox {
public:
    /// `dedupe` selects the isolation levels whose runs are shared; others pass through. Copies of ended runs hold at
    /// most `max_bytes` of output.
    sharing_sandbox(std::shared_ptr<sandbox> in, dedupe_rule dedupe, std::size_t max_bytes = std::size_t(64) << 20);

    [[nodiscard]] std::vector<compile_result> compile_all(std::span<compile_request const> requests) override;
    /// A copy has no tries and took no time. A run that ended as infrastructure is not copied: each call that waited
    /// runs it.
    [[nodiscard]] std::vector<run_result> run_all(std::span<run_request const> requests) override;
    [[nodiscard]] std::string isolation(program_language language) const override { return in_->isolation(language); }
    [[nodiscard]] bool deterministic(program_language language) const override { return in_->deterministic(language); }
    [[nodiscard]] std::int32_t slots() const override { return in_->slots(); }
    [[nodiscard]] std::int32_t slots_busy() const override { return in_->slots_busy(); }
    [[nodiscard]] std::shared_ptr<sandbox> const& within() const { return in_; }

private:
    struct known_program;
    /// The source with everything that changes its behaviour, one object for equal ones; the input's hash and size; the
    /// limits.
    using run_key = std::tuple<std::shared_ptr<std::string const>, std::uint64_t, std::uint64_t, std::size_t,
                               std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
    struct known_run {
        bool ended = false;
        run_result result;
    };

    [[nodiscard]] bool shares(program_language language) const;
    /// The one object for this text. It compares in full, since a source may be constructed to share another's hash.
    std::shared_ptr<std::string const> only(std::string identity);
    static run_key key_of(run_request const& asked);
    /// Returns those of `left` that this call has to run itself. The others' results are copied, or being made by
    /// another call.
    std::vector<std::size_t> claim(std::span<run_request const> requests, std::vector<std::size_t>& left,
                                   std::vector<run_result>& out);
    void run_own(std::span<run_request const> requests, std::span<std::size_t const> own, std::vector<run_result>& out);
    void keep(run_key const& key, run_result const& found);

    std::shared_ptr<sandbox> const in_;
    dedupe_rule const dedupe_;
    std::size_t const max_bytes_;
    std::mutex lock_;
    std::condition_variable_any ended_;
    std::map<std::string, std::weak_ptr<std::string const>> identities_;
    std::map<run_key, known_run> runs_;
    std::deque<run_key> kept_;  ///< ended runs, oldest first
    std::size_t kept_bytes_ = 0;
};

}  // namespace optgap::programs
