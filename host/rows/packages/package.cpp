#include "host/rows/packages/package.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "host/rows/json/json_text.hpp"
#include "optgap/fork.hpp"
#include "optgap/status.hpp"

namespace optgap::rows {
namespace {

constexpr double start_seconds = 120;  ///< of a worker that imports the package, perhaps with a large library
constexpr std::size_t max_idle = 8;
constexpr std::int32_t first_package_code = 1'000'000;
constexpr std::int32_t codes_per_package = 1'000;

/// All packages of this process. Never freed: names of kinds and codes are views of them.
struct package_table {
    std::mutex lock;
    std::map<std::string, std::shared_ptr<kind_package>> known;
};
package_table& packages() {
    static package_table* const all = new package_table;
    return *all;
}

std::string text_of(nlohmann::ordered_json const& from, char const* name) {
    auto const found = from.find(name);
    return found != from.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Throws package_failure for what is no answer.
nlohmann::ordered_json answer_of(std::string const& text) {
    nlohmann::ordered_json out = read_json(text);
    if (!out.is_object()) {
        throw package_failure{"the worker's answer is no JSON"};
    }
    if (auto const why = text_of(out, "problem"); !why.empty()) {
        throw package_failure{why};
    }
    return out;
}

}  // namespace

kind_package::kind_package(std::string name, python_place at, std::int32_t first_code)
    : name_(std::move(name)), at_(std::move(at)), process_(fork_generation()) {
    nlohmann::ordered_json greeting;
    std::unique_ptr<package_worker> worker = start(greeting);
    if (auto const why = text_of(greeting, "problem"); !why.empty()) {
        throw field_error("kinds", why);
    }
    declared_ = read_declaration(text_of(greeting, "file"), text_of(greeting, "text"), first_code);
    declared_->info.version = declared_->texts.emplace_back(text_of(greeting, "digest"));
    try {
        for (auto const& one : load(*worker)) {
            verbs_.insert(one.get<std::string>());
        }
    } catch (package_failure const& problem) {
        throw field_error("kinds", fmt::format("{}: class: {}", text_of(greeting, "file"), problem.why));
    }
    idle_.push_back(std::move(worker));
}

std::unique_ptr<package_worker> kind_package::start(nlohmann::ordered_json& greeting) const {
    auto worker = std::make_unique<package_worker>(at_, name_);
    package_worker::answer const hello = worker->ask({}, start_seconds, {});
    greeting = hello.given ? read_json(hello.text) : nlohmann::ordered_json();
    if (!greeting.is_object()) {
        throw error(status::device_unavailable,
                    fmt::format("kinds: no worker for {}: {} (Python: {})", name_,
                                hello.given ? "its greeting is none" : hello.text, at_.executable));
    }
    return worker;
}

nlohmann::ordered_json kind_package::load(package_worker& worker) {
    package_worker::answer const found = worker.ask(R"({"verb": "load"})", start_seconds, {});
    nlohmann::ordered_json const out = found.given ? read_json(found.text) : nlohmann::ordered_json();
    if (!out.is_object() || !out.contains("verbs") || !out["verbs"].is_array()) {
        throw package_failure{!found.given ? found.text : out.is_object() ? text_of(out, "problem") : "no JSON"};
    }
    return out["verbs"];
}

std::string kind_package::exchange(std::string const& request, std::stop_token const& stop) {
    if (stop.stop_requested()) {
        throw package_failure{"stopped"};
    }
    std::unique_ptr<package_worker> worker;
    {
        std::lock_guard const locked(lock_);
        if (std::exchange(process_, fork_generation()) != fork_generation()) {
            for (auto& one : idle_) {
                static_cast<void>(one.release());  // the parent's, which still talks to them
            }
            idle_.clear();
        }
        while (!idle_.empty() && worker == nullptr) {
            worker = std::move(idle_.back());
            idle_.pop_back();
            worker = worker->alive() ? std::move(worker) : nullptr;
        }
    }
    if (worker == nullptr) {
        nlohmann::ordered_json greeting;
        try {
            worker = start(greeting);
            static_cast<void>(load(*worker));
        } catch (error const& problem) {
            throw package_failure{problem.what()};
        }
    }
    package_worker::answer found = worker->ask(request, declared_->seconds, stop);
    if (!found.given) {
        throw package_failure{stop.stop_requested() ? "stopped" : found.text, !found.late};
    }
    {
        std::lock_guard const locked(lock_);
        if (idle_.size() < max_idle) {
            idle_.push_back(std::move(worker));
        }
    }
    return std::move(found.text);
}

nlohmann::ordered_json kind_package::ask(std::string const& request, std::stop_token const& stop) {
    return answer_of(exchange(request, stop));
}

std::vector<double> kind_package::ask_numbers(nlohmann::ordered_json request, std::span<package_column const> columns,
                                              std::size_t count) {
    std::string bytes;
    for (package_column const& one : columns) {
        request["columns"].push_back({one.name, one.bytes.size() / sizeof(double)});
        bytes.append(reinterpret_cast<char const*>(one.bytes.data()), one.bytes.size());
    }
    std::string const message = json_text(request) + '\0' + bytes;
    std::string answer;
    try {
        answer = exchange(message, {});
    } catch (package_failure const& problem) {
        if (!problem.died) {
            throw;
        }
        answer = exchange(message, {});
    }
    std::size_t const end = std::min(answer.find('\0'), answer.size());
    static_cast<void>(answer_of(answer.substr(0, end)));
    std::vector<double> out(count);
    if (answer.size() != end + 1 + count * sizeof(double)) {
        throw package_failure{fmt::format("the worker's answer does not fit: expected {} numbers", count)};
    }
    std::memcpy(out.data(), answer.data() + end + 1, count * sizeof(double));
    return out;
}

std::shared_ptr<kind_package> package_named(std::string const& name) {
    package_table& all = packages();
    {
        std::lock_guard const locked(all.lock);
        if (auto const found = all.known.find(name); found != all.known.end()) {
            return found->second;
        }
    }
    python_place at = python_with_package();  // may wait for the interpreter's lock, whose holder may wait for ours
    std::lock_guard const locked(all.lock);
    if (auto const found = all.known.find(name); found != all.known.end()) {
        return found->second;
    }
    std::int32_t const first = first_package_code + codes_per_package * std::int32_t(all.known.size());
    auto made = std::make_shared<kind_package>(name, std::move(at), first);
    for (auto const& [other, loaded] : all.known) {
        std::string_view const kind = made->declared().info.name;
        if (!kind.empty() && loaded->declared().info.name == kind) {
            throw field_error("kinds", fmt::format("{} and {} both hold a kind {}", other, name, kind));
        }
    }
    add_rules(made);
    return all.known.emplace(name, std::move(made)).first->second;
}

std::vector<kind_entry> with_packages(std::span<kind_entry const> kinds, std::span<std::string const> packages) {
    std::vector<kind_entry> out;
    for (std::string const& name : packages) {
        std::shared_ptr<kind_package> const one = package_named(name);
        if (one->declared().info.name.empty()) {
            continue;
        }
        out.push_back({&one->declared().info, [one](run_services& run) { return make_package_kind(one, run); }});
    }
    out.insert(out.end(), kinds.begin(), kinds.end());
    std::ranges::stable_sort(out, std::greater<>(), [](kind_entry const& one) { return one.info->rank; });
    return out;
}

std::vector<std::pair<std::string, std::string>> rule_packages(std::span<std::string const> packages) {
    std::vector<std::pair<std::string, std::string>> out;
    for (std::string const& name : packages) {
        kind_info const& info = package_named(name)->declared().info;
        if (info.name.empty()) {
            out.emplace_back(name, info.version);
        }
    }
    return out;
}

std::vector<option> package_options(std::span<std::string const> packages) {
    std::vector<option> out;
    for (std::string const& name : packages) {
        auto const& own = package_named(name)->declared().options;
        out.insert(out.end(), own.begin(), own.end());
    }
    return out;
}

std::string_view package_code_name(std::int32_t code) {
    if (code < first_package_code) {
        return {};
    }
    package_table& all = packages();
    std::lock_guard const locked(all.lock);
    for (auto const& [name, loaded] : all.known) {
        package_declaration const& own = loaded->declared();
        if (code >= own.info.codes.begin && code < own.info.codes.end) {
            return own.codes[std::size_t(code - own.info.codes.begin)];
        }
    }
    return {};
}

}  // namespace optgap::rows
