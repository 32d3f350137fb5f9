#pragma once  // Stable.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/finish.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

/// Where the final answer stands in a completion.
enum class answer_place : std::int32_t {
    tagged,  ///< between answer_open and answer_close
    boxed,   ///< the last \boxed{…}, braces matched; \fbox, \framebox and GLM's <|begin_of_box|> are boxes, too
    line,    ///< after the last "Answer:" (any case, full-width colon too, emphasis and blanks before it), to the end
    fenced,  ///< the last complete block between fences (``` or ~~~); where a language is asked for, the last with its
             ///< tag
};

/// Whether a completion reasons before it answers, and what its reasoning tags mean.
enum class reasoning_rule : std::int32_t {
    none,      ///< tags are not looked for
    optional,  ///< what stands before the last closing tag is no answer text; an open part that never closes: no answer
    required,  ///< exactly one non-empty part, before the answer
};

/// The text that may follow the answer part.
enum class tail_rule : std::int32_t {
    strict,   ///< white space and end-of-turn strings
    lenient,  ///< anything
};

/// How freely the answer's text may be written.
enum class spelling_rule : std::int32_t {
    free,    ///< also as people, LaTeX and other keyboards write values (docs/formats.md, "Spelling")
    strict,  ///< by the grammar alone
};

/// One way to mark a reasoning part.
struct reasoning_markers {
    std::string open;
    std::string close;
    bool at_start =
        false;  ///< `open` counts as the text's first bytes alone: a plain word, left by dropped special tokens
    friend bool operator==(reasoning_markers const&, reasoning_markers const&) = default;
};

/// The strings by which chat templates end a model's turn: those of every family that this project knows, in one place.
std::span<std::string const> end_of_turn_strings();

/// The required form of a completion. A format is data: the same data writes the prompt's instructions and reads the
/// completion, so the two cannot drift apart. As JSON: docs/formats.md.
///
/// The rule of drafts: text before the end of the reasoning is never the answer, in any place.
///   required  the reasoning part runs from the first opening tag (the text's start when the prompt opened it) to the
///             first closing tag behind that. Answer tags inside it are its text
///   optional  everything up to the last closing tag is reasoning, opened or not; a part that is open at the text's end
///             leaves no answer, whatever stands in it or before it
/// A rollout that was cut off (`finish::length`, `finish::abort`) is read strictly whatever the tail says, and the
/// place `line`, which has no closing mark, holds no answer then.
///
/// Prose may stand before the reasoning part and between the parts. White space is space, tab, CR, LF. The rules, in
/// the order in which the first broken one becomes the format's code:
///   code_format_missing_reasoning  required, and there is none, it is never closed, or it holds only white space
///   code_format_missing_answer     no complete answer part behind the reasoning part; no box or its braces do not
///                                  match (the last one decides; \{ and \} are no braces); no "Answer:"; no
///                                  fenced block, or the text ends inside of one
///   code_format_repeated           a further tag: reasoning tags anywhere where reasoning is required, answer tags
///                                  outside of the reasoning part. Of boxes and "Answer:" lines the last counts and
///                                  none is repeated; of fenced blocks likewise, unless one_block
///   code_format_trailing           something other than white space and `ends` behind the answer part or the box
/// Tags are compared byte by byte; an empty tag is never found. Where a reasoning tag ends with gpt-oss's <|message|>,
/// a content type may stand before that: "<|channel|>final <|constrain|>json<|message|>".
struct format_spec {
    std::string name = "forge";
    answer_place place = answer_place::tagged;
    reasoning_rule reasoning = reasoning_rule::required;
    std::vector<reasoning_markers> markers = {{"<think>", "</think>"}};  ///< the first is what prompts ask for
    /// The chat template wrote the opening tag: the closing one follows. An opening tag that a completion begins with
    /// repeats the template's.
    bool opened_in_prompt = false;
    std::string answer_open = "<answer>";
    std::string answer_close = "</answer>";
    tail_rule tail = tail_rule::strict;
    spelling_rule spelling = spelling_rule::free;
    std::vector<std::string> ends{end_of_turn_strings().begin(), end_of_turn_strings().end()};
    bool one_block = false;  ///< fenced: a second block breaks the format; else the last one counts
    bool untagged = false;   ///< programs: a block without a tag is in the row's language
    friend bool operator==(format_spec const&, format_spec const&) = default;
};

/// The named formats of answers: forge (default), forge_prefilled, answer_only, boxed, answer_line, and for every
/// family of reasoning markers (harmony, magistral, gemma4, seed, kimi, cohere) FAMILY, FAMILY_boxed and FAMILY_line.
std::span<format_spec const> formats();
/// The named formats of completions that are programs: program (the last fenced block with a tag of the row's language
/// outside of the reasoning part, nothing behind it), program_strict (one such block) and program_lenient (also a block
/// without a tag, and any text behind it).
std::span<format_spec const> program_formats();
/// Throws error{invalid_argument} that lists the names.
format_spec const& format_named(std::string_view name);
/// A name, or a JSON object: fields over those of the named format (docs/formats.md). Throws error{invalid_argument}
/// that names the field and the rule.
format_spec parse_format(std::string_view name_or_json);
/// The named formats of answers and of programs, and those that format_index has read as JSON: at most
/// most_known_formats, whose places never change.
std::span<format_spec const> known_formats();
inline constexpr std::size_t max_known_formats = 1024;
/// Index into known_formats(). Safe from any thread. Throws as parse_format does, and when there is no room for
/// another.
std::int32_t format_index(std::string_view name_or_json);
/// The name of a named format as it stands in formats(), else all fields as one JSON object that parse_format reads.
std::string to_text(format_spec const& format);
/// All fields as one JSON object.
std::string to_json(format_spec const& format);
/// The sentences that tell a model how to answer; `form` shows the answer's shape with letters for
/// numbers, "[a, b, c, ...]", so that a completion that repeats the prompt holds no answer.
std::string format_instructions(format_spec const& format, std::string_view form);

/// Byte offsets [begin, end) into the completion; begin == end == 0 when there is none.
struct text_span {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    friend constexpr bool operator==(text_span, text_span) = default;
};

/// The scanner's result for one completion. Both codes are code_ok when it holds a well-formed answer.
struct parsed_text {
    std::int32_t format_code = code_ok;  ///< the first broken rule of the format
    std::int32_t answer_code = code_ok;  ///< why the answer's text is no answer; its block is then the empty list
    std::int32_t where = -1;             ///< index of the value at which a list broke, -1 when it broke outside of one
    text_span answer;  ///< the text read as the answer, between its markers, without white space at its ends
};

/// Parsed completions, one row each: answer blocks (answer.hpp) in CSR form.
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

/// How numbers without brackets are read.
enum class bare_number : std::int32_t {
    none,        ///< they are no answer
    single,      ///< one number is the list of its value
    digits,      ///< one number is the list of its decimal digits
    digit_rows,  ///< numbers are rows of their decimal digits
};

[[nodiscard]] constexpr std::string_view name_of(bare_number rule) {
    constexpr std::string_view names[] = {"none", "single", "digits", "digit_rows"};
    return names[std::int32_t(rule)];
}

/// How the answers of a task may be written, other than as lists of integers.
///
/// Letters: a run of the alphabet's letters is the list of their places in it, counted from first_letter. Blanks may
/// stand between them, or commas, one at a time; the case of letters means nothing where the alphabet has one case
/// alone. Where answers are rows each line is one, else lines go on. Each line may stand in quotes, and lines may be
/// the items of one list in brackets, with quotes or without: ["..#", "#.."]. Digits side by side and commas do not go
/// together, for "10, 11" could be two numbers; an item that begins with a digit or a minus belongs to a list of
/// integers. A letter is never a wrap: a full stop at the end is a cell where it is one of the alphabet.
///
/// Expressions: integers from 0 on, + - * / and brackets, ( [ or {, in the usual order, are the flat list of their
/// postfix form (answer.hpp). x, X and the signs − – × ÷ · ⋅ ∗ are accepted, and LaTeX's \times, \cdot, \ast, \div,
/// \frac{}{}, \dfrac, \tfrac, \left, \right, \{, \} and spaces. One "= 24" at the end is dropped where that is the
/// expression's value, else the text is unparsable. A number has no sign before it, and no sign may be left out. At
/// most 64 brackets are open at once, else code_bad_depth; more than 4,096 numbers and signs are code_overflow, as is a
/// number outside of int32.
///
/// Numbers without brackets: decimal digits in the number's only spelling, "0408" and "40.8" are code_not_integer. All
/// but the first one to three may stand in groups of three, which commas ("1,632"), LaTeX's {,} or blanks set apart (a
/// space, U+00A0, U+2009 or U+202F), the same in all of a number. A sign is unparsable, except that a single value may
/// be negative; a single value outside of int32 is code_overflow. Digits may be any number. Rows are separated by a
/// line's end, ';', a comma with white space behind it or the word of a division, R, rem or remainder in any case,
/// behind which : or =
/// may stand: "12 R 3", "12, 3", "q = 12, r = 3".
struct answer_syntax {
    char const* const* words = nullptr;  ///< accepted instead of a list, in lower case, ended by nullptr
    /// Printable ASCII, each letter once; no white space, brackets, quotes, comma, colon, =, ` or backslash.
    char const* alphabet = nullptr;
    std::int32_t first_letter = 0;  ///< the value of the alphabet's first letter; a digit stands for itself
    bool letter_rows = false;       ///< answers are rows of letters
    bool expressions = false;
    bare_number numbers = bare_number::none;
};

/// Reads one completion: finds its parts by `format`, parses the answer and appends its block to `words`. `finished`
/// says whether the text was cut off. Linear in the text's length; any bytes. In a broken format the last complete
/// answer part outside of the reasoning part is still read; without one the answer is code_empty.
parsed_text parse_completion(std::string_view text, format_spec const& format, answer_syntax const& syntax,
                             std::vector<std::int32_t>& words, finish finished = finish::unknown);
inline parsed_text parse_completion(std::string_view text, format_spec const& format, char const* const* task_words,
                                    std::vector<std::int32_t>& words, finish finished = finish::unknown) {
    return parse_completion(text, format, answer_syntax{.words = task_words}, words, finished);
}

/// Reads a bare answer text (the grammar alone, no format). The code is that of the first byte, in reading order, that
/// breaks the grammar, after wraps and label are taken off:
///   code_empty        no value at all; an empty list is a value
///   code_bad_depth    a third level of brackets, or a list that holds integers and lists
///   code_not_integer  an item that is no integer in its only spelling: 1.0, 01, +1, '1', True, NaN, 1+1, other digits.
///                     "-0" is 0
///   code_overflow     more than ten digits, or outside of int32
///   code_unparsable   the rest: a bracket unclosed or of the wrong kind, an empty item, no list, text beside the value
/// Details the grammar leaves open: wraps need not pair; at most one full stop; a label is one line of at most 64
/// letters, digits, blanks, - and _ that starts with a letter and has no word such as "wrong" or "maybe", emphasis
/// may close before its sign; a fence's language
/// must end its line; one list and a comma ("[1, 2],") is unparsable, for it could be one row.
/// With spelling_rule::free a text that is no answer by the grammar is read once more by the table in docs/formats.md:
/// a box or tags around the value, LaTeX's faces, sizes, spaces and braces, the blanks, commas, brackets and digits of
/// Unicode, arrows and "and" between values, "The answer is", emphasis; of numbers a plus, ".0" and an equation that
/// holds; of expressions "27 = 9 * 3" and (9)(3). Alternatives and doubts are never dropped. `where` is then that of
/// the first reading.
/// Where `syntax` has letters, expressions or bare numbers, these are tried where the text is no list. A text that is
/// none of them keeps the code that it has as a list, with two exceptions, which have the code of their own first
/// broken rule: an expression that does not begin with [, and numbers where the text begins with no bracket.
parsed_text parse_answer(std::string_view text, answer_syntax const& syntax, std::vector<std::int32_t>& words,
                         spelling_rule spelling = spelling_rule::strict);
inline parsed_text parse_answer(std::string_view text, char const* const* task_words, std::vector<std::int32_t>& words,
                                spelling_rule spelling = spelling_rule::strict) {
    return parse_answer(text, answer_syntax{.words = task_words}, words, spelling);
}

}  // namespace optgap
