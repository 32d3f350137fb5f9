#pragma once
// What a child of each profile executes, and where it may read: the same out here and inside of namespaces.

#include <string>
#include <vector>

#include "tools/broker/child.hpp"
#include "tools/broker/settings.hpp"

namespace optgap::broker {

/// A command line whose words outlive the plan that points at them.
struct command_words {
    std::vector<std::string> texts;
    std::vector<char*> pointers;
    char* const* get();
};

/// `folder`: of a compilation, else empty.
[[nodiscard]] command_words words_of(programs::wire::profile profile, settings const& all, std::string const& folder);
/// The site's wrapper with a program's file in a folder: the word {program} alone stands for its command line,
/// {folder}, {cpu_ms} and {memory_mb} may stand in any word.
[[nodiscard]] command_words wrapper_words(programs::wire::request const& asked, settings const& all,
                                          std::string const& folder);
/// Path of what is executed; null for the program's own descriptor.
[[nodiscard]] char const* path_of(programs::wire::profile profile, settings const& all);
/// The ruleset of Landlock, or -1 with errno.
[[nodiscard]] int ruleset_of(programs::wire::profile profile, settings const& all, std::string const& folder);
/// Folders and files that a profile needs to see.
[[nodiscard]] std::vector<std::string> visible_to(programs::wire::profile profile, settings const& all);

/// This executable's place in namespaces.
inline constexpr char const* own_path_inside = "/optgap-broker";
/// bubblewrap's words for namespaces around an empty root that holds this executable, `visible` and nothing else, both
/// read-only; what runs inside follows.
[[nodiscard]] command_words namespace_words(std::string const& bubblewrap, std::string const& self,
                                            std::vector<std::string> const& visible,
                                            std::vector<std::string> const& more);

/// The user that runs of a slot have for themselves, of a range that no distribution gives to people or services.
[[nodiscard]] std::int32_t user_of(std::int32_t slot);

}  // namespace optgap::broker
