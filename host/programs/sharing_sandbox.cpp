#include "host/programs/sharing_sandbox.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <xxhash.h>

#include "optgap/status.hpp"

namespace optgap::programs {

/// A program of the inner sandbox, and its source.
struct sharing_sandbox::known_program final : ready_program {
    known_program(program_language language_, program_handle inside_, std::shared_ptr<std::string const> made_of)
        : ready_program(language_), inside(std::move(inside_)), identity(std::move(made_of)) {}
    program_handle inside;
    std::shared_ptr<std::string const> identity;
};

sharing_sandbox::sharing_sandbox(std::shared_ptr<sandbox> in, dedupe_rule dedupe, std::size_t max_bytes)
    : in_(std::move(in)), dedupe_(dedupe), max_bytes_(max_bytes) {}

bool sharing_sandbox::shares(program_language language) const {
    return dedupe_ == dedupe_rule::always || in_->deterministic(language);
}

std::vector<compile_result> sharing_sandbox::compile_all(std::span<compile_request const> requests) {
    std::vector<compile_result> out = in_->compile_all(requests);
    for (std::size_t k = 0; k < out.size(); ++k) {
        if (out[k].program != nullptr) {
            compile_request const& of = requests[k];
            std::string identity = std::string(name_of(of.language)) + " " + std::string(name_of(of.interface)) + " " +
                                   std::to_string(of.limits.cpu_ms) + " " + std::to_string(of.limits.memory_mb) + " ";
            identity += of.source;
            out[k].program =
                std::make_shared<known_program const>(of.language, out[k].program, only(std::move(identity)));
        }
    }
    return out;
}

std::shared_ptr<std::string const> sharing_sandbox::only(std::string identity) {
    constexpr std::size_t max_identities = 4096;
    std::lock_guard const locked(lock_);
    if (identities_.size() >= max_identities) {
        std::erase_if(identities_, [](auto const& one) { return one.second.expired(); });
    }
    std::weak_ptr<std::string const>& known = identities_[identity];
    std::shared_ptr<std::string const> out = known.lock();
    if (out == nullptr) {
        out = std::make_shared<std::string const>(std::move(identity));
        known = out;
    }
    return out;
}

sharing_sandbox::run_key sharing_sandbox::key_of(run_request const& asked) {
    auto const& program = static_cast<known_program const&>(*asked.program);
    XXH128_hash_t const input = XXH3_128bits(asked.input.data(), asked.input.size());
    run_limits const& limits = asked.limits;
    return {program.identity, input.high64, input.low64,      asked.input.size(),
            limits.cpu_ms,    limits.steps, limits.memory_mb, limits.output_kb};
}

std::vector<run_result> sharing_sandbox::run_all(std::span<run_request const> requests) {
    for (run_request const& one : requests) {
        if (dynamic_cast<known_program const*>(one.program.get()) == nullptr) {
            misuse("run: the program was not compiled by a sandbox of this kind");
        }
    }
    std::vector<run_result> out(requests.size());
    std::vector<std::size_t> left(requests.size());
    std::iota(left.begin(), left.end(), 0);
    while (!left.empty()) {
        if (std::vector<std::size_t> const own = claim(requests, left, out); !own.empty()) {
            run_own(requests, own, out);
        } else if (!left.empty()) {
            // Another call runs them. It runs its own before it waits, so no call waits forever.
            std::unique_lock locked(lock_);
            run_request const& first = requests[left.front()];
            bool const goes_on = ended_.wait(locked, first.stop, [&] {
                auto const known = runs_.find(key_of(first));
                return known == runs_.end() || known->second.ended;
            });
            if (!goes_on) {
                for (std::size_t const k : left) {
                    out[k].trouble = "stopped";
                }
                return out;
            }
        }
    }
    return out;
}

std::vector<std::size_t> sharing_sandbox::claim(std::span<run_request const> requests, std::vector<std::size_t>& left,
                                                std::vector<run_result>& out) {
    std::vector<std::size_t> own, others;
    std::lock_guard const locked(lock_);
    for (std::size_t const k : left) {
        if (!shares(requests[k].program->language)) {
            own.push_back(k);
            continue;
        }
        auto const [known, is_new] = runs_.try_emplace(key_of(requests[k]));
        if (is_new) {
            own.push_back(k);
        } else if (known->second.ended) {
            out[k] = known->second.result;
            out[k].tries = 0;
            out[k].cpu_ms = out[k].wall_ms = out[k].wait_ms = 0;
        } else {
            others.push_back(k);
        }
    }
    left = std::move(others);
    return own;
}

void sharing_sandbox::run_own(std::span<run_request const> requests, std::span<std::size_t const> own,
                              std::vector<run_result>& out) {
    std::vector<run_request> inside;
    for (std::size_t const k : own) {
        inside.push_back(requests[k]);
        inside.back().program = static_cast<known_program const&>(*requests[k].program).inside;
    }
    auto const settle = [&](std::span<run_result const> found) {
        std::lock_guard const locked(lock_);
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (!shares(requests[own[i]].program->language)) {
                continue;
            }
            run_key const key = key_of(requests[own[i]]);
            if (i < found.size() && found[i].code != run_code::infrastructure && !found[i].suspected) {
                keep(key, found[i]);
            } else {
                runs_.erase(key);
            }
        }
        ended_.notify_all();
    };
    std::vector<run_result> found;
    try {
        found = in_->run_all(inside);
    } catch (...) {
        settle({});
        throw;
    }
    settle(found);
    for (std::size_t i = 0; i < own.size(); ++i) {
        out[own[i]] = std::move(found[i]);
    }
}

void sharing_sandbox::keep(run_key const& key, run_result const& found) {
    auto const size = [](run_key const& of, run_result const& one) {
        return sizeof(known_run) + std::get<0>(of)->size() + one.output.size() + one.error_head.size();
    };
    known_run& known = runs_[key];
    known.ended = true;
    known.result = found;
    kept_bytes_ += size(key, found);
    kept_.push_back(key);
    while (kept_bytes_ > max_bytes_ && !kept_.empty()) {
        auto const oldest = runs_.find(kept_.front());
        kept_bytes_ -= size(oldest->first, oldest->second.result);
        runs_.erase(oldest);
        kept_.pop_front();
    }
}

}  // namespace optgap::programs
