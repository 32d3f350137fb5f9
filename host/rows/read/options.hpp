#pragma once
// The options of scoring: those of all kinds, and each kind's own as it declares them.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace optgap::rows {

enum class option_type { text, integer, flag };

/// One option of a kind of rows. Its declaration defines both the command line's flag, such as `--rubric-preset`, and
/// Python's keyword `rubric_preset`.
struct option {
    std::string_view name;  ///< as on the command line, without the leading dashes
    option_type type = option_type::text;
    std::string_view help = {};
    std::string_view fallback = {};                       ///< the default of a text
    std::int64_t number = 0;                              ///< the default of an integer
    std::int64_t low = 0, high = 0;                       ///< its range
    bool shows_default = false;                           ///< in the help
    bool score_only = false;                              ///< only `optgap score` has it
    std::span<char const* const> (*choices)() = nullptr;  ///< the accepted values, listed in the help
    std::string_view recorded = {};  ///< its name in the run's record, which holds it where it is not the default
    bool names_file = false;         ///< the record keeps the hash of the file's content
};

/// The values given for the kinds' options, by name. An option that was not given has its default.
class option_values {
public:
    std::string& text(option const& of) { return texts_.try_emplace(std::string(of.name), of.fallback).first->second; }
    std::int64_t& integer(option const& of) {
        return integers_.try_emplace(std::string(of.name), of.number).first->second;
    }
    bool& flag(option const& of) { return flags_.try_emplace(std::string(of.name), false).first->second; }

    [[nodiscard]] std::string text(option const& of) const {
        auto const found = texts_.find(of.name);
        return found == texts_.end() ? std::string(of.fallback) : found->second;
    }
    [[nodiscard]] std::int64_t integer(option const& of) const {
        auto const found = integers_.find(of.name);
        return found == integers_.end() ? of.number : found->second;
    }
    [[nodiscard]] bool flag(option const& of) const {
        auto const found = flags_.find(of.name);
        return found != flags_.end() && found->second;
    }
    /// The value as text, whatever its type; empty when it is the default.
    [[nodiscard]] std::string changed(option const& of) const {
        switch (of.type) {
            case option_type::text: return text(of) == of.fallback ? std::string() : text(of);
            case option_type::integer: return integer(of) == of.number ? std::string() : std::to_string(integer(of));
            case option_type::flag: return flag(of) ? "true" : "";
        }
        return {};
    }

private:
    std::map<std::string, std::string, std::less<>> texts_;
    std::map<std::string, std::int64_t, std::less<>> integers_;
    std::map<std::string, bool, std::less<>> flags_;
};

struct score_options {
    std::string format;  ///< for rows that name none; empty: not given
    bool force_format = false;
    std::string reward = "forge";
    std::string advantage = "grpo";
    std::int64_t budget = -1;  ///< steps to solve an instance whose row has no baseline; -1: the task's default
    std::string improved;      ///< improved-baselines file; empty: none
    std::string baselines;     ///< snapshot of a store; empty: none
    std::vector<std::string> packages = {};  ///< of users' kinds (host/rows/packages), by name
    option_values kinds;
};

/// The names in a list such as "one,two", each of which occurs once. Throws field_error{"kinds"}.
std::vector<std::string> package_names(std::string_view list);

}  // namespace optgap::rows
