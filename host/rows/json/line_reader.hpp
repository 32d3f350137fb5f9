#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace optgap::rows {

struct text_line {
    std::string_view text;    ///< without its line break
    std::int64_t number = 0;  ///< 1-based line within its file, or object within its array
};

/// Limits of one batch. The line that crosses `bytes` is the last of its batch.
struct batch_limits {
    std::int64_t rows = 4096;
    std::int64_t bytes = std::int64_t(64) << 20;
};

/// Reads lines of files and pipes ("-" is stdin) in batches, so that memory is bounded by a batch and the longest line.
/// Blank lines are counted and left out. CRLF and a UTF-8 byte order mark are accepted. A file that begins with `[` and
/// `{` is one JSON array: each object stands for a line, whatever line breaks it contains. A batch never spans files,
/// and a pipe that pauses ends its batch. Errors of the system throw error{internal}. A file that cannot be opened and
/// a malformed array throw error{invalid_argument}.
class line_reader {
public:
    /// With `twice`, `rewind` will be called, so what a pipe delivers is kept in an unlinked temporary file.
    explicit line_reader(std::vector<std::string> const& paths, bool twice = false);
    ~line_reader();
    line_reader(line_reader const&) = delete;
    line_reader& operator=(line_reader const&) = delete;

    /// Returns false when everything is read. Views are valid until the next call.
    bool next(std::vector<text_line>& lines, batch_limits const& limits);
    /// Starts again. The second pass stops where the first one ended, even if a file has grown.
    void rewind();

    [[nodiscard]] std::int64_t bytes_read() const { return bytes_read_; }
    /// The bytes of all files; -1 when a pipe is among them.
    [[nodiscard]] std::int64_t bytes_total() const;
    [[nodiscard]] std::int64_t blank_lines() const { return blank_lines_; }
    /// The file of the last call's lines.
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

    /// The form of a source's content.
    enum class form { unknown, lines, array, array_closed };

    static source open_source(std::string const& path, bool twice);
    bool fill(source& from);
    bool take_row(bool at_end);
    bool take_line(bool at_end);
    bool take_object(bool at_end);
    /// The next byte from `at` on that is not JSON white space, or used_.
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
    std::size_t searched_ = 0;  ///< [taken_, searched_) contains no end of a row
    form form_ = form::unknown;
    int depth_ = 0;  ///< open brackets at searched_, within an array's object
    bool in_string_ = false;
    bool behind_object_ = false;  ///< within an array: a comma or its end comes next
    std::vector<extent> extents_;
    std::int64_t line_number_ = 0;
    std::int64_t bytes_read_ = 0;
    std::int64_t blank_lines_ = 0;
};

}  // namespace optgap::rows
