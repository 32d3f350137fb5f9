#pragma once
// Compiled programs on disk: a scorer that starts again, or scores the same rollouts again, compiles nothing twice.

#include <string>

#include "host/programs/native/broker_client.hpp"

namespace optgap::programs {

/// A folder that nobody else may write to, with one file for a program. Several processes may use it.
class program_cache {
public:
    /// `folder`: beneath cache_folder(), made when it is not there; empty: keeps nothing.
    explicit program_cache(std::string folder);
    /// The program of a key, sealed; not good() when it is not there.
    [[nodiscard]] file_handle load(std::string const& key) const;
    /// Whole or not at all; the oldest go when there are more than `most_programs`.
    void save(std::string const& key, int program) const;

    static constexpr std::size_t most_programs = 256;  ///< of 2 MB each

private:
    std::string folder_;
};

}  // namespace optgap::programs
