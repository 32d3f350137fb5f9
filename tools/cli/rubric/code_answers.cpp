#include "tools/cli/rubric/code_answers.hpp"

#include <fmt/format.h>

#include "optgap/status.hpp"

namespace optgap::cli {
namespace {

program_options sandbox_of(rubric_row_options const& options) {
    program_options out;
    out.isolation = options.isolation;
    out.slots = options.slots;
    return out;
}

}  // namespace

code_answers::code_answers(rubric_row_options const& options) : options_(sandbox_of(options)), sandboxes_(options_) {}

void code_answers::require(rubrics::text_rubric const& rubric, std::string_view command) const {
    if (options_.isolation.empty() && !rubric.codes().empty()) {
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
        known_.emplace(sandboxes_.of(programs::program_language::python, false));
    }
    known_->prepare(gathered_.asked());
    return *known_;
}

}  // namespace optgap::cli
