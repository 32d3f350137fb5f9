#pragma once
// Outputs and candidates that no honest program gives, for `optgap problem check`.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace optgap::cli {

struct bad_output {
    std::string name, text;
};

/// Outputs that a judge must survive. `right` is one to the instance, `other` a right one to another instance or empty;
/// the longest has `output_kb` KiB.
std::vector<bad_output> bad_outputs(std::string const& right, std::string const& other, std::int64_t output_kb);

/// A program in Python that must not get through.
struct hostile_candidate {
    std::string name, source;
    std::string must_print;  ///< what it prints where it is held; empty: it must not end well
};

std::vector<hostile_candidate> hostile_candidates(std::string_view folder);

}  // namespace optgap::cli
