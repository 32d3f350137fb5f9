#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/rows/scorer.hpp"

namespace optgap::rows {

/// Scorers with the same options, as many as threads ask for at once. They share baselines, sandboxes and proofs.
/// Thread-safe.
class scorer_pool {
public:
    /// `by` must outlive it. `snapshot_hash`: of what `source` reads; empty: no snapshot. `shared`: also with others.
    scorer_pool(engine const& by, score_options options, std::string snapshot_hash,
                std::shared_ptr<baseline_source> source, std::span<kind_entry const> kinds = kind_entries(),
                std::shared_ptr<shared_services> shared = std::make_shared<shared_services>())
        : by_(by),
          options_(std::move(options)),
          snapshot_hash_(std::move(snapshot_hash)),
          source_(std::move(source)),
          kinds_(kinds),
          shared_(std::move(shared)) {}

    /// A scorer for one thread, until it goes. One that an exception has passed is not used again.
    class lease {
    public:
        lease(scorer_pool& from, std::unique_ptr<scorer> one) : from_(from), one_(std::move(one)) {}
        ~lease();
        lease(lease const&) = delete;
        lease& operator=(lease const&) = delete;
        scorer& operator*() const { return *one_; }
        scorer* operator->() const { return one_.get(); }

    private:
        scorer_pool& from_;
        std::unique_ptr<scorer> one_;
        int const exceptions_ = std::uncaught_exceptions();
    };
    /// Throws as the scorer's constructor.
    [[nodiscard]] lease lend();

private:
    engine const& by_;
    score_options const options_;
    std::string const snapshot_hash_;
    std::shared_ptr<baseline_source> const source_;
    std::span<kind_entry const> const kinds_;
    std::shared_ptr<shared_services> const shared_;
    std::mutex lock_;
    std::vector<std::unique_ptr<scorer>> idle_;
};

}  // namespace optgap::rows
