#pragma once
// Other solvers' answers as their own files have them. A file is one answer to one instance; nothing in it is believed,
// and what breaks its format is refused with the line and what was expected there.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// How an answer of a task is read off such files.
enum class answer_shape {
    none,     ///< no reader makes answers of this task
    tour,     ///< all things, each once, in a round
    routes,   ///< rounds that begin and end at thing 0, without it
    halves,   ///< two lists of things
    members,  ///< those things whose variable is 1
    values,   ///< a 0 or a 1 for each thing
};

/// What a file must fit to.
struct answer_frame {
    answer_shape shape = answer_shape::none;
    std::int64_t things = 0;  ///< cities, vertices, items, sets or variables of the instance
    std::string_view task;
};

answer_frame frame_of(context& ctx, std::int32_t task, std::span<std::int32_t const> words);

struct told_answer {
    std::vector<std::int32_t> block;
    std::optional<double> objective;  ///< that the file claims
};

/// Where a text stops being what it should be.
class answer_fault : public std::runtime_error {
public:
    answer_fault(std::int64_t line, std::string const& sentence);
    explicit answer_fault(std::string const& sentence) : std::runtime_error(sentence) {}
};

/// A tour of TSPLIB's, as LKH writes it.
told_answer read_tour(std::string_view text, answer_frame const& frame);
/// A partition of KaHIP's: a block a line.
told_answer read_partition(std::string_view text, answer_frame const& frame);
/// A solution of HiGHS', in its raw style.
told_answer read_columns(std::string_view text, answer_frame const& frame);
/// An answer of cuOpt's service: routes, or the values of a mixed integer program.
told_answer read_cuopt(std::string_view text, answer_frame const& frame);

/// The lines of a text, without their ends; numbers from 1.
class text_lines {
public:
    explicit text_lines(std::string_view text) : rest_(text) {}
    /// False behind the last one.
    bool next(std::string_view& line);
    [[nodiscard]] std::int64_t number() const { return number_; }

private:
    std::string_view rest_;
    std::int64_t number_ = 0;
};

/// Without blanks around it.
std::string_view trimmed(std::string_view text);
/// Takes the first word off a text; empty where there is none.
std::string_view take_word(std::string_view& text);
/// For sentences: short, and without what would disturb a terminal.
std::string shown(std::string_view text);

/// The block that values of the things make: those at 1, or all of them.
std::vector<std::int32_t> block_of_values(std::span<std::int32_t const> values, answer_frame const& frame);
std::vector<std::int32_t> block_of_lists(std::vector<std::vector<std::int32_t>> const& lists);
/// Throws answer_fault: this format has no answers of that shape.
[[noreturn]] void refuse_shape(answer_frame const& frame, std::string_view format, std::string_view takes);

}  // namespace optgap::cli
