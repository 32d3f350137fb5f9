#pragma once
// N host threads as a Team, for tests: task code that races on a GPU races here too, where ThreadSanitizer can see it.
// A lane that skips a collective hangs, which the test's time-out reports.

#include <atomic>
#include <barrier>
#include <cstring>
#include <thread>
#include <vector>

#include "kernels/core/team.hpp"

OPTGAP_KERNELS_BEGIN

template <int N>
class thread_team {
public:
    struct shared {
        std::barrier<> arrive{N};
        unsigned char slot[N][16] = {};
    };

    thread_team(shared& common, std::int32_t rank) : common_(&common), rank_(rank) {}

    [[nodiscard]] std::int32_t rank() const { return rank_; }
    [[nodiscard]] static constexpr std::int32_t size() { return N; }
    void sync() const { common_->arrive.arrive_and_wait(); }
    template <class Function>
    void each(std::int64_t count, Function const& function) const {
        for (std::int64_t i = rank_; i < count; i += N) {
            function(i);
        }
    }
    [[nodiscard]] bool all(bool p) const {
        return reduce(p, [](bool a, bool b) { return a && b; });
    }
    [[nodiscard]] bool any(bool p) const {
        return reduce(p, [](bool a, bool b) { return a || b; });
    }
    template <class T>
    [[nodiscard]] T sum(T x) const {
        return reduce(x, [](T a, T b) { return T(a + b); });
    }
    [[nodiscard]] ranked min_by(std::int64_t key, std::int32_t index) const {
        return reduce(ranked{key, index}, smaller);
    }
    [[nodiscard]] ranked max_by(std::int64_t key, std::int32_t index) const {
        return reduce(ranked{key, index}, larger);
    }
    template <class T>
    [[nodiscard]] T broadcast(T x, std::int32_t from = 0) const {
        exchange(x);
        T const result = read<T>(from);
        sync();
        return result;
    }
    std::uint32_t fetch_or(std::uint32_t* word, std::uint32_t bits) const {
        return std::atomic_ref<std::uint32_t>(*word).fetch_or(bits);
    }

private:
    template <class T>
    void exchange(T const& x) const {
        static_assert(sizeof(T) <= sizeof common_->slot[0]);
        std::memcpy(common_->slot[rank_], &x, sizeof x);
        sync();
    }
    template <class T>
    [[nodiscard]] T read(std::int32_t lane) const {
        T x;
        std::memcpy(&x, common_->slot[lane], sizeof x);
        return x;
    }
    template <class T, class Operation>
    [[nodiscard]] T reduce(T x, Operation operation) const {
        exchange(x);
        T result = read<T>(0);
        for (std::int32_t lane = 1; lane < N; ++lane) {
            result = operation(result, read<T>(lane));
        }
        sync();
        return result;
    }

    shared* common_;
    std::int32_t rank_;
};

/// Runs `work(team)` on N threads that form one team.
template <int N, class Work>
void run_as_team(Work const& work) {
    typename thread_team<N>::shared common;
    std::vector<std::thread> lanes;
    lanes.reserve(N);
    for (std::int32_t rank = 0; rank < N; ++rank) {
        lanes.emplace_back([&, rank] {
            thread_team<N> team(common, rank);
            work(team);
        });
    }
    for (std::thread& lane : lanes) {
        lane.join();
    }
}

OPTGAP_KERNELS_END
