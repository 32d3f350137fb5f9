#include "optgap/rubrics/codes.hpp"

#include "host/program_runs/code_checks.hpp"
#include "optgap/fork.hpp"
#include "optgap/status.hpp"

namespace optgap::rubrics {

struct code_sandbox::state {
    std::unique_ptr<programs::sandbox> open;
    std::uint32_t process = fork_generation();

    /// The verdicts of one call. They are not kept longer, so that a long run needs no more memory than a short one.
    [[nodiscard]] programs::code_checks judge() const {
        if (process != fork_generation()) {
            misuse("this sandbox of checks in Python belongs to the parent process: a forked child makes its own");
        }
        return programs::code_checks(*open);
    }
};

code_sandbox::code_sandbox(std::string const& isolation, std::int32_t slots) : state_(std::make_unique<state>()) {
    programs::sandbox_options wanted;
    wanted.isolation = isolation;
    wanted.slots = slots;
    wanted.languages = {programs::program_language::python};
    state_->open = programs::open_sandbox(wanted);
}

code_sandbox::~code_sandbox() {
    if (state_->process != fork_generation()) {
        static_cast<void>(state_.release());  // the child of a fork does not have the parent's threads
    }
}

std::vector<text_score> code_sandbox::score_all(batch_input const& batch) {
    programs::code_checks judge = state_->judge();
    std::vector<text_input> texts(batch.texts.begin(), batch.texts.end());
    std::vector<programs::code_question> asked;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::size_t const at = batch.rubric_of.empty()      ? i
                               : i < batch.rubric_of.size() ? std::size_t(batch.rubric_of[i])
                                                            : 0;
        if (at >= batch.rubrics.size()) {
            break;  // rubrics::score_all refuses it
        }
        texts[i].codes = &judge;
        for (std::string const& code : batch.rubrics[at].codes()) {
            asked.push_back({code, batch.rubrics[at].checked_part(texts[i])});
        }
    }
    judge.prepare(asked);
    batch_input with_codes = batch;
    with_codes.texts = texts;
    return rubrics::score_all(with_codes);
}

std::vector<std::pair<std::string, double>> code_sandbox::floors_of(text_rubric const& rubric, std::string_view prompt,
                                                                    std::string_view other) {
    programs::code_checks judge = state_->judge();
    programs::code_gatherer gathered;
    static_cast<void>(rubrics::floors_of(rubric, prompt, other, &gathered));
    judge.prepare(gathered.asked());
    return rubrics::floors_of(rubric, prompt, other, &judge);
}

}  // namespace optgap::rubrics
