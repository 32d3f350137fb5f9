#include "tools/cli/chain/chain_samples.hpp"

#include <string>

#include "tools/cli/look/demo_files.hpp"

namespace optgap::cli {

std::string_view chain_samples(std::string_view name) {
    for (demo_file const& file : demo_files()) {
        if (file.name == std::string(name) + ".jsonl") {
            return file.text;
        }
    }
    return {};
}

}  // namespace optgap::cli
