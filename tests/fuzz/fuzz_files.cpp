// Readers of instance files refuse any bytes by a sentence, or read an instance that passes the task's entry check. The
// first two bytes select a reader among those of all tasks; the rest is the file.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "kernels/registry/registry.hpp"
#include "optgap/status.hpp"

namespace {

struct known_reader {
    optgap::task_entry const* task;
    std::vector<std::int32_t> (*read)(std::string_view text);
};

std::vector<known_reader> const& known_readers() {
    static std::vector<known_reader> const all = [] {
        std::vector<known_reader> found;
        for (optgap::task_entry const& task : optgap::registry()) {
            auto const* before = static_cast<optgap::file_format const*>(nullptr);
            for (auto const* format = task.text->files; format->extension != nullptr; before = format++) {
                if (before == nullptr || before->read != format->read) {
                    found.push_back({&task, format->read});
                }
            }
        }
        return found;
    }();
    return all;
}

void require(bool holds, optgap::task_entry const& task, std::string const& what) {
    if (!holds) {
        std::fprintf(stderr, "%s: %s\n", task.name, what.c_str());
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::vector<known_reader> const& readers = known_readers();
    if (size < 2 || readers.empty()) {
        return 0;
    }
    known_reader const& reader = readers[(data[0] * 256U + data[1]) % readers.size()];
    std::vector<char> const exact(data + 2, data + size);  // of the exact size, for the address sanitizer
    try {
        std::vector<std::int32_t> const words = reader.read({exact.data(), exact.size()});
        char const* const rule = reader.task->builds[0]->check({words.data(), std::int64_t(words.size())});
        require(rule == nullptr, *reader.task,
                std::string("read an instance that breaks a rule: ") + (rule ? rule : ""));
    } catch (optgap::field_error const& problem) {
        require(!problem.rule().empty() && problem.rule().find('\n') == std::string::npos, *reader.task,
                "a refusal must be one sentence: " + problem.rule());
    }
    return 0;
}
