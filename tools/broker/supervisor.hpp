#pragma once
// The broker's loop: takes requests, starts a child for each, drains its output, reads its clocks, ends it when it
// exceeds a limit, and answers. It has one thread, which waits only in poll.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/broker/child.hpp"
#include "tools/broker/settings.hpp"

namespace optgap::broker {

class supervisor {
public:
    /// `words` are the original settings, for the broker's part inside of namespaces. Throws std::runtime_error.
    supervisor(int socket, settings const& all, std::vector<std::string> words);
    ~supervisor();
    supervisor(supervisor const&) = delete;
    supervisor& operator=(supervisor const&) = delete;

    /// Runs until the other end closes. No child is left then.
    void loop();

private:
    enum source : std::uint32_t { from_client = 0, from_child, from_setup, from_output, from_errors };
    struct run;

    void take_requests();
    void begin(programs::wire::request const& request, int program, int input);
    void start_child(run& of, int program, int input, int const (&pipes)[6]);
    [[noreturn]] void in_child(run const& of, int program, int input, int output, int errors, int setup);
    void drain(run& of, source from);
    void hear(run& of);
    void check(run& of, std::int64_t now);
    void stop(run& of, programs::wire::ending why);
    void stop_named(std::uint64_t id);
    /// Ends orphans of wrappers, once no wrapper runs.
    void end_foreign_processes();
    void finish(run& of);
    void answer(run& of);
    void watch(int descriptor, std::size_t index, source from) const;
    [[nodiscard]] int wait_ms() const;

    int socket_;
    int poll_;
    settings settings_;
    std::vector<std::string> words_;
    std::vector<std::unique_ptr<run>> runs_;
    std::vector<std::unique_ptr<filter>> filters_;  ///< by profile
    std::vector<int> rulesets_;                     ///< by profile; -1 for those with a ruleset per run
    std::vector<int> filter_files_;                 ///< for inside of namespaces, by profile
    bool own_users_;
    std::uint32_t serials_ = 0;
    bool open_ = true;
};

}  // namespace optgap::broker
