#pragma once

#include <cstdio>
#include <string_view>

namespace optgap::cli {

/// Text for stderr. A closed terminal or a full disk ends no command, where fmt::print would throw.
inline void say(std::string_view text) { static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr)); }

}  // namespace optgap::cli
