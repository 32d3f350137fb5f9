#include "tests/fake_cuda/fake_streams.hpp"

#include "tests/fake_cuda/fake_graphs.hpp"
#include "tests/fake_cuda/fake_memory.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <utility>

namespace optgap::fake {

namespace {

/// For each lane of work, the number of its operations that are known to have ended before.
using knowledge = std::vector<std::int64_t>;

void learn(knowledge& mine, knowledge const& other) {
    mine.resize(std::max(mine.size(), other.size()), 0);
    for (std::size_t k = 0; k < other.size(); ++k) {
        mine[k] = std::max(mine[k], other[k]);
    }
}

/// One recording of an event.
struct mark {
    cudaStream_t stream = nullptr;
    knowledge known;
    bool done = false;
    std::chrono::steady_clock::time_point when;
};

struct operation {
    char const* name = "";
    std::size_t lane = 0;
    std::int64_t index = 0;  ///< counted from 1, within its lane
    knowledge known;
    work what;
    std::shared_ptr<mark> sets;
    std::shared_ptr<mark> needs;
};

struct touched {
    char const* name;
    std::size_t lane;
    std::int64_t index;
    knowledge known;
    std::size_t ranges;  ///< their number
};

struct stream_state {
    std::size_t lane = 0;
    std::deque<operation> waiting;
    knowledge known;
};

/// The choices of a schedule: run at once; run any stream that can continue; only what a wait needs; everything else
/// first.
enum class taste { at_once, any, needed, others };

struct machine {
    std::recursive_mutex lock;
    std::map<cudaStream_t, stream_state> streams;
    std::vector<std::int64_t> lanes;  ///< operations so far
    std::vector<std::size_t> free_lanes;
    std::map<cudaEvent_t, std::shared_ptr<mark>> events;
    knowledge host;  ///< operations that the host waited for
    /// The last operation for each lane and touched set: an operation ordered after the last is ordered after all.
    std::map<std::pair<std::size_t, std::size_t>, touched> history;
    range_sets sets;
    std::vector<std::string> complaints;
    std::mt19937_64 random;
    taste mode = taste::any;
    std::uint32_t eagerness = 1;  ///< of 4: how often queueing something runs something
    std::int64_t forgotten = -1;
    std::int64_t waits = 0;
};

machine& here() {
    static machine the_machine;
    return the_machine;
}

bool before(std::size_t lane, std::int64_t index, knowledge const& known) {
    return lane < known.size() && known[lane] >= index;
}

stream_state& state_of(cudaStream_t stream) {
    machine& m = here();
    auto const found = m.streams.find(stream);
    if (found != m.streams.end()) {
        return found->second;
    }
    stream_state fresh;
    if (m.free_lanes.empty()) {
        m.free_lanes.push_back(m.lanes.size());
        m.lanes.push_back(0);
    }
    fresh.lane = m.free_lanes.back();
    m.free_lanes.pop_back();
    return m.streams.emplace(stream, std::move(fresh)).first->second;
}

void keep(operation const& done, touches const& told) {
    machine& m = here();
    std::vector<touches::range> const joined = told.joined();
    if (joined.empty()) {
        return;
    }
    if (m.history.empty()) {
        m.sets.forget_all();
    }
    touched now{done.name, done.lane, done.index, done.known, m.sets.number_of(joined)};
    for (auto const& [place, other] : m.history) {
        if (!before(other.lane, other.index, now.known) && !before(now.lane, now.index, other.known) &&
            m.sets.meet(other.ranges, now.ranges)) {
            m.complaints.push_back(std::string(other.name) + " and " + now.name +
                                   " touch the same bytes without an order between their streams");
        }
    }
    std::pair const place(now.lane, now.ranges);
    m.history.insert_or_assign(place, std::move(now));
}

bool can_go_on(stream_state const& stream) {
    return !stream.waiting.empty() && (!stream.waiting.front().needs || stream.waiting.front().needs->done);
}

void run_one(stream_state& stream) {
    operation const now = std::move(stream.waiting.front());
    stream.waiting.pop_front();
    if (now.what) {
        touches told;
        device_access const open;
        now.what(told);
        keep(now, told);
    }
    if (now.sets) {
        now.sets->when = std::chrono::steady_clock::now();
        now.sets->done = true;
    }
}

/// The stream that must continue for `wanted` to get further.
stream_state& needed_for(cudaStream_t wanted) {
    stream_state* at = &state_of(wanted);
    while (!can_go_on(*at)) {
        if (at->waiting.empty()) {
            std::abort();  // a wait for something that was never queued
        }
        at = &state_of(at->waiting.front().needs->stream);
    }
    return *at;
}

std::vector<stream_state*> ready_but(stream_state const* left_out) {
    std::vector<stream_state*> ready;
    for (auto& [handle, stream] : here().streams) {
        if (can_go_on(stream) && &stream != left_out) {
            ready.push_back(&stream);
        }
    }
    return ready;
}

stream_state& next_for(cudaStream_t wanted) {
    machine& m = here();
    stream_state& needed = needed_for(wanted);
    std::vector<stream_state*> const ready = ready_but(m.mode == taste::others ? &needed : nullptr);
    if (m.mode == taste::needed || m.mode == taste::at_once || ready.empty()) {
        return needed;
    }
    return *ready[m.random() % ready.size()];
}

void run_some() {
    machine& m = here();
    if (m.mode == taste::at_once) {
        for (bool more = true; more;) {
            more = false;
            for (auto& [handle, stream] : m.streams) {
                while (can_go_on(stream)) {
                    run_one(stream);
                    more = true;
                }
            }
        }
        return;
    }
    while (m.random() % 4 < m.eagerness) {
        std::vector<stream_state*> const ready = ready_but(nullptr);
        if (ready.empty()) {
            return;
        }
        run_one(*ready[m.random() % ready.size()]);
    }
}

operation& add(char const* name, cudaStream_t handle) {
    stream_state& stream = state_of(handle);
    learn(stream.known, here().host);
    stream.known.resize(std::max(stream.known.size(), here().lanes.size()), 0);
    operation next;
    next.name = name;
    next.lane = stream.lane;
    next.index = ++here().lanes[stream.lane];
    stream.known[stream.lane] = next.index;
    next.known = stream.known;
    stream.waiting.push_back(std::move(next));
    return stream.waiting.back();
}

/// Forgets operations that the host, and all waiting work, know to have ended: they cannot conflict with later work. In
/// each stream the first waiting operation knows least.
void host_knows(knowledge const& ended) {
    machine& m = here();
    learn(m.host, ended);
    knowledge least = m.host;
    for (auto const& [handle, stream] : m.streams) {
        for (std::size_t k = 0; k < least.size() && !stream.waiting.empty(); ++k) {
            knowledge const& first = stream.waiting.front().known;
            least[k] = std::min(least[k], k < first.size() ? first[k] : 0);
        }
    }
    std::erase_if(m.history, [&](auto const& old) { return before(old.second.lane, old.second.index, least); });
}

}  // namespace

void queue(char const* name, cudaStream_t stream, work what) {
    std::lock_guard const lock(here().lock);
    if (add_to_capture(stream, {name, what})) {
        return;
    }
    add(name, resolved(stream)).what = std::move(what);
    run_some();
}

void open_stream(cudaStream_t stream) {
    std::lock_guard const lock(here().lock);
    state_of(stream);
}

void close_stream(cudaStream_t stream) {
    std::lock_guard const lock(here().lock);
    while (!state_of(stream).waiting.empty()) {
        run_one(next_for(stream));
    }
    here().free_lanes.push_back(state_of(stream).lane);
    here().streams.erase(stream);
}

void open_event(cudaEvent_t handle) {
    std::lock_guard const lock(here().lock);
    here().events[handle] = nullptr;
}

void close_event(cudaEvent_t handle) {
    std::lock_guard const lock(here().lock);
    here().events.erase(handle);
}

void record(cudaEvent_t handle, cudaStream_t given) {
    std::lock_guard const lock(here().lock);
    cudaStream_t const stream = resolved(given);
    auto set = std::make_shared<mark>();
    set->stream = stream;
    operation& next = add("cudaEventRecord", stream);
    set->known = next.known;
    next.sets = set;
    here().events[handle] = std::move(set);
    run_some();
}

void wait(cudaStream_t given, cudaEvent_t handle) {
    std::lock_guard const lock(here().lock);
    cudaStream_t const stream = resolved(given);
    machine& m = here();
    std::shared_ptr<mark> const needs = m.events[handle];
    ++m.waits;
    if (!needs) {
        return;  // an event that was never recorded delays nothing
    }
    operation& next = add("cudaStreamWaitEvent", stream);
    next.needs = needs;
    if (m.forgotten-- != 0) {
        learn(state_of(stream).known, needs->known);
    }
    run_some();
}

void demand(cudaEvent_t handle) {
    std::lock_guard const lock(here().lock);
    std::shared_ptr<mark> const wanted = here().events[handle];
    if (!wanted) {
        return;
    }
    while (!wanted->done) {
        run_one(next_for(wanted->stream));
    }
    host_knows(wanted->known);
}

bool ended(cudaEvent_t handle) {
    std::lock_guard const lock(here().lock);
    std::shared_ptr<mark> const wanted = here().events[handle];
    run_some();
    if (wanted && wanted->done) {
        host_knows(wanted->known);
    }
    return !wanted || wanted->done;
}

void demand(cudaStream_t given) {
    std::lock_guard const lock(here().lock);
    cudaStream_t const stream = resolved(given);
    while (!state_of(stream).waiting.empty()) {
        run_one(next_for(stream));
    }
    host_knows(knowledge(state_of(stream).known));
}

void demand_all() {
    std::lock_guard const lock(here().lock);
    for (auto& [handle, stream] : here().streams) {
        while (!stream.waiting.empty()) {
            run_one(next_for(handle));
        }
    }
    host_knows(knowledge(here().lanes));
}

bool elapsed(cudaEvent_t from, cudaEvent_t to, float& milliseconds) {
    std::lock_guard const lock(here().lock);
    std::shared_ptr<mark> const a = here().events[from], b = here().events[to];
    if (!a || !b || !a->done || !b->done) {
        return false;
    }
    milliseconds = std::chrono::duration<float, std::milli>(b->when - a->when).count();
    return true;
}

void drop_queued() {
    std::lock_guard const lock(here().lock);
    machine& m = here();
    for (auto& [handle, stream] : m.streams) {
        for (operation const& lost : stream.waiting) {
            if (lost.sets) {
                lost.sets->done = true;
            }
        }
        stream.waiting.clear();
    }
    m.history.clear();
}

void set_schedule(std::uint64_t seed) {
    machine& m = here();
    std::lock_guard const lock(m.lock);
    m.random.seed(seed);
    m.mode = seed == 0 ? taste::at_once : taste(1 + seed % 3);
    m.eagerness = std::uint32_t(seed / 3 % 4);
}

void forget_stream_wait(std::int64_t n) {
    std::lock_guard const lock(here().lock);
    here().forgotten = n;
    here().waits = 0;
}

std::int64_t stream_waits() {
    std::lock_guard const lock(here().lock);
    return here().waits;
}

bool is_behind(cudaStream_t given, cudaStream_t other) {
    std::lock_guard const lock(here().lock);
    knowledge const known = state_of(resolved(given)).known;
    std::size_t const lane = state_of(resolved(other)).lane;
    return before(lane, here().lanes[lane], known) || before(lane, here().lanes[lane], here().host);
}

void complain(std::string what) {
    std::lock_guard const lock(here().lock);
    here().complaints.push_back(std::move(what));
}

std::vector<std::string> complaints() {
    std::lock_guard const lock(here().lock);
    return std::exchange(here().complaints, {});
}

}  // namespace optgap::fake
