#include "host/process/trace.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace optgap::trace {

namespace {

constexpr std::size_t max_events = 1'000'000;

struct event {
    name which;
    detail::clock::time_point begin, end;
};

/// One thread's events. Its lock is contended only while a recording stops.
struct thread_events {
    std::mutex lock;
    std::vector<event> events;
    std::int64_t dropped = 0;
};

struct recorder {
    std::mutex lock;
    detail::clock::time_point started;
    std::vector<std::shared_ptr<thread_events>> threads;  ///< also those of ended threads

    static recorder& get() {
        // Never destroyed: a thread may end its last range after main has returned.
        static recorder& only = *new recorder;
        return only;
    }
};

std::shared_ptr<thread_events> own_events() {
    auto mine = std::make_shared<thread_events>();
    recorder& all = recorder::get();
    std::lock_guard const locked(all.lock);
    all.threads.push_back(mine);
    return mine;
}

double microseconds(detail::clock::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

}  // namespace

void detail::record(name which, clock::time_point begin) {
    clock::time_point const end = clock::now();
    thread_local std::shared_ptr<thread_events> const mine = own_events();
    std::lock_guard const locked(mine->lock);
    if (mine->events.size() < max_events) {
        mine->events.push_back({which, begin, end});
    } else {
        ++mine->dropped;
    }
}

void start_recording() {
    recorder& all = recorder::get();
    std::lock_guard const locked(all.lock);
    all.started = detail::clock::now();
    for (auto const& thread : all.threads) {
        std::lock_guard const theirs(thread->lock);
        thread->events.clear();
        thread->dropped = 0;
    }
    detail::recording = true;
}

std::string stop_recording() {
    detail::recording = false;
    recorder& all = recorder::get();
    std::lock_guard const locked(all.lock);
    std::string out = R"({"displayTimeUnit":"ms","traceEvents":[)";
    out += R"({"name":"process_name","ph":"M","pid":1,"args":{"name":"optgap"}})";
    std::int64_t dropped = 0;
    for (std::size_t t = 0; t < all.threads.size(); ++t) {
        thread_events& thread = *all.threads[t];
        std::lock_guard const theirs(thread.lock);
        for (event const& each : thread.events) {
            fmt::format_to(std::back_inserter(out),
                           ",\n"
                           R"({{"name":"{}","cat":"optgap","ph":"X","pid":1,"tid":{},"ts":{:.3f},"dur":{:.3f}}})",
                           text_of(each.which), t + 1, microseconds(each.begin - all.started),
                           microseconds(each.end - each.begin));
        }
        dropped += thread.dropped;
        thread.events.clear();
    }
    // Buffers that only this list still holds belong to threads that have ended.
    std::erase_if(all.threads, [](auto const& thread) { return thread.use_count() == 1; });
    fmt::format_to(std::back_inserter(out), R"(],"otherData":{{"dropped_events":{}}}}})", dropped);
    return out + "\n";
}

}  // namespace optgap::trace
