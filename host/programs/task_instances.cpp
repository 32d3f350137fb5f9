#include "host/programs/task_instances.hpp"

#include "host/programs/output.hpp"
#include "host/programs/run_batch.hpp"
#include "kernels/registry/registry.hpp"
#include "kernels/text/task_text.hpp"

#include <nlohmann/json.hpp>

namespace optgap::programs {

std::string const& task_instances::input(std::int64_t instance, input_form form) {
    auto const [place, is_new] = inputs_.try_emplace({instance, form});
    if (is_new) {
        task_text const& text = *registry()[std::size_t(instances_.task[instance])].text;
        auto const words = instances_.blocks.row(instance);
        json const shown = instance_to_json(text, {words.data(), std::int64_t(words.size())});
        place->second = write_input(input_fields(text, shown), shown, form);
    }
    return place->second;
}

/// All in one call of the verifier.
std::vector<verdict> task_instances::verify(std::span<run_result const> ended,
                                            std::span<std::int64_t const> instance_of) {
    csr_words answers;
    std::vector<std::int32_t> verified;
    std::vector<parsed_text> parsed(ended.size());
    std::vector<std::int32_t> block;
    for (std::size_t i = 0; i < ended.size(); ++i) {
        block.clear();
        if (ended[i].code == run_code::ok) {
            parsed[i] = read_output(by_, instances_.task[instance_of[i]], ended[i].output, block);
        } else {
            block.push_back(-1);  // an empty list, for its maximum violation
            parsed[i].answer_code = code_of(ended[i].code);
            parsed[i].where = ended[i].where;
        }
        answers.append(block);
        verified.push_back(std::int32_t(instance_of[i]));
    }
    std::vector<verdict> found = by_.verify(instances_, answers.view(), verified);
    for (std::size_t i = 0; i < ended.size(); ++i) {
        if (parsed[i].answer_code != code_ok) {
            found[i] = {parsed[i].answer_code, parsed[i].where, 0, found[i].violation_max, found[i].violation_max};
        }
    }
    return found;
}

}  // namespace optgap::programs
