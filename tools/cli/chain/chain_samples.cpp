#include "tools/cli/chain/chain_samples.hpp"

#include "tools/cli/look/demo_files.hpp"

namespace optgap::cli {

std::string_view chain_samples() {
    for (demo_file const& file : demo_files()) {
        if (file.name == "chains.jsonl") {
            return file.text;
        }
    }
    return {};
}

}  // namespace optgap::cli
