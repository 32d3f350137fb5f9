#include "tests/support/source_folder.hpp"

namespace optgap::testing {

std::filesystem::path source_folder() { return OPTGAP_SOURCE_DIR; }

}  // namespace optgap::testing
