#include "host/program_runs/shared_sandboxes.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "host/programs/served/served_sandbox.hpp"
#include "host/remote/build_fingerprint.hpp"
#include "optgap/status.hpp"

namespace optgap::program_runs {

using programs::program_language;

std::shared_ptr<programs::sandbox> shared_sandboxes::holding(std::vector<program_language> const& languages,
                                                             bool steps) {
    std::lock_guard const opening(opening_);
    entry& here = entries_[std::size_t(steps)];
    std::vector<program_language> wanted;
    {
        std::lock_guard const locked(lock_);
        wanted = here.held;
        for (program_language const one : languages) {
            if (auto const known = here.refused.find(one); known != here.refused.end()) {
                throw error(status::sandbox_unavailable, known->second);
            }
            if (std::find(wanted.begin(), wanted.end(), one) == wanted.end()) {
                wanted.push_back(one);
            }
        }
        if (here.open != nullptr && wanted.size() == here.held.size()) {
            return here.open;
        }
    }
    programs::sandbox_options asked;
    asked.isolation = place_.isolation;
    asked.slots = place_.slots;
    asked.broker = place_.broker;
    asked.languages = wanted;
    asked.steps = steps;
    try {
        std::shared_ptr<programs::sandbox> fresh = steps ? nullptr : served(asked);
        if (fresh == nullptr) {
            fresh = programs::open_sandbox(asked);
        }
        std::lock_guard const locked(lock_);
        here.open = fresh;
        here.held = wanted;
        return fresh;
    } catch (error const& refused) {
        std::lock_guard const locked(lock_);
        if (wanted.size() == here.held.size() + 1) {  // else the failure does not identify the unsupported language
            here.refused.emplace(wanted.back(), refused.what());
        }
        throw;
    }
}

programs::sandbox& shared_sandboxes::kept(program_language language, bool steps) {
    std::shared_ptr<programs::sandbox> const found = holding({language}, steps);
    std::lock_guard const locked(lock_);
    if (std::ranges::find(kept_, found) == kept_.end()) {
        kept_.push_back(found);
    }
    return *found;
}

std::shared_ptr<programs::sandbox> shared_sandboxes::served(programs::sandbox_options const& asked) const {
    std::string path = place_.server;
    if (path.empty()) {
        char const* const named = std::getenv("OPTGAP_SERVER");
        path = named == nullptr ? "" : named;
    }
    if (by_ == nullptr || path.empty() || path == "off") {
        return nullptr;
    }
    std::uint64_t const build = serve::build_fingerprint(by_->tasks());
    std::string why;
    std::optional<programs::served_terms> const terms = programs::terms_of_daemon(path, build, asked.languages, why);
    if (!terms || (asked.isolation != "auto" && std::ranges::any_of(asked.languages, [&](program_language one) {
                       return terms->isolations[std::size_t(one)] != asked.isolation;
                   }))) {
        return nullptr;
    }
    return std::make_shared<programs::served_sandbox>(
        programs::served_options{
            path, build, place_.slots,
            [asked]() -> std::shared_ptr<programs::sandbox> { return programs::open_sandbox(asked); }},
        *terms);
}

void shared_sandboxes::hold_by(std::shared_ptr<programs::sandbox> held) {
    std::lock_guard const locked(lock_);
    entries_[0].open = std::move(held);
    entries_[0].held = {program_language::python, program_language::cpp};
}

std::int32_t shared_sandboxes::slots() const {
    std::lock_guard const locked(lock_);
    for (entry const& one : entries_) {
        if (one.open != nullptr) {
            return one.open->slots();
        }
    }
    return place_.slots;
}

std::int32_t shared_sandboxes::slots_busy() const {
    std::lock_guard const locked(lock_);
    std::int32_t busy = 0;
    for (entry const& one : entries_) {
        busy += one.open != nullptr ? one.open->slots_busy() : 0;
    }
    return busy;
}

}  // namespace optgap::program_runs
