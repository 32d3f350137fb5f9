#include "host/scheduler/completion_queue.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace optgap {

completion_queue::state::state() : event(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (event < 0) {
        throw error(status::internal, std::string("no event descriptor: ") + std::strerror(errno));
    }
}
completion_queue::state::~state() { close(event); }

/// One system call per time that the queue was empty: a reader that is behind is not notified again.
void completion_queue::state::push(std::span<ticket const> ended) {
    std::lock_guard const locked(lock);
    bool const was_empty = done.empty();
    done.insert(done.end(), ended.begin(), ended.end());
    if (was_empty && !done.empty()) {
        eventfd_write(event, 1);
    }
}

completion_queue::completion_queue() : state_(std::make_unique<state>()) {}
completion_queue::~completion_queue() = default;

int completion_queue::fd() const { return state_->event; }

std::vector<ticket> completion_queue::drain() {
    std::lock_guard const locked(state_->lock);
    eventfd_t ignored = 0;
    eventfd_read(state_->event, &ignored);
    return std::exchange(state_->done, {});
}

}  // namespace optgap
