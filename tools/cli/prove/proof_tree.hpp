#pragma once
// Trees of cases as certificates hold them (docs/certificates.md): each finds the cases and what closes them. Why there
// is none is stated in a sentence.

#include <cstdint>
#include <string>

#include "kernels/text/certificate.hpp"

namespace optgap::cli {

/// The text of a proof's JSON object, or why there is none: then `json` is empty.
struct proof_text {
    std::string json;
    std::string reason;
};

proof_text prove_linear(linear_model const& model, std::size_t max_bytes);
proof_text prove_one_tree(number_rows const& distances, std::int64_t objective, std::size_t max_bytes);

/// The sentence about a proof that grew too long.
std::string too_long(std::size_t max_bytes);

}  // namespace optgap::cli
