#pragma once

#include <memory>
#include <mutex>
#include <typeindex>
#include <unordered_map>
#include <utility>

namespace optgap::rows {

/// What the kinds of several scorers have one of, by its type: the sandboxes, what was proven. Thread-safe, as what is
/// kept here has to be.
class shared_services {
public:
    /// The one `T`, which `make` makes for the first that asks.
    template <class T, class Make>
    std::shared_ptr<T> of(Make const& make) {
        std::lock_guard const locked(lock_);
        std::shared_ptr<void>& one = made_[std::type_index(typeid(T))];
        if (one == nullptr) {
            one = make();
        }
        return std::static_pointer_cast<T>(one);
    }
    /// Puts a `T` there that exists already, before any kind asks.
    template <class T>
    void put(std::shared_ptr<T> given) {
        std::lock_guard const locked(lock_);
        made_[std::type_index(typeid(T))] = std::move(given);
    }

private:
    std::mutex lock_;
    std::unordered_map<std::type_index, std::shared_ptr<void>> made_;
};

}  // namespace optgap::rows
