#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace optgap::rows {

struct text_line {
    std::string_view text;    ///< without its line break
    std::int64_t number = 0;  ///< 1-based, within its file; of an object, within its array
};

/// How much one batch may hold. The line that crosses `bytes` is the last of its batch.
struct batch_limits {
    std::int64_t rows = 4096;
    std::int64_t bytes = std::int64_t(64) << 20;
};

/// Lines of files and pipes ("-" is stdin) in batches, so that memory is bounded by a batch and the longest line. Lines
/// that are blank are counted and left out; CRLF and a UTF-8 byte order mark are accepted. What begins with `[` and `{`
/// is one JSON array, and each of its objects stands for a line, whatever line breaks it has between its values. A
/// batch never spans files, and a pipe that pauses ends its batch. Errors of the system throw error{internal}, a file
/// that cannot be opened and an array that is none error{invalid_argument}.
class line_reader {
public:
    /// twice: `rewind` will be called, so what comes through a pipe is kept in an unlinked temporary file.
    explicit line_reader(std::vector<std::string> const& paths, bool twice = false);
    ~line_reader();
    line_reader(line_reader const&) = delete;
    line_reader& operator=(line_reader const&) = delete;

    /// Views are good until the next call. False when everything is read.
    bool next(std::vector<text_line>& lines, batch_limits const& limits);
    /// Starts again, and stops where the first pass ended even if a file has grown.
    void rewind();

    [[nodiscard]] std::int64_t bytes_read() const { return bytes_read_; }
    /// -1 when a pipe is among the files.
    [[nodiscard]] std::int64_t bytes_total() const;
    [[nodiscard]] std::int64_t blank_lines() const { return blank_lines_; }
    /// Which file the lines of the last call are of.
    [[nodiscard]] std::string const& file() const { return sources_[current_].name; }

private:
    struct source {
        std::string name;
        int fd = -1;
        int spool = -1;  ///< where a pipe's bytes are kept for the second pass
        bool regular = false;
        std::int64_t start = 0;     ///< first byte; stdin may be redirected from the middle of a file
        std::int64_t position = 0;  ///< next byte to read
        std::int64_t end = -1;      ///< known from the second pass on
    };
    struct extent {
        std::size_t begin;
        std::size_t size;
        std::int64_t number;
    };

    /// What the bytes of a source are.
    enum class form { unknown, lines, array, array_closed };

    static source open_source(std::string const& path, bool twice);
    bool fill(source& from);
    bool take_row(bool at_end);
    bool take_line(bool at_end);
    bool take_object(bool at_end);
    /// The next byte from `at` on that is no white space of JSON, or used_.
    [[nodiscard]] std::size_t skip_blanks(std::size_t at) const;
    void find_form(bool at_end);
    [[noreturn]] void refuse_array(char const* what) const;
    [[nodiscard]] bool would_wait(source const& from) const;
    void compact();
    void next_source();

    std::vector<source> sources_;
    std::size_t current_ = 0;
    std::vector<char> buffer_;
    std::size_t used_ = 0;      ///< bytes of the buffer that are filled
    std::size_t taken_ = 0;     ///< bytes handed out
    std::size_t searched_ = 0;  ///< no end of a row in [taken_, searched_)
    form form_ = form::unknown;
    int depth_ = 0;  ///< brackets open at searched_, in an array's object
    bool in_string_ = false;
    bool behind_object_ = false;  ///< of an array: a comma or its end comes next
    std::vector<extent> extents_;
    std::int64_t line_number_ = 0;
    std::int64_t bytes_read_ = 0;
    std::int64_t blank_lines_ = 0;
};

}  // namespace optgap::rows
