#pragma once
// A Python process that answers about one package of a user's: the client's side of python/optgap/kinds/worker.py; or
// about environments (python/optgap/rows/external/judging.py), with the same messages.
// A request and its answer are JSON, each behind its length in 8 bytes. Programs are run by the broker instead, whose
// wire is a boundary of security (host/programs/wire); a package is as trusted as whoever named it.

#include <stop_token>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "host/process/python_place.hpp"

namespace optgap::rows {

/// Use it from one thread at a time.
class package_worker {
public:
    /// How a request ended.
    struct answer {
        bool given = false;
        bool late = false;  ///< it took longer than it may
        std::string text;   ///< the answer; else why there is none
    };

    /// Starts it with the function `main` of a module of optgap, called with the argument: a package's name. Throws
    /// error{device_unavailable}.
    package_worker(python_place const& at, std::string const& argument, std::string const& module = "kinds.worker");
    /// Kills it with all that it started.
    ~package_worker();
    package_worker(package_worker const&) = delete;
    package_worker& operator=(package_worker const&) = delete;

    /// Sends a request, if there is one, and waits for an answer. Once there is none, the worker is dead.
    [[nodiscard]] answer ask(std::string_view request, double seconds, std::stop_token const& stop);
    [[nodiscard]] bool alive();

private:
    [[nodiscard]] answer lost(std::string why, bool late = false);
    void kill_all() const;

    pid_t process_ = -1;
    int socket_ = -1;
    bool ended_ = false;
    int status_ = 0;
};

}  // namespace optgap::rows
