#include "host/rows/program/sandboxes.hpp"

#include "host/program_runs/runner_state.hpp"
#include "host/rows/program/options.hpp"

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

std::shared_ptr<program_runs::shared_sandboxes> sandboxes_of(run_services const& run, program_options const& options) {
    auto const make = [&] {
        return std::make_shared<program_runs::shared_sandboxes>(
            program_runs::sandbox_place{.isolation = options.isolation, .slots = options.slots});
    };
    return run.shared == nullptr ? make() : run.shared->of<program_runs::shared_sandboxes>(make);
}

std::shared_ptr<shared_services> services_with(program_runner& runner) {
    runner.internals().require_own_process();
    auto out = std::make_shared<shared_services>();
    out->put(runner.internals().sandboxes);
    return out;
}

std::shared_ptr<shared_services> services_for(score_options const& options, program_runner& runner) {
    program_options const wanted = program_options_of(options.kinds);
    program_runner_options const& place = runner.internals().options;
    return wanted.isolation == place.isolation && wanted.slots == place.slots ? services_with(runner)
                                                                              : std::make_shared<shared_services>();
}

}  // namespace optgap::rows
