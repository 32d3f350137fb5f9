#include "tools/cli/rows/row_stream.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

namespace optgap::cli {
namespace {

constexpr std::size_t block = std::size_t(1) << 20;

}  // namespace

row_input::row_input(context const& ctx, std::vector<std::string> const& files, std::string label, batch_limits limits,
                     bool twice)
    : reader_(files, twice), limits_(limits), progress_(std::move(label), "B", reader_.bytes_total(), ctx.quiet) {}

std::span<row_item> row_input::next() {
    progress_.update(reader_.bytes_read());
    reader_.next(lines_, limits_);
    items_.resize(std::max(items_.size(), lines_.size()));
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        items_[i].take(lines_[i].text, lines_[i].number);
    }
    return std::span(items_).first(lines_.size());
}

void row_input::finish(context const& ctx) const {
    if (reader_.blank_lines() > 0) {
        ctx.note(fmt::format("left out {} blank line{}", reader_.blank_lines(), reader_.blank_lines() == 1 ? "" : "s"));
    }
}

row_writer row_output::begin(row_item const& item, std::span<std::string_view const> added) {
    if (!item.has_old_error) {
        return {buffer_, &item.row, added};
    }
    std::vector<std::string_view> dropped(added.begin(), added.end());
    dropped.push_back("error");
    return {buffer_, &item.row, dropped};
}

void row_output::reject(row_item const& item) {
    constexpr std::string_view dropped[] = {"error"};
    count_rejected(item.number, item.field, item.rule);
    if (item.has_old_error) {
        row_writer(buffer_, &item.row).finish();
    } else {
        row_writer row(buffer_, item.is_object ? &item.row : nullptr, dropped);
        row.error(item.number, item.field, item.rule);
        row.finish();
    }
    end_row();
}

void row_output::count_rejected(std::int64_t number, std::string_view field, std::string_view rule) {
    if (rejected_++ == 0) {
        first_rejected_ = fmt::format("row {}, {}: {}", number, field, rule);
    }
}

void row_output::end_row() {
    if (buffer_.size() >= block) {
        flush();
    }
}

void row_output::flush() {
    write_stdout(buffer_);
    buffer_.clear();
}

void row_output::finish(context& ctx) {
    flush();
    if (rejected_ > 0) {
        ctx.note(fmt::format("{} row{} rejected, first {}", rejected_, rejected_ == 1 ? "" : "s", first_rejected_));
        ctx.end_with(exit_rejected);
    }
}

void write_stdout(std::string_view text) {
    while (!text.empty()) {
        ssize_t const n = write(STDOUT_FILENO, text.data(), text.size());
        if (n < 0 && errno != EINTR) {
            throw io_error(fmt::format("cannot write to stdout: {}", std::strerror(errno)));
        }
        text.remove_prefix(std::size_t(n > 0 ? n : 0));
    }
}

}  // namespace optgap::cli
