#pragma once
// Answers between Python's nested lists and blocks of words (optgap/answer.hpp).

#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>
#include <vector>

#include "optgap/batch.hpp"

namespace optgap::python {

/// Answers read by the grammar, one row each; code_ok where a row is an answer.
struct read_answers {
    csr_words blocks;
    std::vector<std::int32_t> code;
    std::vector<std::int32_t> where;
};

/// Reads a sequence of texts (str, bytes) and nested lists of integers; None is the text "null". `task` has one entry
/// per row.
read_answers answers_from(nanobind::handle answers, std::span<std::int32_t const> task);

/// A list, a list of lists, a task's word, or None for an empty block; throws argument_error when a block is malformed.
nanobind::list to_lists(std::span<std::int32_t const> task, csr_view answers);

/// Throws argument_error unless every block's shape adds up.
void require_blocks(csr_view answers);

}  // namespace optgap::python
