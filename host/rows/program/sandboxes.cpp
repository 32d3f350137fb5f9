#include "host/rows/program/sandboxes.hpp"

#include "host/rows/program/options.hpp"
#include "optgap/status.hpp"

namespace optgap::rows {

program_options program_options_of(option_values const& given) {
    namespace of = program_option;
    return {.isolation = given.text(of::isolation),
            .slots = std::int32_t(given.integer(of::slots)),
            .limits = given.text(of::limits),
            .dedupe = given.text(of::dedupe),
            .timings = given.text(of::timings),
            .repeats = std::int32_t(given.integer(of::repeat)),
            .fail_fast = given.flag(of::fail_fast),
            .matrix = given.flag(of::matrix),
            .estimate = given.flag(of::estimate)};
}

programs::sandbox& program_sandboxes::of(programs::program_language language, bool steps) {
    std::lock_guard const locked(lock_);
    place& here = places_[std::size_t(language)][std::size_t(steps)];
    if (here.open == nullptr && here.refused.empty()) {
        try {
            here.open = programs::open_sandbox(
                {.isolation = options_.isolation, .slots = options_.slots, .languages = {language}, .steps = steps});
        } catch (error const& refused) {
            here.refused = refused.what();
        }
    }
    if (here.open == nullptr) {
        throw error(status::device_unavailable, here.refused);
    }
    return *here.open;
}

std::shared_ptr<program_sandboxes> sandboxes_of(run_services const& run, program_options const& options) {
    auto const make = [&] { return std::make_shared<program_sandboxes>(options); };
    return run.shared == nullptr ? make() : run.shared->of<program_sandboxes>(make);
}

}  // namespace optgap::rows
