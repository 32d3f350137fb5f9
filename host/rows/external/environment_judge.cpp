#include "host/rows/external/environment_judge.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/rows/json/jsonl.hpp"
#include "optgap/fork.hpp"
#include "optgap/status.hpp"

namespace optgap::rows {
namespace {

constexpr double judge_start_seconds = 120;
constexpr double judge_row_seconds = 10;  ///< the process has deadlines of its own, which are shorter

[[noreturn]] void no_judge(std::string const& why) {
    throw error(status::device_unavailable, fmt::format("environments: {}", why));
}

/// The answer as an object, of which `problem` is an error.
nlohmann::ordered_json object_of(package_worker::answer const& found) {
    if (!found.given) {
        no_judge(found.text);
    }
    nlohmann::ordered_json out = read_json(found.text);
    if (!out.is_object()) {
        no_judge("their process wrote what is no answer");
    }
    if (auto const problem = out.find("problem"); problem != out.end() && problem->is_string()) {
        throw field_error("environments", problem->get<std::string>());
    }
    return out;
}

}  // namespace

environment_judge::environment_judge(std::string environments, bool trusted)
    : started_with_(json_text(nlohmann::ordered_json{{"environments", std::move(environments)}, {"trusted", trusted}})),
      process_(fork_generation()) {}

std::vector<std::string> environment_judge::ask(std::span<question const> questions, std::stop_token const& stop) {
    std::string request;
    for (question const& one : questions) {
        request += request.empty() ? R"({"rows":[{"key":)" : R"(,{"key":)";
        append_json_string(request, one.key);
        request += fmt::format(R"(,"problem":{},"answer":)", one.problem);
        if (one.has_answer) {
            append_json_string(request, one.answer);
        } else {
            request += "null";
        }
        request += '}';
    }
    request += "]}";

    std::lock_guard const locked(lock_);
    if (std::exchange(process_, fork_generation()) != fork_generation()) {
        static_cast<void>(worker_.release());  // the parent's, which still talks to it
    }
    if (worker_ == nullptr || !worker_->alive()) {
        worker_ = std::make_unique<package_worker>(python_with_package(), started_with_, "rows.external.judging");
        static_cast<void>(object_of(worker_->ask({}, judge_start_seconds, stop)));
    }
    double const seconds = judge_start_seconds + judge_row_seconds * double(questions.size());
    nlohmann::ordered_json const found = object_of(worker_->ask(request, seconds, stop));
    auto const list = found.find("verdicts");
    if (list == found.end() || !list->is_array() || list->size() != questions.size()) {
        no_judge("their process did not answer for each row");
    }
    std::vector<std::string> out;
    for (nlohmann::ordered_json const& one : *list) {
        out.push_back(json_text(one));
    }
    return out;
}

environment_judge& judge_of(std::string const& environments, bool trusted) {
    static std::mutex* const lock = new std::mutex;
    static auto* const all = new std::map<std::pair<std::string, bool>, std::unique_ptr<environment_judge>>;
    std::lock_guard const locked(*lock);
    auto& found = (*all)[{environments, trusted}];
    if (found == nullptr) {
        found = std::make_unique<environment_judge>(environments, trusted);
    }
    return *found;
}

}  // namespace optgap::rows
