#pragma once  // Experimental.
// Suites: named lists of tasks with levels, counts and seeds. Results are reported on some, a run trains on others, and
// on some it must not train. docs/suites.md has the rules and the file.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/difficulty.hpp"
#include "optgap/key.hpp"

namespace optgap {

enum class suite_role : std::int32_t {
    test = 0,  ///< its tasks are kept from training
    train,     ///< its tasks are what a run trains on
    problems,  ///< its problems are kept from training, by their split; its tasks are not
};
char const* name_of(suite_role role);
/// The status of its tasks in a run that follows it: "held out", "seen", "problems held out".
char const* training_of(suite_role role);

/// Where a suite's task can be posed.
enum class suite_place : std::int32_t {
    native = 0,  ///< a task of this build
    external,    ///< another project's environment (docs/external.md)
    missing,     ///< neither
};
char const* name_of(suite_place place);

/// A level of a task, and its number of instances.
struct level_share {
    difficulty level;
    std::int64_t count = 0;
    friend constexpr bool operator==(level_share, level_share) = default;
};

/// `count` spread evenly over levels; the first ones have one more where it does not come out even.
std::vector<level_share> spread_evenly(std::span<difficulty const> levels, std::int64_t count);

/// "benchmark", "d3", a range "d0..d4", or several of these with commas, each level once. Throws field_error{"level",
/// …}.
std::vector<difficulty> parse_levels(std::string_view text);
/// The shortest text that parse_levels reads back to these levels.
std::string levels_name(std::span<difficulty const> levels);

struct suite_entry {
    std::string task;  ///< "tsp", or with a slash a task from outside: "rlve/Sorting", "rg/spell_backward"
    std::string kind;  ///< "optimise", "satisfy", "exact", or empty where neither file nor build gives it
    std::vector<difficulty> levels;
    std::int64_t count = 0;  ///< different instances, over all levels
    std::uint64_t seed = 1;  ///< the first, of every level
    split part = split::test;

    // How this build resolves the entry.
    suite_place place = suite_place::missing;
    std::string native;              ///< the task of this build that poses it
    std::int32_t version = 0;        ///< that task's
    std::string family;              ///< that task's
    std::vector<std::string> known;  ///< all names under which a run might train on it, `task` first
    std::string reason;              ///< why it is not native, or what must be there to run it
};

struct suite {
    std::string name;
    std::string title;
    std::string source;  ///< of the list
    suite_role role = suite_role::test;
    std::vector<suite_entry> entries;
    std::string list_hash;  ///< XXH3-128 over what the file lists: the same in every build
    std::string hash;       ///< over the same with the tasks and versions that pose it here: quoted with a result
};

/// The suites that this build carries, "default" first: every direct task of the build at its benchmark
/// level.
std::vector<std::string> suite_names();

/// A suite by its name, by NAME#DIGITS (the first digits of its hash: an error in a build that poses other problems),
/// or from a file whose name ends in ".json". Throws error{invalid_argument} that names the place and what was
/// expected.
suite find_suite(std::string_view word);

/// The content of a suite's file, with how the build resolves it.
std::string to_json(suite const& of);

/// Throws error{invalid_argument} where one of the tasks that a run trains on is in one of the suites; the sentence
/// begins with `where` and names the task, the suite and the remedy.
void refuse_held_out(std::span<std::string const> suites, std::span<std::string const> tasks, std::string_view where);

}  // namespace optgap
