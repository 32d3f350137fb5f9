#pragma once
// A simulated sandbox, for tests of the code above it: a program is a word, and its run is simulated here.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/program_runs/runner_state.hpp"

namespace optgap::testing {

/// Problems are of tsp in plain numbers. "identity" prints the tour of the cities in their order, "swapped" the same
/// with the first two exchanged. "broken" does not compile, "lost" is lost to the machine. "waits" prints the identity
/// after `go_on` was called, and is lost when it is stopped. Any other word exits with a status.
class sandbox_of_words : public programs::sandbox {
public:
    std::atomic<std::int64_t> ran = 0;
    std::function<void()> before_runs = [] {};

    std::vector<programs::compile_result> compile_all(std::span<programs::compile_request const> requests) override {
        std::vector<programs::compile_result> out;
        for (programs::compile_request const& one : requests) {
            programs::compile_result made;
            made.code = one.source == "broken" ? programs::run_code::compile_error : programs::run_code::ok;
            made.first_line = one.source == "broken" ? "line 1: no" : "";
            auto const source = std::make_shared<std::string>(one.source);
            made.program =
                programs::program_handle(source, reinterpret_cast<programs::ready_program const*>(source.get()));
            out.push_back(std::move(made));
        }
        return out;
    }
    std::vector<programs::run_result> run_all(std::span<programs::run_request const> requests) override {
        before_runs();
        std::vector<programs::run_result> out;
        for (programs::run_request const& one : requests) {
            out.push_back(ended(one));
        }
        return out;
    }
    std::string isolation(programs::program_language) const override { return "pretended"; }
    bool deterministic(programs::program_language) const override { return false; }
    std::int32_t slots() const override { return 3; }
    std::int32_t slots_busy() const override { return std::int32_t(waiting_); }

    /// Ends the programs that wait, and all later ones.
    void go_on() {
        std::lock_guard const locked(lock_);
        open_ = true;
        moved_.notify_all();
    }
    /// Waits until this many programs wait.
    void until_waiting(std::int32_t wanted) {
        std::unique_lock locked(lock_);
        moved_.wait(locked, [&] { return waiting_ >= wanted; });
    }
    [[nodiscard]] std::int32_t waiting() const { return waiting_; }

private:
    programs::run_result ended(programs::run_request const& one) {
        auto const& source = *reinterpret_cast<std::string const*>(one.program.get());
        ++ran;
        programs::run_result end;
        end.cpu_ms = 5;
        if (source == "waits") {
            wait(one.stop);
        }
        if (one.stop.stop_requested() || source == "lost") {
            end.trouble = "lost";
            return end;
        }
        bool const swapped = source == "swapped";
        bool const answers = swapped || source == "identity" || source == "waits";
        end.code = answers ? programs::run_code::ok : programs::run_code::run_exit;
        int const cities = std::stoi(std::string(one.input.substr(0, 8)));
        for (int k = 0; k < cities; ++k) {
            end.output += std::to_string(swapped && k < 2 ? 1 - k : k) + " ";
        }
        return end;
    }
    void wait(std::stop_token const& stop) {
        std::stop_callback const woken(stop, [this] {
            std::lock_guard const locked(lock_);
            moved_.notify_all();
        });
        std::unique_lock locked(lock_);
        ++waiting_;
        moved_.notify_all();
        moved_.wait(locked, [&] { return open_ || stop.stop_requested(); });
        --waiting_;
        moved_.notify_all();
        locked.unlock();
    }

    std::mutex lock_;
    std::condition_variable moved_;
    std::atomic<std::int32_t> waiting_ = 0;
    bool open_ = false;
};

/// A source in a fenced block, as in a completion.
inline std::string fenced(std::string const& source) { return "```cpp\n" + source + "\n```"; }

}  // namespace optgap::testing
