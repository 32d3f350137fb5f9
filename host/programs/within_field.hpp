#pragma once

#include "optgap/status.hpp"

namespace optgap::programs {

/// Calls `read`, which throws error{invalid_argument}, and names the field of the row or record in what it throws.
template <class Read>
auto within_field(char const* field, Read const& read) {
    try {
        return read();
    } catch (field_error const&) {
        throw;
    } catch (error const& refused) {
        throw field_error(field, refused.what());
    }
}

}  // namespace optgap::programs
