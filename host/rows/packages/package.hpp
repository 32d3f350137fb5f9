#pragma once
// A user's package of Python that holds a kind of rows, estimators of advantages or reward shapes: its kind.json, read
// by a worker that found it, and its idle workers. Nothing is loaded that was not named, and the package's own code
// runs in workers only.

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "host/rows/packages/worker.hpp"
#include "host/rows/row_kind.hpp"
#include "kernels/reward/estimator.hpp"

namespace optgap::rows {

/// An estimator of advantages or a reward shape of a package.
struct declared_rule {
    std::string_view name, formula, source;
    std::vector<parameter> parameters = {};
    double start[max_own_parameters] = {};  ///< their defaults
    // Of an estimator.
    estimator_reads reads = {};
    estimator_scope scope = estimator_scope::group;
    // Of a shape.
    std::string_view words;  ///< for `explain`
    reward_limits limits = {0.0, 1.0};
    reward_spec constants = {};
};

/// What a kind.json says. Its texts live as long as it does.
struct package_declaration {
    kind_info info;                          ///< no name: the package holds no kind
    std::vector<std::string_view> claims;    ///< any of these columns marks a row
    std::set<std::string_view> optional;     ///< of `reads`
    std::vector<std::string_view> meanings;  ///< of the codes
    std::size_t max_rows = 256;              ///< of one request
    double seconds = 60;                     ///< of one request

    std::vector<column> reads = {}, adds = {};
    std::vector<option> options = {};
    std::vector<std::string_view> codes = {};
    std::vector<declared_rule> estimators = {}, shapes = {};
    std::deque<std::string> texts = {};
};

/// Reads a kind.json. `path` is for errors: field_error names it with the field. `first_code`: of its codes, which are
/// one more than it lists: `unsettled`, the last.
std::shared_ptr<package_declaration> read_declaration(std::string const& path, std::string_view json,
                                                      std::int32_t first_code);

/// Of a package whose worker gave no answer, or one that does not fit.
struct package_failure {
    std::string why;
    bool died = false;  ///< the worker is gone, by itself and in time
};

/// Numbers of a request, 8 bytes each.
struct package_column {
    char const* name;
    std::span<std::byte const> bytes;
};

class kind_package {
public:
    /// Starts a worker. Throws field_error and error.
    kind_package(std::string name, python_place at, std::int32_t first_code);

    [[nodiscard]] package_declaration const& declared() const { return *declared_; }
    [[nodiscard]] bool has(std::string_view verb) const { return verbs_.contains(verb); }
    /// Asks an idle worker or a new one; `request` is JSON. Throws package_failure.
    [[nodiscard]] nlohmann::ordered_json ask(std::string const& request, std::stop_token const& stop);
    /// Asks for `count` numbers about columns; once more where the worker died. Throws package_failure.
    [[nodiscard]] std::vector<double> ask_numbers(nlohmann::ordered_json request,
                                                  std::span<package_column const> columns, std::size_t count);
    [[nodiscard]] std::string const& name() const { return name_; }

private:
    /// An idle worker or a new one takes the request. Throws package_failure.
    [[nodiscard]] std::string exchange(std::string const& request, std::stop_token const& stop);
    [[nodiscard]] std::unique_ptr<package_worker> start(nlohmann::ordered_json& greeting) const;
    /// Has it import the package; what its class implements. Throws package_failure.
    [[nodiscard]] static nlohmann::ordered_json load(package_worker& worker);

    std::string const name_;
    python_place const at_;
    std::shared_ptr<package_declaration> declared_;
    std::set<std::string, std::less<>> verbs_;
    std::mutex lock_;
    std::vector<std::unique_ptr<package_worker>> idle_;
    std::uint32_t process_ = 0;  ///< fork_generation() of the idle ones' parent
};

/// The package of this name, loaded on the first call. Throws field_error{"kinds"} for one that is not found or whose
/// kind.json is broken, and error{device_unavailable} where there is no Python.
std::shared_ptr<kind_package> package_named(std::string const& name);
/// Name and digest of each of these packages that holds no kind, whose info has the digest.
std::vector<std::pair<std::string, std::string>> rule_packages(std::span<std::string const> packages);
/// The kinds of these packages before `kinds`, all by rank.
std::vector<kind_entry> with_packages(std::span<kind_entry const> kinds, std::span<std::string const> packages);
/// The options of the kinds of these packages.
std::vector<option> package_options(std::span<std::string const> packages);
/// The name of a code of a package's kind; empty where it is none.
std::string_view package_code_name(std::int32_t code);

/// Gives the package's estimators and shapes their numbers in this process (package_rules.cpp). Throws
/// field_error{"kinds"}, and adds none, where a name is taken.
void add_rules(std::shared_ptr<kind_package> const& of);

/// The kind itself (package_kind.cpp).
std::unique_ptr<row_kind> make_package_kind(std::shared_ptr<kind_package> const& of, run_services& run);

}  // namespace optgap::rows
