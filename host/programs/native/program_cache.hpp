#pragma once
// Compiled programs on disk: a scorer that restarts, or scores the same rollouts again, compiles nothing twice.

#include <string>

#include "host/programs/native/broker_client.hpp"

namespace optgap::programs {

/// A folder that no other user may write to, with one file for each program. Several processes may use it.
class program_cache {
public:
    /// `folder` is beneath cache_folder() and is created when absent; empty: keeps nothing.
    explicit program_cache(std::string folder);
    /// The program of a key, in immutable memory; not good() when it is absent.
    [[nodiscard]] file_handle load(std::string const& key) const;
    /// Saves atomically. Removes the oldest programs when there are more than `max_programs`.
    void save(std::string const& key, int program) const;

    static constexpr std::size_t max_programs = 256;  ///< of 2 MB each

private:
    std::string folder_;
};

}  // namespace optgap::programs
