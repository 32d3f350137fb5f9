#include "host/rubric/checks/splits.hpp"

#include <algorithm>

#include "host/rubric/checks/python_text.hpp"

namespace optgap::rubrics {

std::vector<std::string_view> split_at_stars(std::string_view text) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t found; (found = text.find("***", begin)) != std::string_view::npos;) {
        std::size_t end = found;
        if (end > begin) {
            decoded const before = decode_before(text, end);
            end -= is_a(before.point, is_space) && end - before.size >= begin ? before.size : 0;
        }
        parts.push_back(text.substr(begin, end - begin));
        begin = found + 3;
        begin += begin < text.size() ? space_size(text, begin) : 0;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

std::int64_t counted_parts(std::vector<std::string_view> const& parts, bool full) {
    auto count = std::int64_t(parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
        if (is_blank(parts[k])) {
            if (k > 0 && k + 1 < parts.size()) {
                return -1;
            }
            --count;
        } else if (full && pieces_of(parts[k]).size() < 2) {
            return -1;
        }
    }
    return count;
}

std::int64_t count_bullets(std::string_view text, char marker) {
    std::int64_t count = 0;
    auto const next_line = [&](std::size_t at) {
        std::size_t const end = text.find('\n', at);
        return end == std::string_view::npos ? text.size() : end;
    };
    for (std::size_t line = 0; line <= text.size();) {
        std::size_t at = line;
        for (std::size_t size = 0; at < text.size() && (size = space_size(text, at)) > 0;) {
            at += size;
        }
        // Every line that begins within this white space reaches the same place.
        std::size_t behind = at;
        if (at < text.size() && text[at] == marker) {
            bool const counts = marker != '*' || (at + 1 < text.size() && text[at + 1] != '*');
            count += counts;
            behind = counts && marker == '*' ? at + 1 + decode(text, at + 1).size : at + 1;
        }
        line = next_line(behind) + 1;
    }
    return count;
}

namespace {

/// The next place of either byte.
std::size_t next_of(std::string_view text, std::size_t at, char one, char other) {
    while (at < text.size() && text[at] != one && text[at] != other) {
        ++at;
    }
    return at < text.size() ? at : std::string_view::npos;
}

}  // namespace

std::int64_t count_highlights(std::string_view text, bool twice) {
    std::string_view const mark = twice ? "**" : "*";
    std::int64_t count = 0;
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string_view::npos;) {
        std::size_t const inside = at + mark.size();
        std::size_t const end = next_of(text, inside, '*', '\n');
        if (end == std::string_view::npos) {
            break;
        }
        if (text.substr(end, mark.size()) == mark) {
            count += !is_blank(text.substr(inside, end - inside));
            at = end + mark.size();
        } else {
            ++at;
        }
    }
    return count;
}

std::int64_t count_brackets(std::string_view text) {
    std::int64_t count = 0;
    for (std::size_t at = 0; (at = text.find('[', at)) != std::string_view::npos;) {
        std::size_t const end = next_of(text, at + 1, ']', '\n');
        if (end == std::string_view::npos) {
            break;
        }
        count += text[end] == ']';
        at = end + 1;
    }
    return count;
}

bool has_angle_title(std::string_view text) {
    if (!contains(text, "<<")) {
        return false;
    }
    for (std::string_view const line : split_at(text, "\n")) {
        std::size_t const open = line.find("<<");
        std::size_t const close = line.rfind(">>");
        if (open == std::string_view::npos || close == std::string_view::npos || close < open + 3) {
            continue;
        }
        std::string_view title = line.substr(open, close + 2 - open);
        title.remove_prefix(std::min(title.find_first_not_of('<'), title.size()));
        std::size_t const last = title.find_last_not_of('>');
        if (last != std::string_view::npos && !is_blank(title.substr(0, last + 1))) {
            return true;
        }
    }
    return false;
}

namespace {

/// The automaton of csv.reader with its default dialect and any delimiter.
class csv_reader {
public:
    explicit csv_reader(char delimiter) : delimiter_(delimiter) {}

    csv_rows read(std::string_view text) {
        csv_rows out;
        while (!text.empty()) {
            std::size_t const end = text.find('\n');
            std::string_view const line = text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
            text.remove_prefix(line.size());
            for (char const byte : line) {
                if (!take(byte, false)) {
                    return out;
                }
            }
            if (!take('\n', true)) {
                return out;
            }
            if (where_ == state::record) {
                out.rows.push_back(std::move(row_));
                row_.clear();
            }
        }
        if (where_ == state::quoted) {
            save();
            out.rows.push_back(std::move(row_));
        }
        out.valid = true;
        return out;
    }

private:
    enum class state { record, field_begin, field, quoted, quote_in_quoted, line_end };
    static constexpr std::size_t longest_field = 131072;

    void save() {
        row_.push_back(field_);
        field_.clear();
    }
    bool add(char byte) {
        field_ += byte;
        return field_.size() <= longest_field;
    }
    /// Whether a field ends here: at a delimiter or at the end of its line.
    bool closes(char byte, bool breaks, bool end) {
        if (!breaks && byte != delimiter_) {
            return false;
        }
        save();
        where_ = !breaks ? state::field_begin : end ? state::record : state::line_end;
        return true;
    }
    /// `end` marks the end of a line, after its own line break.
    bool take(char byte, bool end) {
        bool const breaks = end || byte == '\n' || byte == '\r';
        switch (where_) {
            case state::record:
                if (end) {
                    return true;
                }
                if (breaks) {
                    where_ = state::line_end;
                    return true;
                }
                [[fallthrough]];
            case state::field_begin:
                if (!breaks && byte == '"') {
                    where_ = state::quoted;
                    return true;
                }
                where_ = state::field;
                [[fallthrough]];
            case state::field: return closes(byte, breaks, end) || add(byte);
            case state::quoted:
                if (end) {
                    return true;
                }
                if (byte == '"') {
                    where_ = state::quote_in_quoted;
                    return true;
                }
                return add(byte);
            case state::quote_in_quoted:
                if (!breaks && byte == '"') {
                    where_ = state::quoted;
                    return add(byte);
                }
                where_ = state::field;
                return closes(byte, breaks, end) || add(byte);
            case state::line_end:
                if (end) {
                    where_ = state::record;
                }
                return breaks;
        }
        return false;
    }

    char delimiter_;
    state where_ = state::record;
    std::string field_;
    std::vector<std::string> row_;
};

}  // namespace

csv_rows read_csv(std::string_view text, char delimiter) { return csv_reader(delimiter).read(text); }

}  // namespace optgap::rubrics
