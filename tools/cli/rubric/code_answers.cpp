#include "tools/cli/rubric/code_answers.hpp"

#include <fmt/format.h>

#include "optgap/status.hpp"

namespace optgap::cli {
namespace {

program_runs::sandbox_place sandbox_for_codes(rubric_row_options const& options) {
    return {.isolation = options.isolation, .slots = options.slots};
}

}  // namespace

code_answers::code_answers(rubric_row_options const& options)
    : place_(sandbox_for_codes(options)), sandboxes_(place_) {}

void code_answers::require(rubrics::text_rubric const& rubric, std::string_view command) const {
    if (place_.isolation.empty() && !rubric.codes().empty()) {
        throw field_error("chain.style", fmt::format("has a check in Python, which runs in a sandbox alone: expected "
                                                     "`optgap {} --isolation auto`, or a rubric without checks of kind "
                                                     "`code`",
                                                     command));
    }
}

rubrics::code_judge& code_answers::answering() {
    struct cleared {  // also where it throws: the codes are borrowed
        programs::code_gatherer& by;
        ~cleared() { by.clear(); }
    } const whatever_comes{gathered_};
    if (!known_) {
        known_.emplace(sandboxes_.kept(programs::program_language::python));
    }
    known_->prepare(gathered_.asked());
    return *known_;
}

}  // namespace optgap::cli
