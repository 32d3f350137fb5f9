#pragma once
// Sentences and layout of `optgap explain`. Text of models and files is printed with its control characters escaped.

#include <string>
#include <string_view>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap::cli {

/// Colours on a terminal, plain marks elsewhere.
class painter {
public:
    explicit painter(bool colour) : colour_(colour) {}
    [[nodiscard]] std::string title(std::string_view text) const { return paint("1", text); }
    [[nodiscard]] std::string good(std::string_view text) const { return paint("32", text); }
    [[nodiscard]] std::string bad(std::string_view text) const { return paint("31", text); }
    [[nodiscard]] std::string faint(std::string_view text) const { return paint("2", text); }
    /// The answer's text: reversed, or between >>> and <<<.
    [[nodiscard]] std::string mark(std::string_view text) const;

private:
    [[nodiscard]] std::string paint(char const* style, std::string_view text) const;
    bool colour_;
};

/// `text` with control characters other than line breaks as \xNN.
std::string printable(std::string_view text);
/// The first and last characters of a long text.
std::string shortened(std::string_view text, std::size_t most);

/// The text around `span`, marked, with long stretches elided and every line indented.
std::string marked_excerpt(std::string_view text, text_span span, painter const& paint);

/// What a shared verdict code means, in words; empty for ok and for a task's own codes.
std::string sentence_for(std::int32_t code, format_spec const& format);

/// Steps of a calculation: names, what is done, and values in one right-aligned column.
class step_table {
public:
    void add(std::string name, std::string how, std::string value);
    [[nodiscard]] std::string text() const;

private:
    struct step {
        std::string name, how, value;
    };
    std::vector<step> steps_;
    std::size_t width_ = 58;
};
/// With its sign, ten digits at most.
std::string signed_number(double value);

/// Is a feasible answer worth nothing where more is possible? It counts as none (docs/rewards.md).
bool is_worthless(verdict const& found, baseline const& base, sense direction);

/// The reward's arithmetic, one step a line.
struct reward_steps {
    sense direction = sense::minimise;
    verdict found;
    baseline base;
    reward_spec spec;
    std::int32_t format_code = code_ok;  ///< with the cut's fault accounted for
    finish how = finish::unknown;
    std::int32_t length = 0;  ///< tokens
    std::string text() const;
};

}  // namespace optgap::cli
