#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/verdict.hpp"

namespace optgap {

/// Where the final answer stands in a completion.
enum class answer_place : std::int32_t {
    tagged,  ///< between answer_open and answer_close
    boxed,   ///< the last \boxed{…}, braces matched
    line,    ///< after the last "Answer:" (any case, full-width colon too), to the end
};

/// What a completion must look like. A format is data: the same data writes the prompt's instructions and reads the
/// completion, so the two cannot drift apart.
///
/// The reasoning part runs from the first opening tag (the text's start when the prompt opened it) to the first closing
/// tag behind that. Answer tags inside a closed reasoning part are its text, not answer tags. Prose may stand before
/// the reasoning part and between the parts. White space is space, tab, CR, LF. The rules, in the order in which the
/// first broken one becomes the format's code:
///   code_format_missing_reasoning  required, and there is none, it is never closed, or it holds only white space
///   code_format_missing_answer     no complete answer part behind the reasoning part; no box or its braces do not
///                                  match (the last \boxed{ decides; \{ and \} are no braces); no "Answer:"
///   code_format_repeated           a further tag of any kind: reasoning tags anywhere, answer tags outside of the
///                                  reasoning part. Of boxes and "Answer:" lines the last counts and none is repeated
///   code_format_trailing           something other than white space and end-of-turn tokens (<|im_end|> <|endoftext|>
///                                  </s> <|eot_id|>) behind the answer part or the box
/// A format without required reasoning does not look for reasoning tags. Tags are compared byte by byte; an empty tag
/// is never found.
struct format_spec {
    std::string name = "forge";
    answer_place place = answer_place::tagged;
    std::string reasoning_open = "<think>";
    std::string reasoning_close = "</think>";
    std::string answer_open = "<answer>";
    std::string answer_close = "</answer>";
    bool reasoning_required = true;           ///< exactly one non-empty reasoning part, before the answer
    bool reasoning_opened_in_prompt = false;  ///< the chat template wrote the opening tag: only the closing one follows
    bool nothing_after_answer = true;         ///< only white space and end-of-turn tokens may follow
};

/// The named formats: forge (default), forge_prefilled, answer_only, boxed, answer_line.
std::span<format_spec const> formats();
/// Throws error{invalid_argument} that lists the names.
format_spec const& format_named(std::string_view name);
/// The sentences that tell a model how to answer; `form` shows the answer's shape with letters for
/// numbers, "[a, b, c, ...]", so that a completion that repeats the prompt holds no answer.
std::string format_instructions(format_spec const& format, std::string_view form);

/// Byte offsets [begin, end) into the completion; begin == end == 0 when there is none.
struct text_span {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    friend constexpr bool operator==(text_span, text_span) = default;
};

/// What the scanner says of one completion. Both codes are code_ok when it holds a well-formed answer.
struct parsed_text {
    std::int32_t format_code = code_ok;  ///< the first broken rule of the format
    std::int32_t answer_code = code_ok;  ///< why the answer's text is no answer; its block is then the empty list
    std::int32_t where = -1;             ///< index of the value at which a list broke, -1 when it broke outside of one
    text_span answer;  ///< the text read as the answer, between its markers, without white space at its ends
};

/// Parsed completions, one row each: answer blocks (kernels/core/words.hpp) in CSR form.
struct answer_batch {
    std::vector<std::int32_t> words;
    std::vector<std::int64_t> offsets{0};  ///< size() + 1
    std::vector<parsed_text> rows;

    [[nodiscard]] std::int64_t size() const { return std::int64_t(rows.size()); }
    [[nodiscard]] std::span<std::int32_t const> block(std::int64_t row) const {
        std::size_t const begin = std::size_t(offsets[std::size_t(row)]);
        return std::span(words).subspan(begin, std::size_t(offsets[std::size_t(row) + 1]) - begin);
    }
};

/// Reads one completion: finds its parts by `format`, parses the answer and appends its block to `words`. `task_words`
/// are the words the task accepts for an answer, in lower case, ended by nullptr. Linear in the text's length; any
/// bytes.
/// In a broken format the last complete answer part outside of the reasoning part is still read; without one the answer
/// is code_empty.
parsed_text parse_completion(std::string_view text, format_spec const& format, char const* const* task_words,
                             std::vector<std::int32_t>& words);

/// Reads a bare answer text (the grammar alone, no format). The code is that of the first byte, in reading order, that
/// breaks the grammar, after wraps and label are taken off:
///   code_empty        no value at all; an empty list is a value
///   code_bad_depth    a third level of brackets, or a list that holds integers and lists
///   code_not_integer  an item that is no integer in its only spelling: 1.0, 01, +1, '1', True, NaN, 1+1, other digits.
///                     "-0" is 0
///   code_overflow     more than ten digits, or outside of int32
///   code_unparsable   the rest: a bracket unclosed or of the wrong kind, an empty item, no list, text beside the value
/// Details the grammar leaves open: wraps need not pair; at most one full stop; a label is one line of at most 64
/// letters, digits, blanks, - and _ that starts with a letter, emphasis may close before its sign; a fence's language
/// must end its line; one list and a comma ("[1, 2],") is unparsable, for it could be one row.
parsed_text parse_answer(std::string_view text, char const* const* task_words, std::vector<std::int32_t>& words);

}  // namespace optgap
