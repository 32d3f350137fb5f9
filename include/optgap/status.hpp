#pragma once  // Stable.

#include <stdexcept>
#include <string>

namespace optgap {

/// Why a call failed as a whole. A bad answer is never an error: it is a row with a verdict code.
enum class status : int {
    ok = 0,
    invalid_argument,     ///< misuse: the sentence names the argument and what was expected
    unknown_task,         ///< no task of this name or version in this build
    bad_instance,         ///< an explicit instance or key breaks a rule; the sentence names the field
    device_unavailable,   ///< the device asked for cannot start
    device_failed,        ///< a device fault that ends the process's context
    out_of_memory,        ///< a stated memory limit is too small for one row
    internal,             ///< a bug of this library
    sandbox_unavailable,  ///< no isolation level can hold programs here; the sentence says what each one lacks
};

/// The one exception type of the library.
class error : public std::runtime_error {
public:
    error(status code, std::string const& sentence) : std::runtime_error(sentence), code_(code) {}
    [[nodiscard]] status code() const noexcept { return code_; }

private:
    status code_;
};

/// Throws error{invalid_argument}.
[[noreturn]] inline void misuse(std::string const& sentence) { throw error(status::invalid_argument, sentence); }

/// A field of a user's input (an instance's JSON, a file, a key) that breaks a rule.
class field_error : public error {
public:
    field_error(std::string field, std::string rule)
        : error(status::bad_instance, field + ": " + rule), field_(std::move(field)), rule_(std::move(rule)) {}
    [[nodiscard]] std::string const& field() const noexcept { return field_; }
    [[nodiscard]] std::string const& rule() const noexcept { return rule_; }

private:
    std::string field_;
    std::string rule_;
};

}  // namespace optgap
