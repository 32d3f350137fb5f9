#pragma once
// Python literals, as labels of RLVRR and IF-RLVR hold them: strings, numbers, lists, tuples, dicts, True, False, None.
// Read, never evaluated.

#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace optgap::cli {

/// The value as JSON; a tuple is a list. Throws field_error{field} with the byte and what was expected there.
nlohmann::ordered_json read_literal(std::string_view text, std::string_view field);

}  // namespace optgap::cli
