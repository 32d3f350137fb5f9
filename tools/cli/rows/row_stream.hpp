#pragma once
// Rows in, rows out, in the same order: what every command that reads JSONL goes through.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/rows/json/line_reader.hpp"
#include "host/rows/read/row_item.hpp"
#include "tools/cli/shell/context.hpp"
#include "tools/cli/shell/progress.hpp"

namespace optgap::cli {

class row_input {
public:
    row_input(context const& ctx, std::vector<std::string> const& files, std::string label, batch_limits limits = {},
              bool twice = false);

    /// The next batch, empty at the end. Rows are good until the next call.
    std::span<row_item> next();
    void rewind() { reader_.rewind(); }
    /// Which file the rows of a batch are of.
    [[nodiscard]] std::string const& file() const { return reader_.file(); }
    /// Says how many blank lines were left out.
    void finish(context const& ctx) const;

private:
    line_reader reader_;
    batch_limits limits_;
    progress progress_;
    std::vector<text_line> lines_;
    std::vector<row_item> items_;
};

/// Buffered stdout. A reader that closes the pipe ends the program quietly, by SIGPIPE.
class row_output {
public:
    /// Begins a row that was done; keys of `added` are dropped from what passes through.
    row_writer begin(row_item const& item, std::span<std::string_view const> added);
    /// Writes a row that was not.
    void reject(row_item const& item);
    /// The buffer, for rows without an input row.
    [[nodiscard]] std::string& buffer() { return buffer_; }
    void count_rejected(std::int64_t number, std::string_view field, std::string_view rule);

    /// Writes once a large block is there.
    void end_row();
    void flush();
    /// Flushes; with rejected rows sets exit_rejected and says so on stderr.
    void finish(context& ctx);

private:
    std::string buffer_;
    std::int64_t rejected_ = 0;
    std::string first_rejected_;
};

/// Writes all of it to stdout; throws io_error.
void write_stdout(std::string_view text);

}  // namespace optgap::cli
