#pragma once
// The way of a request's bytes in the daemon: decode, check, compute, encode. Knows no sockets.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "host/baselines/baseline_source.hpp"
#include "host/calls/calls.hpp"
#include "host/remote/messages.hpp"
#include "optgap/engine.hpp"

namespace optgap::serve {

/// A request that is not served, and why.
class refused_request : public std::runtime_error {
public:
    refused_request(refusal kind, std::string const& why) : std::runtime_error(why), kind_(kind) {}
    [[nodiscard]] refusal kind() const { return kind_; }

private:
    refusal kind_;
};

struct workplace_limits {
    std::int64_t bytes = std::int64_t(1) << 30;  ///< of a request, of its results, and of one row's scratch
    std::int64_t rows = std::int64_t(1) << 22;
    /// Steps of one proof, and of all of a request's local searches together: a call cannot be ended from outside, and
    /// one that takes hours would have the pool to itself.
    std::int64_t steps = 1'000'000'000;
};

/// Thread-safe.
class workplace {
public:
    /// Gives memory for that many bytes of results.
    using room = std::function<std::byte*(std::size_t)>;

    workplace(engine const& by, engine const& prover, std::int64_t cache_bytes, workplace_limits limits);

    /// Rows served; the results' size comes through `room`. Throws wire_error, refused_request and error.
    std::int64_t serve(verb what, std::span<std::byte const> bytes, room const& out);
    [[nodiscard]] baseline_counts baselines() const { return baselines_->counts(); }
    /// The baselines of all clients; the source refuses instances that would take too much.
    [[nodiscard]] std::shared_ptr<baseline_source> const& source() const { return baselines_; }
    [[nodiscard]] engine const& by() const { return by_; }

    // The limits of a request; these throw refused_request.

    void check_rows(std::int64_t rows) const;
    void check_steps(std::int64_t steps, std::int64_t rows) const;
    void check_bytes(std::int64_t words, char const* of) const;
    void check_specs(std::span<instance_spec const> specs) const;

private:
    template <class Call>
    std::int64_t serve_call(std::span<std::byte const> bytes, room const& out);
    /// Throws refused_request for what task code must not meet, and for a call that would take too much.
    template <class Call>
    void check(Call const& call) const;
    void check(grade_call const& call) const;

    void check_scratch(std::int32_t task, std::span<std::int32_t const> words, bool proof) const;
    void check_instances(instance_view instances, bool proof) const;
    void check_answers(instance_view instances, csr_view answers, std::span<std::int32_t const> instance_of) const;
    void check_starts(solve_call const& call) const;
    /// The answers that a call gives for `instance_of`.
    void check_results(instance_view instances, std::span<std::int32_t const> instance_of) const;

    template <class Call>
    typename Call::result make(Call const& call) {
        return call.made_by(by_);
    }
    /// Identical instances are proven once, also when several clients ask at the same time.
    solved_batch make(solve_call const& call);

    engine const& by_;
    /// Rows a thread that are proven before another client's turn.
    static constexpr std::int64_t rows_per_turn = 8;

    workplace_limits limits_;
    /// The source proves on an engine with threads of its own, so that no client's scores wait for another's proofs.
    std::shared_ptr<baseline_source> const baselines_;
};

}  // namespace optgap::serve
