#pragma once
// What every subcommand shares: the common options, the engine made from them, and the way it ends.

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "host/rows/read/task_table.hpp"
#include "optgap/engine.hpp"

namespace optgap::cli {

using namespace rows;  // rows of JSON, instances and the scorer are the library's

/// The contract's exit codes.
enum exit_code : int { exit_done = 0, exit_rejected = 1, exit_usage = 2, exit_failed = 3 };

/// Bad usage that only shows after parsing; the sentence names the fix. Ends with exit_usage.
class usage_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A file or stream that cannot be read or written. Ends with exit_failed.
class io_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class context {
public:
    std::vector<std::string> typed;  ///< as they were typed, behind the program's name
    std::string command_line;        ///< the same as one text
    std::string device_name = "auto";
    int threads = 0;
    std::string server = "off";         ///< a daemon's socket
    std::vector<std::string> packages;  ///< of users' kinds, as --kinds names them
    std::string baselines;              ///< content hash of the snapshot that is read; given before the engine is made
    bool json = false;
    bool quiet = false;
    int result = exit_done;

    /// Reads what --kinds names of `typed`, before any command is declared, since those kinds have options of their
    /// own.
    void take_packages();
    /// Made on the first call. `gpu_helps` false: the verb runs on the CPU anyway, so `auto` starts no GPU.
    engine const& get_engine(bool gpu_helps = true);
    /// Its tasks by name.
    task_table const& tasks();
    /// The words of a task, by its index in engine::tasks().
    task_text const& text(std::int32_t task) { return tasks().text(task); }
    /// Index of `NAME` or `NAME@VERSION`; throws usage_error that lists the names, closest first.
    std::int32_t task_named(std::string_view name);
    /// Indices of all that a list of words names (optgap/task_choice.hpp), each once, in the words' order. `direct`:
    /// for prompts; a word for several tasks then leaves out those that are not direct, and one for such a task is
    /// refused.
    std::vector<std::int32_t> tasks_named(std::vector<std::string> const& words, bool direct = false);
    /// Sets the exit code unless a worse one is set.
    void end_with(exit_code code);
    /// A sentence on stderr, unless --quiet.
    void note(std::string_view sentence) const;
    /// A sentence on stderr, always.
    void warn(std::string_view sentence) const;

private:
    std::unique_ptr<engine> engine_;
    std::unique_ptr<task_table> tasks_;
};

}  // namespace optgap::cli
