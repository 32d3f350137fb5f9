#pragma once
// A rubric ready to score: its data, its table of keywords, its checks, its gates' limits.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/rubric/content/matcher.hpp"
#include "host/rubric/gates.hpp"
#include "host/rubric/rubric_data.hpp"

namespace optgap::rubrics {

struct compiled {
    explicit compiled(rubric_data given);

    rubric_data data;
    matcher lists;
    std::vector<check> checks;
    gate_limits own;
    std::uint64_t serial = 0;                                 ///< different for every rubric of the process
    std::vector<std::vector<std::uint64_t>> reference_words;  ///< each reference's hashes, for the gate `copy` alone
    std::int64_t point_weights = 0, check_weights = 0;
    std::string key;
    std::vector<std::string> codes;                                  ///< of checks in Python, each once
    std::vector<std::vector<std::vector<std::string>>> first_forms;  ///< by point, reference and keyword
};

/// Buffers that are reused from text to text: one object per thread.
struct score_buffers {
    std::string without_fences;
    ready_text ready;
    ready_text prompt_ready;
    matcher_state state;
    std::vector<list_score> lists;
    text_pass pass;
    std::vector<std::uint64_t> words;
    hash_set shingles;
    hash_set prompt_shingles;
    std::string prompt;  ///< the prompt that these shingles are of
    text_settings prompt_settings;
    bool prompt_known = false;
    std::uint64_t copy_serial = 0;  ///< the rubric whose references `copy_limit` is for, with these shingles; 0: none
    std::int64_t copy_limit = 0;
};
score_buffers& buffers_of_thread();

/// Reads the text of an input that keywords are matched on, and the one that checks read. Returns false where there is
/// none.
bool read_input(rubric_data const& rubric, text_input const& input, score_buffers& by, std::string_view& checked);

/// The prompt's runs of eight words, kept from row to row.
hash_set const& prompt_shingles(std::string_view prompt, text_settings const& how, score_buffers& by);

/// Throws field_error where nothing answers a rubric's Python checks, and where its gate `copy` has no prompt to
/// compare with.
void require_input(compiled const& rubric, text_input const& input);

/// Sentence BLEU-4 against the references (docs/rubrics.md#arms).
double bleu(std::string_view text, std::vector<std::string> const& references);

/// The result of Python's len(text.split()) > 0.
bool has_pieces(std::string_view text);

}  // namespace optgap::rubrics
