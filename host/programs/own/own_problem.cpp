#include "host/programs/own/own_problem.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/programs/own/problem_files.hpp"
#include "host/programs/own/settings_file.hpp"
#include "host/programs/problem.hpp"
#include "host/specs/nearest.hpp"
#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

constexpr std::int64_t max_score = 1'000'000'000'000'000;
constexpr std::string_view settings_name = "problem.toml";

[[noreturn]] void refuse_settings(std::string const& what) {
    throw field_error("problem", fmt::format("{}: {}", settings_name, what));
}

struct named_problem {
    std::string path, digest;
};

named_problem parts_of(std::string_view text) {
    std::size_t const at = text.rfind('@');
    if (at == std::string_view::npos || text.find('/', at) != std::string_view::npos) {
        return {std::string(text), {}};
    }
    std::string_view const digest = text.substr(at + 1);
    if (digest.size() < 8 || digest.size() > 32 ||
        digest.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
        throw field_error("problem", "expected a path, or path@DIGEST with 8 to 32 hex digits");
    }
    return {std::string(text.substr(0, at)), std::string(digest)};
}

class settings_of_problem {
public:
    settings_of_problem(nlohmann::ordered_json const& given, problem_files const& files)
        : given_(given), files_(files) {}

    std::string text(std::string const& key, std::string const& otherwise) const {
        if (!given_.contains(key)) {
            return otherwise;
        }
        if (!given_[key].is_string()) {
            refuse_settings(fmt::format("{} must be a string", key));
        }
        return given_[key].get<std::string>();
    }
    std::int64_t number(std::string const& key, std::int64_t otherwise, std::int64_t low, std::int64_t high) const {
        if (!given_.contains(key)) {
            return otherwise;
        }
        bool const fits = given_[key].is_number_integer() && given_[key].get<std::int64_t>() >= low &&
                          given_[key].get<std::int64_t>() <= high;
        if (!fits) {
            refuse_settings(fmt::format("{} must be an integer, {} to {}", key, low, high));
        }
        return given_[key].get<std::int64_t>();
    }
    std::string const& content(std::string const& key, std::string const& file) const {
        auto const found = files_.find(file);
        if (found == files_.end()) {
            refuse_settings(fmt::format("{} names {}, which the problem does not hold", key, file));
        }
        return found->second;
    }
    std::optional<problem_program> program(std::string const& key) const {
        std::string const file = text(key, "");
        if (file.empty()) {
            return std::nullopt;
        }
        bool const python = file.ends_with(".py");
        if (!python && !file.ends_with(".cpp")) {
            refuse_settings(fmt::format("{} = {}: expected a file that ends in .py or .cpp", key, file));
        }
        return problem_program{file, python ? program_language::python : program_language::cpp, content(key, file)};
    }
    template <class Value>
    Value choice(std::string const& key, std::initializer_list<std::pair<std::string_view, Value>> known) const {
        std::string const given = text(key, std::string(known.begin()->first));
        std::string names;
        for (auto const& [name, value] : known) {
            if (given == name) {
                return value;
            }
            names += (names.empty() ? "" : " or ") + std::string(name);
        }
        refuse_settings(fmt::format("{} = {}: expected {}", key, given, names));
    }

private:
    nlohmann::ordered_json const& given_;
    problem_files const& files_;
};

std::vector<problem_test> tests_in(problem_files const& files, std::string folder) {
    while (folder.ends_with('/')) {
        folder.pop_back();
    }
    std::vector<problem_test> out;
    for (auto const& [path, input] : files) {
        if (!path.starts_with(folder + "/") || !path.ends_with(".in")) {
            continue;
        }
        std::string const base = path.substr(0, path.size() - 3);
        auto const expected = files.find(base + ".out");
        if (expected == files.end()) {
            refuse_settings(fmt::format("tests: {} has no {}.out beside it", path, base));
        }
        out.push_back({base.substr(folder.size() + 1), input, expected->second});
    }
    if (out.empty() || std::int64_t(out.size()) > max_instances) {
        refuse_settings(
            fmt::format("tests: {} holds {} files NAME.in; expected 1 to {}", folder, out.size(), max_instances));
    }
    return out;
}

}  // namespace

std::string path_of_own_problem(std::string_view path_and_digest) { return parts_of(path_and_digest).path; }

std::string name_of_own_problem(std::string_view path_and_digest) {
    std::filesystem::path path(parts_of(path_and_digest).path);
    path = path.has_filename() ? path : path.parent_path();
    std::string const name = path.stem().string();
    return name.empty() || name == "." || name == ".." ? std::string("problem") : name;
}

own_problem read_own_problem(std::string_view path_and_digest) {
    named_problem const named = parts_of(path_and_digest);
    problem_files const files = read_problem_files(named.path);
    own_problem out;
    out.name = name_of_own_problem(path_and_digest);
    out.digest = digest_of(files);
    if (!out.digest.starts_with(named.digest)) {
        throw field_error("problem", fmt::format("{} has the digest {}, and the row names {}: it is another problem",
                                                 named.path, out.digest, named.digest));
    }
    auto const settings = files.find(std::string(settings_name));
    if (settings == files.end()) {
        throw field_error("problem", fmt::format("{} holds no {}", named.path, settings_name));
    }
    nlohmann::ordered_json const given = read_settings(settings->second, settings_name);
    std::vector<std::string> const known{"direction", "decimals", "instances", "statement", "generator", "judge",
                                         "reference", "floor",    "tests",     "compare",   "limits"};
    for (auto const& [key, value] : given.items()) {
        if (std::ranges::find(known, key) == known.end()) {
            refuse_settings(
                fmt::format("{} is no setting; expected {}{}", key, fmt::join(known, ", "), did_you_mean(key, known)));
        }
    }
    settings_of_problem const read(given, files);
    std::string const statement = read.text("statement", "statement.md");
    out.statement = read.content("statement", statement);
    out.decimals = std::int32_t(read.number("decimals", 0, 0, 9));
    out.generator = read.program("generator");
    out.judge = read.program("judge");
    out.reference = read.program("reference");
    out.floor = read.program("floor");
    if (std::string const folder = read.text("tests", ""); !folder.empty()) {
        if (out.generator || given.contains("instances")) {
            refuse_settings("tests are instances by themselves: no generator and no `instances` stand beside them");
        }
        out.tests = tests_in(files, folder);
        out.instances = std::int32_t(out.tests.size());
        if (out.judge && given.contains("compare")) {
            refuse_settings("a judge and `compare` are two ways to read one output: expected one of them");
        }
    } else {
        if (!out.generator || !out.judge || given.contains("compare")) {
            refuse_settings("expected a `generator` and a `judge`, or `tests` and perhaps a `judge` or `compare`");
        }
        out.instances = std::int32_t(read.number("instances", 10, 1, max_instances));
    }
    out.comparison = read.choice<output_comparison>(
        "compare", {{"tokens", output_comparison::tokens}, {"lines", output_comparison::lines}});
    if (out.judge && !given.contains("direction")) {
        refuse_settings("direction is missing: expected \"max\" or \"min\", which scores are better");
    }
    if (!out.judge && out.floor) {
        refuse_settings("without a judge a test scores 1 or nothing: expected no floor");
    }
    if (!out.judge && (given.contains("direction") || given.contains("decimals"))) {
        refuse_settings("without a judge a test scores 1 where the output is right: no direction and no decimals");
    }
    out.direction = read.choice<sense>("direction", {{"max", sense::maximise}, {"min", sense::minimise}});
    if (given.contains("limits")) {
        try {
            out.limits =
                parse_limits(given["limits"].is_string() ? given["limits"].get<std::string>() : given["limits"].dump());
        } catch (error const& refused) {
            refuse_settings(refused.what());
        }
    }
    return out;
}

std::size_t bytes_of(own_problem const& problem) {
    std::size_t bytes = problem.statement.size();
    for (std::optional<problem_program> const& one :
         {problem.generator, problem.judge, problem.reference, problem.floor}) {
        bytes += one ? one->source.size() : 0;
    }
    for (problem_test const& test : problem.tests) {
        bytes += test.name.size() + test.input.size() + test.expected.size();
    }
    return bytes;
}

std::optional<std::int64_t> read_score(std::string_view text, std::int32_t decimals) {
    bool const negative = text.starts_with('-');
    text.remove_prefix(negative ? 1 : 0);
    std::size_t const point = text.find('.');
    std::string_view const whole = text.substr(0, point);
    std::string_view const part = point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
    std::string digits(whole);
    digits += part;
    bool const formed = !whole.empty() && (point == std::string_view::npos || !part.empty()) &&
                        std::int32_t(part.size()) <= decimals && digits.size() <= 18 &&
                        digits.find_first_not_of("0123456789") == std::string::npos;
    if (!formed) {
        return std::nullopt;
    }
    std::int64_t value = 0;
    for (char const digit : digits) {
        value = value * 10 + (digit - '0');
    }
    for (std::int32_t k = std::int32_t(part.size()); k < decimals && value <= max_score; ++k) {
        value *= 10;
    }
    return value > max_score ? std::nullopt : std::optional(negative ? -value : value);
}

std::string score_text(std::int64_t objective, std::int32_t decimals) {
    if (decimals == 0) {
        return std::to_string(objective);
    }
    std::string digits = fmt::format("{:0{}}", objective < 0 ? -objective : objective, decimals + 1);
    digits.insert(digits.size() - std::size_t(decimals), ".");
    return (objective < 0 ? "-" : "") + digits;
}

}  // namespace optgap::programs
