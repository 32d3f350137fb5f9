#include "tools/cli/rubric/rubric_samples.hpp"

#include <string>

#include "tools/cli/look/demo_files.hpp"

namespace optgap::cli {

std::string_view rubric_samples(std::string_view name) {
    for (demo_file const& file : demo_files()) {
        if (file.name == std::string(name) + ".jsonl") {
            return file.text;
        }
    }
    return {};
}

}  // namespace optgap::cli
