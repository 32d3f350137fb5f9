// Texts of common_subsequence.

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/tasks/common_subsequence/common_subsequence.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/svg.hpp"

namespace common_subsequence_text {

using optgap::words_view;
using optgap::tasks::common_subsequence::task;
using optgap::tasks::common_subsequence::word_list;

constexpr char const* alphabet = "ACGT";

void append_word(std::string& text, word_list const& words, std::int64_t i) {
    for (std::int32_t at = 0; at < words.length(i); ++at) {
        text += alphabet[words.word(i)[at] - 1];
    }
}

/// `before` the first word, `between` two words, and `behind` the last word.
void append_words(std::string& text, words_view on, char const* before, char const* between, char const* behind) {
    word_list const words(on);
    for (std::int64_t i = 0; i < words.k; ++i) {
        text += i == 0 ? before : between;
        append_word(text, words, i);
    }
    text += behind;
}

/// ">word0" and the word below it, as in FASTA files.
void append_fasta(std::string& text, words_view on) {
    word_list const words(on);
    for (std::int64_t i = 0; i < words.k; ++i) {
        text += ">word" + std::to_string(i) + "\n";
        append_word(text, words, i);
        text += '\n';
    }
}

constexpr optgap::symmetry relabels{
    .axes = {{.name = "word"}, {.name = "letter", .count = "letters", .first = 1}},
    .fields = {{.name = "words", .rows = "word", .names = {"letter"}}},
    .answer = {.names = {"letter"}},
};

/// The words below each other, with the letters that the answer keeps highlighted, and the answer below them.
std::string draw_words(char const* title, words_view on, words_view answer) {
    constexpr double pitch = 18;
    word_list const words(on);
    optgap::answer_view const list = optgap::view_answer(answer);
    optgap::svg out(4 + pitch * words.longest, 8 + pitch * double(words.k + 1), title);
    auto const box = [&](double row, std::int64_t column, std::int32_t letter, bool chosen) {
        optgap::point const corner{2 + pitch * double(column), 2 + row};
        out.rectangle(corner, pitch - 2, pitch - 2, chosen ? "chosen" : "vertex");
        out.text({corner.x + pitch / 2 - 1, corner.y + 12}, std::string(1, alphabet[letter - 1]),
                 chosen ? "on" : "inside", optgap::text_anchor::middle);
    };
    for (std::int64_t i = 0; i < words.k; ++i) {
        std::int64_t matched = 0;
        for (std::int32_t at = 0; at < words.length(i); ++at) {
            bool const kept = matched < list.count && words.word(i)[at] == list.values[matched];
            box(pitch * double(i), at, words.word(i)[at], kept);
            matched += kept ? 1 : 0;
        }
    }
    for (std::int64_t at = 0; at < list.count && at < words.longest; ++at) {
        if (list.values[at] >= 1 && list.values[at] <= words.letters) {
            box(pitch * double(words.k) + 4, at, list.values[at], true);
        }
    }
    return out.finish();
}

struct words {
    static constexpr optgap::filler fillers[] = {
        {"k", [](std::string& text, words_view on) { optgap::append_integer(text, on[0]); }},
        {"last", [](std::string& text, words_view on) { optgap::append_integer(text, on[0] - 1); }},
        {"instance", [](std::string& text, words_view on) { text += optgap::layout_text(task::layout, on); }},
    };
    static constexpr optgap::answer_terms terms{
        .form = "WORD",
        .shape = "one word of letters, or one flat list of their numbers from 1,",
        .low = [](words_view) { return 1; },
        .high = [](words_view on) { return on[2]; },
        .rules = {{"unparsable", "the answer is a word of the letters A, C, G and T or a list of their numbers"},
                  {"bad_depth", "it is one flat list"},
                  {"out_of_range", "its letters are among the instance's, 1 to letters", "the letter"}},
    };
    static constexpr optgap::symmetry const* twins = &relabels;
    static constexpr char const* family = "strings";
    static constexpr char const* reward = "forge";
    static std::string picture(char const* title, words_view on, words_view answer) {
        return draw_words(title, on, answer);
    }
};

constexpr optgap::declarative_text says{
    .title = "Longest common subsequence",
    .summary = "the longest word that is left of each of several words when letters are taken out",
    .category = "strings",
    .objective = "number of letters",
    .singular = "letter",
    .plural = "letters",
    .prompts =
        {"A word is a subsequence of another one if it is left when letters of the other one are taken out, without "
         "changing the order of the rest. Find a word that is a subsequence of each of these {k} words and as long "
         "as possible.\n\n{lines}\nAnswer with that word.\n",
         "In a cave hang {k} strings of beads. Each bead is of amber (A), coral (C), glass (G) or tin (T):\n\n{lines}\n"
         "You may take any beads off the strings but not thread any again, and want all the strings to end up alike. "
         "Which string, written from left to right, can all of them become that has the most beads?\n",
         "Compute a longest common subsequence of the sequences\n\n{fasta}\nIts symbols stand in every sequence from "
         "left to right, gaps allowed. Any of greatest length will do. Give the subsequence itself, not its length.\n",
         "words = [{quoted}]\n\ndef fits(w, word):\n    rest = iter(word)\n    return all(c in rest for c in w)\n\n"
         "Return the longest string w with all(fits(w, word) for word in words).\n",
         "{k} observers have noted the same events, each of kind A, C, G or T, in the order of time, and each of them "
         "has missed some and dreamt up others:\n\n{lines}\nWhat is the longest sequence of events that agrees with "
         "all the notes, that is, which each observer has noted in this order, with others in between or not?\n",
         "{instance}\n\nIn the lists `words` above, 1, 2, 3 and 4 stand for the letters A, C, G and T. Return a word, "
         "in "
         "letters or as one list of numbers, that can be had from each of the words by deleting entries, and that is "
         "as long as possible.\n"},
    .sentences =
        {"Word {where}, counted from 0, does not hold these letters in this order; letters left over when one goes "
         "through the words from the left: {violation}."},
    .examples = {{R"({"letters": 4, "words": [[1, 2, 3, 4], [1, 3, 2, 4], [2, 1, 3, 4]]})", "AGT", "ok", 3},
                 {"", "[1, 3, 4]", "ok", 3},
                 {"", "c t", "ok", 2},
                 {"", "[]", "ok", 0},
                 {"", "ACT", "not_common"},
                 {"", "TTTTTTTT", "not_common"},
                 {"", "[0, 1]", "out_of_range"},
                 {"", "[[1, 3], [4]]", "bad_depth"},
                 {R"({"letters": 2, "words": [[1, 2, 1, 2], [2, 1]]})", "CA", "ok", 2},
                 {"", "CAG", "out_of_range"},
                 {R"({"letters": 2, "words": [[1, 1], [2]]})", "[]", "ok", 0},
                 {"", "A", "not_common"},
                 {R"({"letters": 2, "words": [[1, 3], [2]]})", "words[0][1]", "refused"},
                 {R"({"letters": 2, "words": [[1, 2], []]})", "instance", "refused"},
                 {R"({"letters": 5, "words": [[1, 2], [1]]})", "letters", "refused"}},
    .fillers = {{"lines", [](std::string& text, words_view on) { append_words(text, on, "", "\n", "\n"); }},
                {"quoted", [](std::string& text, words_view on) { append_words(text, on, "\"", "\", \"", "\""); }},
                {"fasta", append_fasta}},
    .tags = {"strings"},
    .alphabet = alphabet,
    .first_letter = 1,
    .expensive_steps = 32,
};

}  // namespace common_subsequence_text

extern optgap::task_text const optgap_text_common_subsequence;
optgap::task_text const optgap_text_common_subsequence =
    optgap::declarative_task_text<common_subsequence_text::task, common_subsequence_text::words,
                                  common_subsequence_text::says>();
