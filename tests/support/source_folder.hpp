#pragma once
#include <filesystem>

namespace optgap::testing {

/// The project's folder. It is a function, so that a compiler cache sees the same objects for two checkouts.
std::filesystem::path source_folder();

}  // namespace optgap::testing
