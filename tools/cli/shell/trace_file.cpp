#include "tools/cli/shell/trace_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <string>

#include "host/process/trace.hpp"
#include "tools/cli/shell/command_line.hpp"
#include "tools/cli/shell/context.hpp"
#include "tools/cli/shell/say.hpp"

namespace optgap::cli {
namespace {

/// Records from its beginning to its end, which is that of the command line's parser, after the command.
class trace_file {
public:
    explicit trace_file(std::string const& path) : path_(path), out_(path) {
        if (!out_) {
            throw io_error(fmt::format("cannot write the trace to '{}'", path));
        }
        trace::start_recording();
    }
    ~trace_file() {
        out_ << trace::stop_recording() << std::flush;
        if (!out_) {
            say(fmt::format("optgap: the trace in '{}' is not complete\n", path_));
        }
    }
    trace_file(trace_file const&) = delete;
    trace_file& operator=(trace_file const&) = delete;

private:
    std::string path_;
    std::ofstream out_;
};

}  // namespace

void add_trace_option(command_entry command) {
    auto const file = std::make_shared<std::unique_ptr<trace_file>>();
    command.add_option(
        "--trace", [file](std::string const& path) { *file = std::make_unique<trace_file>(path); },
        "Write what ran when, as a Chrome trace that ui.perfetto.dev opens");
}

}  // namespace optgap::cli
