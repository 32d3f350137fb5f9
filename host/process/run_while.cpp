#include "host/process/run_while.hpp"

#include <chrono>
#include <future>

namespace optgap {

bool run_while(std::function<bool()> const& goes_on, std::stop_source stop, std::function<void()> const& work) {
    std::future<void> done = std::async(std::launch::async, work);
    bool wanted = true;
    while (wanted && done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
        wanted = goes_on();
    }
    if (!wanted) {
        stop.request_stop();
    }
    done.get();
    return wanted;
}

}  // namespace optgap
