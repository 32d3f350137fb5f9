#pragma once
// The engine's client of optgap-broker: one process, started with the first message and again after its death.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/programs/wire/broker_wire.hpp"

namespace optgap::programs {

/// A descriptor that closes itself.
class file_handle {
public:
    file_handle() = default;
    explicit file_handle(int descriptor) : descriptor_(descriptor) {}
    file_handle(file_handle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    file_handle& operator=(file_handle&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~file_handle();
    [[nodiscard]] int get() const { return descriptor_; }
    [[nodiscard]] bool good() const { return descriptor_ >= 0; }
    [[nodiscard]] int release() { return std::exchange(descriptor_, -1); }

private:
    int descriptor_ = -1;
};

/// Bytes in an immutable memory file; not good() when the system has no room.
[[nodiscard]] file_handle sealed_bytes(std::string_view bytes);
/// The content of a file.
[[nodiscard]] std::string bytes_of(int descriptor);

struct broker_reply {
    bool lost = false;  ///< the broker died while this was open
    std::string trouble;
    wire::response head;
    std::string output, errors;
    file_handle program;  ///< result of a compilation
};

/// Keep it by left_to_parent: a forked child has neither its thread nor its broker.
class broker_client {
public:
    /// `words` are the settings that the broker is started with.
    broker_client(std::string path, std::vector<std::string> words);
    ~broker_client();
    broker_client(broker_client const&) = delete;
    broker_client& operator=(broker_client const&) = delete;

    /// Sends a request. `take` gets the reply on the client's own thread, also when the broker is lost. The descriptors
    /// may be closed afterwards. Returns the id for `stop`; 0 when the request is lost already.
    std::uint64_t send(wire::request request, int first, int second, std::function<void(broker_reply)> take);
    /// Makes the broker end a run. Its reply follows soon, as starved, or with its regular end.
    void stop(std::uint64_t id);
    /// The broker's process id; 0 before the first message and while it is not running. For tests and reports.
    [[nodiscard]] int process() const;

private:
    void serve();
    [[nodiscard]] bool start();
    void listen(int socket);
    void lose_all(std::string const& why);

    std::string path_;
    std::vector<std::string> words_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    int socket_ = -1;
    int process_ = 0;
    bool wanted_ = false;
    bool leaving_ = false;
    std::string trouble_;  ///< reason of the last failed start
    std::uint64_t next_id_ = 1;
    std::unordered_map<std::uint64_t, std::function<void(broker_reply)>> open_;
    std::thread thread_;
};

}  // namespace optgap::programs
