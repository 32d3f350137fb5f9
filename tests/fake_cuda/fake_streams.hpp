#pragma once
// Streams of the fake CUDA runtime: what is queued runs when a wait demands it, in an order by chance that streams and
// events allow, and not before. Two operations that touch the same bytes, one of them writing, without an order between
// them are a complaint, whether or not this schedule let them meet.

#include <cuda_runtime_api.h>

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace optgap::fake {

/// The bytes an operation touched, told by the operation while it runs.
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
    /// Sorted, ranges that meet joined.
    [[nodiscard]] std::vector<range> joined() const;

private:
    void add(void const* at, std::int64_t bytes, bool written);
    std::vector<range> ranges_;
};

/// What operations touched, by number: a loop's launches touch the same again and again, and are compared once.
class range_sets {
public:
    [[nodiscard]] std::size_t number_of(std::vector<touches::range> const& joined);
    /// Whether the two share a byte that one of them writes.
    [[nodiscard]] bool meet(std::size_t a, std::size_t b);
    /// No number is in use any more.
    void forget_all();

private:
    std::map<std::vector<touches::range>, std::size_t> numbers_;
    std::vector<std::vector<touches::range> const*> sets_;
    std::map<std::pair<std::size_t, std::size_t>, bool> known_;
};

using work = std::function<void(touches&)>;

/// Queues work; with an eager schedule some of what is queued runs at once.
void queue(char const* name, cudaStream_t stream, work what);

void open_stream(cudaStream_t stream);
/// What a stream was given runs before it goes.
void close_stream(cudaStream_t stream);
void open_event(cudaEvent_t handle);
void close_event(cudaEvent_t handle);
void record(cudaEvent_t handle, cudaStream_t stream);
void wait(cudaStream_t stream, cudaEvent_t handle);
/// The host waits: for an event, a stream, or everything.
void demand(cudaEvent_t handle);
void demand(cudaStream_t stream);
void demand_all();
/// Whether an event's work has run. The card goes on meanwhile, as an eager schedule does.
bool ended(cudaEvent_t handle);
/// False while one of the two has not run.
bool elapsed(cudaEvent_t from, cudaEvent_t to, float& milliseconds);
/// A dead context runs nothing.
void drop_queued();

/// The order of what follows; every number is another. 0: all at once, as it is queued.
void set_schedule(std::uint64_t seed);
/// The n-th wait of a stream for an event from now on (0: the next) orders nothing, as if the code had forgotten it:
/// what a complaint is expected for. It is obeyed all the same, so that no work meets unfinished data. -1: none.
void forget_stream_wait(std::int64_t n);
/// The waits of streams since then.
std::int64_t stream_waits();
/// Whether all that the other stream was given is in order before what `stream` is given from now on.
bool is_behind(cudaStream_t stream, cudaStream_t other);

void complain(std::string what);
/// What was found since the last call.
std::vector<std::string> complaints();

}  // namespace optgap::fake
