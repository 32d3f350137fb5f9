#include "host/serve/ledger.hpp"

#include <nlohmann/json.hpp>

#include "host/calls/calls.hpp"

namespace optgap::serve {

void ledger::served(verb what, std::int64_t rows, std::size_t bytes_in, std::size_t bytes_out,
                    std::chrono::nanoseconds took) {
    std::lock_guard const locked(lock_);
    account& of = what == ask_rows ? json_rows_ : verbs_[std::size_t(what)];
    of.rows += rows;
    of.bytes_in += std::int64_t(bytes_in);
    of.bytes_out += std::int64_t(bytes_out);
    of.seconds.add(took);
}

void ledger::turned_away(refusal kind, std::string const& sentence) {
    bool say = false;
    {
        std::lock_guard const locked(lock_);
        ++refused_[std::size_t(kind)];
        last_refusal_ = sentence;
        auto const now = std::chrono::steady_clock::now();
        say = log_ && (logged_ == std::chrono::steady_clock::time_point() || now - logged_ > std::chrono::seconds(1));
        logged_ = say ? now : logged_;
    }
    if (say) {
        log_(std::string(refusal_names[std::size_t(kind)]) + ": " + sentence);
    }
}

void ledger::opened(int process) {
    std::lock_guard const locked(lock_);
    processes_.insert(process);
    ++accepted_;
}

void ledger::closed(int process) {
    std::lock_guard const locked(lock_);
    if (auto const found = processes_.find(process); found != processes_.end()) {
        processes_.erase(found);
    }
}

int ledger::connections() const {
    std::lock_guard const locked(lock_);
    return int(processes_.size());
}

void ledger::write(nlohmann::ordered_json& out) const {
    std::lock_guard const locked(lock_);
    out["clients"] = std::set<int>(processes_.begin(), processes_.end()).size();
    out["connections"] = processes_.size();
    out["accepted"] = accepted_;
    nlohmann::ordered_json& verbs = out["verbs"] = nlohmann::ordered_json::object();
    auto const add = [&](char const* name, account const& of) {
        verbs[name] = {{"calls", of.seconds.count()},
                       {"rows", of.rows},
                       {"bytes_in", of.bytes_in},
                       {"bytes_out", of.bytes_out},
                       {"p50", of.seconds.quantile_seconds(0.5)},
                       {"p99", of.seconds.quantile_seconds(0.99)},
                       {"max", of.seconds.worst_seconds()}};
    };
    for_each_call(served_calls{},
                  [&]<class Call>() { add(verb_names[std::size_t(Call::which)], verbs_[std::size_t(Call::which)]); });
    add("rows", json_rows_);
    nlohmann::ordered_json& refused = out["refused"] = nlohmann::ordered_json::object();
    for (std::size_t k = 1; k < refusal_names.size(); ++k) {
        refused[refusal_names[k]] = refused_[k];
    }
    out["last_refusal"] = last_refusal_;
}

}  // namespace optgap::serve
