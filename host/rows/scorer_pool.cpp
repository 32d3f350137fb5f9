#include "host/rows/scorer_pool.hpp"

#include <exception>
#include <utility>

namespace optgap::rows {

scorer_pool::lease::~lease() {
    if (std::uncaught_exceptions() == exceptions_) {
        std::lock_guard const locked(from_.lock_);
        from_.idle_.push_back(std::move(one_));
    }
}

scorer_pool::lease scorer_pool::lend() {
    {
        std::lock_guard const locked(lock_);
        if (!idle_.empty()) {
            std::unique_ptr<scorer> one = std::move(idle_.back());
            idle_.pop_back();
            return {*this, std::move(one)};
        }
    }
    return {*this, std::make_unique<scorer>(by_, options_, store::snapshot_place{"", snapshot_hash_}, source_,
                                            scorer_services{shared_, kinds_})};
}

}  // namespace optgap::rows
