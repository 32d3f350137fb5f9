#include "host/rows/read/row_place.hpp"

#include <charconv>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "host/programs/problem.hpp"
#include "host/rows/read/fields.hpp"
#include "optgap/key.hpp"
#include "optgap/status.hpp"

namespace optgap::rows {
namespace {

constexpr std::string_view of_names = "._-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view not_of_versions = "# \t\n\v\f\r";

bool only(std::string_view text, std::string_view allowed) {
    return text.find_first_not_of(allowed) == std::string_view::npos;
}

/// Removes the part of `text` before `mark`, and the mark, and returns the part. Takes all of it where there is no
/// mark.
std::string_view take(std::string_view& text, char mark) {
    std::size_t const at = text.find(mark);
    std::string_view const part = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return part;
}

std::optional<std::uint64_t> number(std::string_view text, std::size_t max_digits) {
    std::uint64_t value = 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool const whole = !text.empty() && text.size() <= max_digits && end == text.data() + text.size();
    return whole && problem == std::errc() ? std::optional(value) : std::nullopt;
}

bool is_task(std::string_view name) {
    if (name.ends_with('/')) {
        return false;
    }
    while (!name.empty()) {
        std::string_view const part = take(name, '/');
        if (part.empty() || part.find_first_of("._-") == 0 || !only(part, of_names)) {
            return false;
        }
    }
    return true;
}

}  // namespace

row_place place_of(json_row const& row) {
    row_place out{string_of(row, "task").value_or(""), string_of(row, "level").value_or("")};
    auto const text = string_of(row, "key");
    if (text && (out.task.empty() || out.level.empty())) {
        if (is_external_key(*text)) {
            row_place named = external_place(*text);
            out.task = std::move(named.task);
            out.level = out.level.empty() ? std::move(named.level) : out.level;
            return out;
        }
        instance_key const key =
            programs::is_problem_key(*text) ? programs::parse_problem_key(*text).first : parse_key(*text);
        out.task = key.task;
        out.level = out.level.empty() ? (key.is_explicit ? "explicit" : level_name(key.level)) : out.level;
    }
    out.level = out.level.empty() ? "explicit" : out.level;
    if (out.task.empty()) {
        throw field_error("task", "missing: a row needs `key` or `task`");
    }
    return out;
}

bool is_external_key(std::string_view text) {
    return text.substr(0, text.find('@')).find('/') != std::string_view::npos;
}

row_place external_place(std::string_view text) {
    std::string_view rest = text;
    std::string_view const task = take(rest, '@');
    std::string_view const version = take(rest, ':');
    std::string_view const split = take(rest, ':');
    std::string_view const level = take(rest, ':');
    bool const hashed = rest.find('#') != std::string_view::npos;
    std::string_view const seed = take(rest, '#');
    bool const hash_fits = hashed ? rest.size() == 8 && only(rest, "0123456789abcdef") : rest.empty();
    bool const version_fits =
        !version.empty() && version.size() <= 64 && version.find_first_of(not_of_versions) == std::string_view::npos;
    auto const depth = level.starts_with('d') ? number(level.substr(1), 9) : std::nullopt;
    if (!is_external_key(text) || !is_task(task) || !version_fits ||
        (split != "train" && split != "val" && split != "test") || !depth || !number(seed, 20) || !hash_fits) {
        throw field_error("key",
                          fmt::format("'{}' is no external key; expected one like rg/NAME@1:train:d4:17#1f0c33ab",
                                      text.substr(0, 120)));
    }
    return {std::string(task), fmt::format("d{}", *depth)};
}

}  // namespace optgap::rows
