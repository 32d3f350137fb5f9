#include "host/process/trace.hpp"

#include <gtest/gtest.h>

#include <map>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

namespace optgap {
namespace {

TEST(trace, records_the_ranges_of_all_threads_between_start_and_stop) {
    { trace::range const before(verb::solve); }
    trace::start_recording();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([] {
            for (int k = 0; k < 100; ++k) {
                trace::range const outer(trace::name::score);
                trace::range const inner(trace::name::parse);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    nlohmann::json const found = nlohmann::json::parse(trace::stop_recording());
    { trace::range const after(verb::solve); }
    std::map<std::string, int> count;
    std::map<int, double> last_end;
    for (nlohmann::json const& event : found["traceEvents"]) {
        if (event["ph"] == "X") {
            ++count[event["name"]];
            // A thread's ranges are written as they end, inner ones first.
            double const end = event["ts"].get<double>() + event["dur"].get<double>();
            EXPECT_GE(end + 0.002, last_end[event["tid"]]);
            last_end[event["tid"]] = end;
        }
    }
    EXPECT_EQ(count, (std::map<std::string, int>{{"parse", 400}, {"score", 400}}));
    EXPECT_EQ(last_end.size(), 4u);
}

TEST(trace, a_second_recording_begins_empty) {
    trace::start_recording();
    { trace::range const here(verb::verify); }
    static_cast<void>(trace::stop_recording());
    trace::start_recording();
    nlohmann::json const found = nlohmann::json::parse(trace::stop_recording());
    EXPECT_EQ(found["traceEvents"].size(), 1u) << "the process's name alone";
    EXPECT_EQ(found["otherData"]["dropped_events"], 0);
}

}  // namespace
}  // namespace optgap
