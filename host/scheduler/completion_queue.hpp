#pragma once

#include <mutex>
#include <vector>

#include "optgap/scheduler.hpp"

namespace optgap {

struct completion_queue::state {
    state();
    ~state();
    void push(std::span<ticket const> ended);

    std::mutex lock;
    std::vector<ticket> done;
    int event = -1;
};

}  // namespace optgap
