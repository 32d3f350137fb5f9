#pragma once
// The tasks of this build. registry.cpp is written by CMake from the folder names under kernels/tasks.

#include <span>

#include "kernels/core/task.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap {

struct device_table;      // kernels/launch/launch.cuh
struct certificate_form;  // kernels/text/certificate.hpp
struct canonical_rules;   // kernels/canonical/form.hpp

struct task_entry {
    char const* name;                   ///< name of its folder
    task_kernels const* const* builds;  ///< one per instruction set, most portable first, ended by nullptr
    task_text const* text;
    device_table const* cuda;                       ///< nullptr in a build without CUDA
    char const* golden_hash = nullptr;              ///< content of golden_hash.json in its folder; nullptr: none
    certificate_form const* certificate = nullptr;  ///< how its optima are certified; nullptr if they cannot be
    /// Additional rules of its canonical form, beside layout and symmetry; nullptr if there are none.
    canonical_rules const* canonical = nullptr;
};

std::span<task_entry const> registry();

/// The instruction sets the builds are compiled for, in their order: "isa_base", "isa_v3", …
std::span<char const* const> instruction_sets();
/// Index of the best instruction set that this processor runs.
int best_instruction_set();

}  // namespace optgap
