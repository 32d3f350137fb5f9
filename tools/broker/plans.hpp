#pragma once
// The command of each profile's child, and the files that it may read. Both are the same outside and inside of
// namespaces.

#include <string>
#include <vector>

#include "tools/broker/child.hpp"
#include "tools/broker/settings.hpp"

namespace optgap::broker {

/// A command line that owns its words, so that they outlive the plan that points to them.
struct command_words {
    std::vector<std::string> texts;
    std::vector<char*> pointers;
    char* const* get();
};

/// `folder` is a compilation's folder, else empty.
[[nodiscard]] command_words words_of(programs::wire::profile profile, settings const& all, std::string const& folder);
/// The site's wrapper with a program's file in a folder. The word {program} stands for the program's command line;
/// {folder}, {cpu_ms} and {memory_mb} may occur in any word.
[[nodiscard]] command_words wrapper_words(programs::wire::request const& asked, settings const& all,
                                          std::string const& folder);
/// The path of the executable; null for the program's own descriptor.
[[nodiscard]] char const* path_of(programs::wire::profile profile, settings const& all);
/// Landlock's ruleset; -1 with errno.
[[nodiscard]] int ruleset_of(programs::wire::profile profile, settings const& all, std::string const& folder);
/// Folders and files that a profile needs to see.
[[nodiscard]] std::vector<std::string> visible_to(programs::wire::profile profile, settings const& all);

/// This executable's path in namespaces.
inline constexpr char const* own_path_inside = "/optgap-broker";
/// bubblewrap's words for namespaces around an empty root that has only this executable and `visible`, both read-only.
/// The command to run inside follows.
[[nodiscard]] command_words namespace_words(std::string const& bubblewrap, std::string const& self,
                                            std::vector<std::string> const& visible,
                                            std::vector<std::string> const& more);

/// The user id of a slot's runs, from a range that no distribution assigns to people or services.
[[nodiscard]] std::int32_t user_of(std::int32_t slot);

}  // namespace optgap::broker
