#pragma once
// Streams of the fake CUDA runtime. Queued work runs only when a wait demands it, in a random order that streams and
// events allow. Two operations that touch the same bytes, one of them writing, without an order between them are a
// complaint, whether or not they overlapped in this schedule.

#include <cuda_runtime_api.h>

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace optgap::fake {

/// The bytes that an operation touched, as it reports them while it runs.
class touches {
public:
    template <class T>
    void reads(T const* from, std::int64_t count) {
        add(from, count * std::int64_t(sizeof(T)), false);
    }
    template <class T>
    void writes(T const* to, std::int64_t count) {
        add(to, count * std::int64_t(sizeof(T)), true);
    }

    struct range {
        std::uintptr_t begin;
        std::uintptr_t end;
        bool written;
        auto operator<=>(range const&) const = default;
    };
    /// The sorted ranges, with adjacent ones joined.
    [[nodiscard]] std::vector<range> joined() const;

private:
    void add(void const* at, std::int64_t bytes, bool written);
    std::vector<range> ranges_;
};

/// Touched ranges by number. A loop's launches touch the same ones repeatedly, which are compared once.
class range_sets {
public:
    [[nodiscard]] std::size_t number_of(std::vector<touches::range> const& joined);
    /// Whether the two share a byte that at least one of them writes.
    [[nodiscard]] bool meet(std::size_t a, std::size_t b);
    /// Forgets all numbers.
    void forget_all();

private:
    std::map<std::vector<touches::range>, std::size_t> numbers_;
    std::vector<std::vector<touches::range> const*> sets_;
    std::map<std::pair<std::size_t, std::size_t>, bool> known_;
};

using work = std::function<void(touches&)>;

/// Queues work. An eager schedule runs some of the queued work at once.
void queue(char const* name, cudaStream_t stream, work what);

void open_stream(cudaStream_t stream);
/// Runs all work of a stream, then closes it.
void close_stream(cudaStream_t stream);
void open_event(cudaEvent_t handle);
void close_event(cudaEvent_t handle);
void record(cudaEvent_t handle, cudaStream_t stream);
void wait(cudaStream_t stream, cudaEvent_t handle);
/// The host waits: for an event, a stream, or everything.
void demand(cudaEvent_t handle);
void demand(cudaStream_t stream);
void demand_all();
/// Whether an event's work has run. An eager schedule may run more work meanwhile.
bool ended(cudaEvent_t handle);
/// Returns false while one of the two has not run.
bool elapsed(cudaEvent_t from, cudaEvent_t to, float& milliseconds);
/// Drops all queued work, since a dead context runs nothing.
void drop_queued();

/// Sets the order of later work; each seed gives another order. 0: everything runs at once, as it is queued.
void set_schedule(std::uint64_t seed);
/// Makes the n-th wait of a stream for an event from now on (0: the next) establish no order, as if the code had
/// forgotten it. A complaint is then expected. The wait is obeyed nevertheless, so that no work uses unfinished data.
/// -1: none.
void forget_stream_wait(std::int64_t n);
/// The number of stream waits since then.
std::int64_t stream_waits();
/// Whether everything that `other` was given is ordered before later work of `stream`.
bool is_behind(cudaStream_t stream, cudaStream_t other);

void complain(std::string what);
/// The complaints since the last call.
std::vector<std::string> complaints();

}  // namespace optgap::fake
