#include "host/rows/json/line_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "optgap/status.hpp"

namespace optgap::rows {
namespace {

constexpr std::size_t chunk = std::size_t(1) << 20;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string system_message() { return std::strerror(errno); }

int open_spool() {
    char const* const folder = std::getenv("TMPDIR");
    std::string path = fmt::format("{}/optgap.XXXXXX", folder != nullptr && *folder != '\0' ? folder : "/tmp");
    int const fd = mkostemp(path.data(), O_CLOEXEC);
    if (fd < 0) {
        throw error(status::internal, fmt::format("cannot keep the input for a second pass in {}: {}; set TMPDIR", path,
                                                  system_message()));
    }
    unlink(path.c_str());
    return fd;
}

void write_all(int fd, char const* data, std::size_t size) {
    while (size > 0) {
        ssize_t const n = write(fd, data, size);
        if (n < 0 && errno != EINTR) {
            throw error(status::internal,
                        fmt::format("cannot write a temporary file: {}; set TMPDIR", system_message()));
        }
        data += n > 0 ? n : 0;
        size -= std::size_t(n > 0 ? n : 0);
    }
}

/// Rejects files that hold no lines, by their first bytes, and names what converts them.
void require_lines(int fd, std::int64_t start, std::string const& path) {
    struct packed {
        std::string_view magic;
        char const* what;
        char const* fix;
    };
    constexpr packed kinds[] = {
        {"PAR1", "Parquet", "the command of the Python package reads it: pip install 'optgap[dataset]'"},
        {"\x1F\x8B", "compressed by gzip", "zcat FILE | optgap … -"},
        {"\x28\xB5\x2F\xFD", "compressed by zstd", "zstdcat FILE | optgap … -"}};
    char head[4] = {};
    ssize_t const size = pread(fd, head, sizeof head, start);
    for (packed const& kind : kinds) {
        if (size > 0 && std::string_view(head, std::size_t(size)).starts_with(kind.magic)) {
            misuse(fmt::format("'{}' is {}, expected lines of JSON: {}", path, kind.what, kind.fix));
        }
    }
}

bool is_blank_line(std::string_view text) { return text.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

line_reader::source line_reader::open_source(std::string const& path, bool twice) {
    source from;
    from.name = path == "-" ? "stdin" : path;
    from.fd = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (from.fd < 0) {
        misuse(fmt::format("cannot open '{}': {}", path, system_message()));
    }
    struct stat info {};
    if (fstat(from.fd, &info) == 0 && S_ISREG(info.st_mode)) {
        from.regular = true;
        from.start = from.position = std::max<std::int64_t>(0, lseek(from.fd, 0, SEEK_CUR));
        require_lines(from.fd, from.start, from.name);
    } else if (twice) {
        from.spool = open_spool();
    }
    return from;
}

line_reader::line_reader(std::vector<std::string> const& paths, bool twice) {
    for (std::string const& path : paths) {
        sources_.push_back(open_source(path, twice));
    }
}

line_reader::~line_reader() {
    for (source const& from : sources_) {
        close(from.fd);
        if (from.spool >= 0) {
            close(from.spool);
        }
    }
}

std::int64_t line_reader::bytes_total() const {
    std::int64_t total = 0;
    for (source const& from : sources_) {
        struct stat info {};
        if (!from.regular || fstat(from.fd, &info) != 0) {
            return -1;
        }
        total += std::int64_t(info.st_size) - from.start;
    }
    return total;
}

bool line_reader::fill(source& from) {
    std::size_t wanted = chunk;
    if (from.end >= 0) {
        wanted = std::min(wanted, std::size_t(from.end - from.position));
    }
    if (buffer_.size() < used_ + wanted) {
        buffer_.resize(std::max(used_ + wanted, buffer_.size() * 2));
    }
    ssize_t n = 0;
    do {
        n = from.regular ? pread(from.fd, buffer_.data() + used_, wanted, from.position)
                         : read(from.fd, buffer_.data() + used_, wanted);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        throw error(status::internal, fmt::format("cannot read {}: {}", from.name, system_message()));
    }
    if (from.spool >= 0 && !from.regular) {
        write_all(from.spool, buffer_.data() + used_, std::size_t(n));
    }
    from.position += n;
    bytes_read_ += n;
    used_ += std::size_t(n);
    return n > 0;
}

bool line_reader::would_wait(source const& from) const {
    pollfd waiting{from.fd, POLLIN, 0};
    return !from.regular && poll(&waiting, 1, 0) == 0;
}

std::size_t line_reader::skip_blanks(std::size_t at) const {
    while (at < used_ && std::strchr(" \t\r\n", buffer_[at]) != nullptr && buffer_[at] != '\0') {
        ++at;
    }
    return at;
}

/// Decides between an array of objects and lines: no line that is a row begins with a bracket.
void line_reader::find_form(bool at_end) {
    std::string_view const head(buffer_.data(), used_);
    std::size_t const first = skip_blanks(head.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
    bool const bracket = first < used_ && buffer_[first] == '[';
    std::size_t const second = bracket ? skip_blanks(first + 1) : first;
    if (second == used_ && !at_end) {
        return;
    }
    bool const array = bracket && second < used_ && buffer_[second] == '{';
    form_ = array ? form::array : form::lines;
    behind_object_ = false;
    taken_ = searched_ = array ? second : taken_;
}

void line_reader::refuse_array(char const* what) const {
    misuse(fmt::format("'{}' is no JSON array of objects: {} behind its object {}", sources_[current_].name, what,
                       line_number_));
}

/// Moves one object of an array from the buffer to `extents_`; returns false when its end is not there yet. Replaces
/// its line breaks by blanks, so that the row stays one line: JSON strings contain no line breaks.
bool line_reader::take_object(bool at_end) {
    for (; searched_ < used_; ++searched_) {
        char& byte = buffer_[searched_];
        if (in_string_) {
            if (byte == '\\' && searched_ + 1 == used_ && !at_end) {
                return false;  // the escaped character is not there yet
            }
            searched_ += byte == '\\' && searched_ + 1 < used_ ? 1 : 0;
            in_string_ = byte != '"';
        } else if (byte == '\n' || byte == '\r' || byte == ' ' || byte == '\t') {
            byte = ' ';
            taken_ += depth_ == 0 ? 1 : 0;
        } else if (depth_ > 0) {
            in_string_ = byte == '"';
            depth_ += byte == '{' || byte == '[' ? 1 : byte == '}' || byte == ']' ? -1 : 0;
            if (depth_ == 0) {
                ++searched_;
                behind_object_ = true;
                extents_.push_back({taken_, searched_ - taken_, ++line_number_});
                taken_ = searched_;
                return true;
            }
        } else if (form_ == form::array_closed) {
            refuse_array("there is more");
        } else if (byte == '{' && !behind_object_) {
            depth_ = 1;
            taken_ = searched_;
        } else if ((byte == ',' || byte == ']') && behind_object_) {
            behind_object_ = false;
            form_ = byte == ']' ? form::array_closed : form_;
            taken_ = searched_ + 1;
        } else {
            refuse_array(behind_object_ ? "no comma stands" : "no other object stands");
        }
    }
    if (at_end && form_ != form::array_closed) {
        refuse_array("it ends without ]");
    }
    return false;
}

bool line_reader::take_row(bool at_end) {
    if (form_ == form::unknown) {
        find_form(at_end);
    }
    return form_ == form::lines ? take_line(at_end) : form_ != form::unknown && take_object(at_end);
}

/// Moves one line from the buffer to `extents_`; returns false when its end is not there yet.
bool line_reader::take_line(bool at_end) {
    char const* const data = buffer_.data();
    auto const* stop =
        used_ == searched_ ? nullptr : static_cast<char const*>(std::memchr(data + searched_, '\n', used_ - searched_));
    if (stop == nullptr && (!at_end || taken_ == used_)) {
        searched_ = used_;
        return false;
    }
    std::size_t const end = stop == nullptr ? used_ : std::size_t(stop - data);
    std::string_view text(data + taken_, end - taken_);
    if (++line_number_ == 1 && text.starts_with(byte_order_mark)) {
        text.remove_prefix(byte_order_mark.size());
    }
    if (text.ends_with('\r')) {
        text.remove_suffix(1);
    }
    if (is_blank_line(text)) {
        ++blank_lines_;
    } else {
        extents_.push_back({std::size_t(text.data() - data), text.size(), line_number_});
    }
    taken_ = stop == nullptr ? end : end + 1;
    searched_ = taken_;
    return true;
}

void line_reader::next_source() {
    ++current_;
    line_number_ = 0;
    used_ = taken_ = searched_ = 0;
    form_ = form::unknown;
}

/// Drops what was handed out. Call it only while no view into the buffer is live.
void line_reader::compact() {
    if (taken_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + taken_, used_ - taken_);
        used_ -= taken_;
        searched_ -= taken_;
        taken_ = 0;
    }
}

bool line_reader::next(std::vector<text_line>& lines, batch_limits const& limits) {
    lines.clear();
    extents_.clear();
    compact();
    auto const full = [&] {
        return std::int64_t(extents_.size()) >= limits.rows ||
               (!extents_.empty() && std::int64_t(taken_ - extents_.front().begin) >= limits.bytes);
    };
    while (current_ < sources_.size()) {
        source& from = sources_[current_];
        while (!full() && take_row(false)) {
        }
        if (full() || (!extents_.empty() && would_wait(from))) {
            break;
        }
        if (extents_.empty()) {
            compact();
        }
        if (fill(from)) {
            continue;
        }
        take_row(true);
        if (!extents_.empty()) {
            break;
        }
        next_source();
    }
    for (extent const& line : extents_) {
        lines.push_back({{buffer_.data() + line.begin, line.size}, line.number});
    }
    return !lines.empty();
}

void line_reader::rewind() {
    for (source& from : sources_) {
        if (!from.regular) {
            std::swap(from.fd, from.spool);
            from.regular = true;
        }
        from.end = from.position;
        from.position = from.start;
    }
    current_ = 0;
    line_number_ = bytes_read_ = blank_lines_ = 0;
    used_ = taken_ = searched_ = 0;
    form_ = form::unknown;
}

}  // namespace optgap::rows
