#pragma once  // Experimental.
// Rubrics: data that says what a text must hold (content) and how it must look (style), after RLVRR, which calls them
// verifiable reward chains. A rubric is read once, with its keywords compiled to a table; then any number of texts are
// scored against it, in time linear in the text, and no code of the rubric's author runs (docs/rubrics.md).

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/finish.hpp"
#include "optgap/reward.hpp"

namespace optgap::rubrics {

/// A preset fixes how a text is read, how matches become numbers, and how these are added.
enum class preset : std::int32_t {
    paper = 0,      ///< equation 4 of RLVRR, and the average of content and style
    repo,           ///< the function that the authors published, to the last bit: their sum
    ours,           ///< gates against hostile text, weights normalised, Unicode
    found,          ///< arm of the paper: the share of keywords found, instead of the longest common subsequence
    one_reference,  ///< arm: the first reference alone
    no_content,     ///< arm: style alone
    no_style,       ///< arm: content alone
    no_weights,     ///< arm: every check weighs the same
    random,         ///< a number in [0, 1) that depends on rubric and text alone
    bleu,           ///< sentence BLEU-4 against the references, which the rubric must hold
};
std::span<char const* const> preset_names();
/// Throws error{invalid_argument} that lists the names.
preset preset_named(std::string_view name);
char const* name_of(preset which);

/// Measures against hostile text (docs/rubrics.md#gates).
enum class gate : std::int32_t { density = 0, length, repetition, copy, hidden, count };
char const* name_of(gate which);
inline constexpr std::int32_t full_factor = 1024;  ///< of a gate that is open

struct point_score {
    std::int32_t numerator = 0;  ///< of the best reference; 0 / 1 where nothing stands on either side
    std::int32_t denominator = 1;
    std::int32_t reference = -1;  ///< which one; -1: none scores
    [[nodiscard]] double value() const { return double(numerator) / double(denominator); }
    friend bool operator==(point_score const&, point_score const&) = default;
};

/// Reason of a check that asks for words of a script without blanks in a process without ICU, and the remedy.
inline constexpr char const* needs_icu = "needs ICU";
inline constexpr char const* icu_lack =
    "words of a script without blanks need ICU's word breaking, and no libicuuc.so is here (Debian: apt-get install "
    "libicu-dev; OPTGAP_ICU may name the file)";

struct check_score {
    std::int64_t value = 0;
    std::int64_t of = 1;  ///< value / of was compared with the bound; 1 for a count
    bool passed = false;
    bool known = true;  ///< false: a number from outside that the row lacks
    /// Why a check in Python failed, other than by its answer, or "needs ICU"; else empty.
    std::string reason = {};
    friend bool operator==(check_score const&, check_score const&) = default;
};

struct gate_score {
    gate which = gate::density;
    std::int64_t value = 0;  ///< in words, or in thousandths
    std::int32_t factor = full_factor;
    std::int64_t own = 0;  ///< what it was compared with: of the references, the greatest, nearest or least
    friend bool operator==(gate_score const&, gate_score const&) = default;
};

/// "density 194 of 1000: the references' 177; whole up to 442, nothing from 1062 on".
std::string sentence_of(gate_score const& found);

/// The score of one text.
struct text_score {
    double content = 0;
    double style = 0;
    double total = 0;
    double normalized = 0;  ///< total between the rubric's floor (0) and its reference (1), clipped to [-1, 1]
    bool has_text = false;  ///< anything was left to score: behind the reasoning, in the answer part
    std::int32_t factor = full_factor;  ///< the smallest gate's; content and style were multiplied by it
    std::vector<point_score> points;
    std::vector<check_score> checks;
    std::vector<gate_score> gates;  ///< those that the rubric has
    /// The library that split words of scripts without blanks, "ICU 72.1", where a check asked for them; else empty.
    std::string_view words_by;
};

/// The reward of a row: its total, or that of the policy for a text that was cut off (NaN where excluded).
float reward_of(text_score const& score, finish how, truncation policy);

/// The result of a check in Python on one text.
struct code_verdict {
    bool passed = false;
    std::string reason;  ///< why it failed, where its own answer is not the reason: "run_time", "raises KeyError"
};
/// Answers checks in Python, whose code never runs in the process that scores (host/program_runs/code_checks.hpp is
/// one).
class code_judge {
public:
    virtual ~code_judge() = default;
    [[nodiscard]] virtual code_verdict judge(std::string_view code, std::string_view text) = 0;
};

/// A text, and what its checks may read beside it. Borrowed for the call.
struct text_input {
    std::string_view text;
    std::string_view prompt = {};
    std::string_view format = {};  ///< where the answer stands (optgap/format.hpp); empty: all behind the reasoning
    /// Numbers from outside by the names that checks of kind `external` give.
    std::span<std::pair<std::string, double> const> external = {};
    /// Answers checks of kind `code`; without it a rubric that has some is not scored.
    code_judge* codes = nullptr;
};

struct limits {
    static constexpr std::size_t points = 64;
    static constexpr std::size_t references = 8;
    static constexpr std::size_t keywords = 64;  ///< in one reference's list
    static constexpr std::size_t keyword_bytes = 64;
    static constexpr std::size_t checks = 64;
    static constexpr std::size_t sequence = 512;  ///< keywords that a reference matches
    static constexpr std::size_t reference_bytes = std::size_t(1) << 20;
    static constexpr std::size_t code_bytes = 8192;  ///< of a check in Python
};

/// A keyword that was matched. Bytes are of `matched_text::text`.
struct match_found {
    std::int32_t point = 0;
    std::int32_t reference = 0;
    std::int32_t keyword = -1;  ///< its place in the list; -1: the list has it in another spelling
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool on_path = false;  ///< part of a longest common subsequence
};
struct matched_text {
    std::string text;  ///< as keywords are matched on it: folded, and without what is never matched
    std::vector<match_found> matches;
};

struct compiled;

/// A compiled rubric. Inexpensive to copy, thread-safe.
class text_rubric {
public:
    /// Reads a rubric's JSON. `as` replaces the preset that it names; the rubric's own settings are then those of that
    /// preset. Throws field_error with the field and the rule that it breaks: also where a sequence is not what its
    /// reference gives, and where a sequence is needed and the reference is missing.
    explicit text_rubric(std::string_view json, std::optional<preset> as = {});

    [[nodiscard]] preset which() const;
    /// "chain:" and 32 digits: a hash of everything that a score depends on.
    [[nodiscard]] std::string const& key() const;
    /// All fields as JSON, with sequences and the references' own numbers; reads back to an equal rubric. It holds the
    /// references' texts only with `texts`.
    [[nodiscard]] std::string to_json(bool texts = true) const;

    /// Throws field_error for a rubric with checks in Python and an input without `codes`.
    [[nodiscard]] text_score score(text_input const& input) const;
    /// The same into reused memory.
    void score(text_input const& input, text_score& out) const;

    [[nodiscard]] std::size_t points() const;
    [[nodiscard]] std::size_t checks() const;
    [[nodiscard]] std::string const& point_name(std::size_t point) const;
    /// "words 132, at least 150 wanted: fails".
    [[nodiscard]] std::string check_sentence(std::size_t check, check_score const& found) const;
    /// What a check requires: "words at least 150".
    [[nodiscard]] std::string const& check_title(std::size_t check) const;
    [[nodiscard]] double check_weight(std::size_t check) const;
    /// The checks in Python, each text once; empty for nearly all rubrics.
    [[nodiscard]] std::span<std::string const> codes() const;
    /// The part of a text that its checks read; borrows it.
    [[nodiscard]] std::string_view checked_part(text_input const& input) const;
    [[nodiscard]] std::span<std::string const> references() const;  ///< texts, where the rubric holds them
    [[nodiscard]] std::string const& prompt() const;                ///< the rubric's own; empty: none
    [[nodiscard]] std::vector<gate> gates() const;
    /// Whether each text needs a prompt: the rubric names `copy` among fewer gates than there are, and brings none.
    /// Where all gates hold, as by default, `copy` counts where there is a prompt.
    [[nodiscard]] bool needs_prompt() const;
    /// Each keyword's first form, by point, reference and place in its list.
    [[nodiscard]] std::vector<std::string> const& keywords(std::size_t point, std::size_t reference) const;
    [[nodiscard]] std::size_t references_of(std::size_t point) const;
    /// For people: every match, and one longest common subsequence per point and reference.
    [[nodiscard]] matched_text explain(text_input const& input) const;
    /// The rubric's floors by name (the scores of constant policies), and whether it is `hackable`; empty without.
    [[nodiscard]] std::span<std::pair<std::string, double> const> floors() const;
    [[nodiscard]] bool hackable() const;
    /// A copy with these floors written into it.
    [[nodiscard]] text_rubric with_floors(std::span<std::pair<std::string, double> const> floors) const;

    explicit text_rubric(std::shared_ptr<compiled const> known) : known_(std::move(known)) {}
    [[nodiscard]] compiled const& inner() const { return *known_; }

private:
    std::shared_ptr<compiled const> known_;
};

/// Scores of constant policies and of hostile texts, by name: empty, one_word, prompt_echo (with a prompt),
/// keyword_list, telegraphic, shuffled, other_reference (where `other` is given) and reference. Without the references'
/// texts those that need one are left out.
std::vector<std::pair<std::string, double>> floors_of(text_rubric const& rubric, std::string_view prompt,
                                                      std::string_view other = {}, code_judge* codes = nullptr);
/// A rubric whose telegraphic reference earns at least this share of the reference is `hackable`.
inline constexpr double hackable_from = 0.9;

/// Rows scored side by side: text i against rubrics[rubric_of[i]]. `rubric_of` may be empty where there is one rubric a
/// text.
struct batch_input {
    std::span<text_rubric const> rubrics;
    std::span<text_input const> texts;
    std::span<std::int32_t const> rubric_of = {};
    std::int32_t threads = 1;  ///< 0: what the machine and its cgroup allow
};
std::vector<text_score> score_all(batch_input const& batch);

}  // namespace optgap::rubrics
