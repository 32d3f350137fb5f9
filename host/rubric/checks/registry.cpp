// All types and all measures.

#include <unordered_map>

#include "host/rubric/checks/measures.hpp"
#include "host/rubric/checks/types.hpp"

namespace optgap::rubrics {

std::span<type_suite const> instruction_suites() {
    static type_suite const suites[] = {
        {"IFEval", ifeval_word_types()},   {"IFEval", ifeval_format_types()},   {"IFBench", ifbench_count_types()},
        {"IFBench", ifbench_word_types()}, {"IFBench", ifbench_place_types()},  {"IFBench", ifbench_format_types()},
        {"IFBench", ifbench_list_types()}, {"IFBench", ifbench_custom_types()}, {"IF-RLVR", if_rlvr_types()},
        {"IF-RLVR", if_rlvr_word_types()},
    };
    return suites;
}

instruction_type const* find_type(std::string_view name) {
    static std::unordered_map<std::string_view, instruction_type const*> const all = [] {
        std::unordered_map<std::string_view, instruction_type const*> found;
        for (type_suite const& suite : instruction_suites()) {
            for (instruction_type const& type : suite.types) {
                found[type.name] = &type;
            }
        }
        return found;
    }();
    auto const found = all.find(name);
    return found == all.end() ? nullptr : found->second;
}

std::span<std::span<measure const> const> measure_families() {
    static std::span<measure const> const families[] = {size_measures(), markdown_measures(), word_measures(),
                                                        mark_measures(), structure_measures()};
    return families;
}

measure const* find_measure(std::string_view name) {
    for (std::span<measure const> const family : measure_families()) {
        for (measure const& one : family) {
            if (name == one.name) {
                return &one;
            }
        }
    }
    return nullptr;
}

bool type_input::full_sentences(std::size_t least) const {
    if (!strict) {
        return true;
    }
    text_pass const& spaced = forms.spaced();
    if (spaced.sentences().size() < least) {
        return false;
    }
    // Words and sentences are both sorted, so one walk suffices.
    std::size_t word = 0;
    for (place const& sentence : spaced.sentences()) {
        std::size_t count = 0;
        while (word < spaced.words().size() && spaced.words()[word].begin < sentence.end) {
            count += spaced.words()[word].begin >= sentence.begin;
            ++word;
        }
        if (count < 2) {
            return false;
        }
    }
    return !spaced.sentences().empty();
}

}  // namespace optgap::rubrics
