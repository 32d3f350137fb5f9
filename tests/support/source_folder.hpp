#pragma once
#include <filesystem>

namespace optgap::testing {

/// The project's folder. By a function, so that objects of two checkouts are the same to a compiler cache.
std::filesystem::path source_folder();

}  // namespace optgap::testing
