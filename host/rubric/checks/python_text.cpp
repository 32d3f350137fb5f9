#include "host/rubric/checks/python_text.hpp"

#include <algorithm>

namespace optgap::rubrics {

namespace {

bool is_word_before(std::string_view text, std::size_t at) {
    return at > 0 && is_a(decode_before(text, at).point, is_word);
}

template <class Keep>
std::string_view cut_left(std::string_view text, Keep keep) {
    std::size_t at = 0;
    while (at < text.size() && !keep(text[at])) {
        ++at;
    }
    return text.substr(at);
}
template <class Keep>
std::string_view cut_right(std::string_view text, Keep keep) {
    std::size_t end = text.size();
    while (end > 0 && !keep(text[end - 1])) {
        --end;
    }
    return text.substr(0, end);
}

constexpr auto is_no_mark = [](char byte) { return !is_mark_byte(byte) && byte != ' '; };

}  // namespace

std::size_t wide_size(std::string_view text, std::size_t at, std::uint16_t classes) {
    decoded const one = decode(text, at);
    return !one.broken && is_a(one.point, classes) ? one.size : 0;
}

bool is_boundary(std::string_view text, std::size_t at) {
    return is_word_before(text, at) != (at < text.size() && word_size(text, at) > 0);
}

std::string_view trimmed_left(std::string_view text) {
    std::size_t at = 0;
    for (std::size_t size = 0; at < text.size() && (size = space_size(text, at)) > 0;) {
        at += size;
    }
    return text.substr(at);
}
std::string_view trimmed_right(std::string_view text) {
    std::size_t end = text.size();
    while (end > 0) {
        if (is_ascii_byte(text[end - 1])) {
            if (space_size(text, end - 1) == 0) {
                break;
            }
            --end;
            continue;
        }
        decoded const one = decode_before(text, end);
        if (one.broken || !is_a(one.point, is_space)) {
            break;
        }
        end -= one.size;
    }
    return text.substr(0, end);
}
std::string_view trimmed(std::string_view text) { return trimmed_right(trimmed_left(text)); }

std::string_view without_marks_left(std::string_view text) { return cut_left(text, is_no_mark); }
std::string_view without_marks_right(std::string_view text) { return cut_right(text, is_no_mark); }
std::string_view without_marks(std::string_view text) { return without_marks_right(without_marks_left(text)); }
std::string_view without_ends(std::string_view text, char byte) {
    auto const keep = [byte](char other) { return other != byte; };
    return cut_right(cut_left(text, keep), keep);
}

void split_pieces(std::string_view text, std::vector<place>& out) {
    out.clear();
    if (is_ascii_text(text)) {
        std::uint64_t before = 0;
        auto const no_space = [](bytes16 value) { return ~(within(value, 9, 13) | within(value, 28, 32)); };
        std::size_t ends = 0;
        each_block(text, 0, no_space, [&](std::uint64_t mask, std::size_t begin) {
            std::uint64_t const shifted = mask << 1 | before;
            before = mask >> 63;
            for (std::uint64_t begins = mask & ~shifted; begins != 0; begins &= begins - 1) {
                auto const at = std::uint32_t(begin + std::size_t(std::countr_zero(begins)));
                out.push_back({at, std::uint32_t(text.size())});
            }
            for (std::uint64_t behind = ~mask & shifted; behind != 0; behind &= behind - 1) {
                auto const at = std::uint32_t(begin + std::size_t(std::countr_zero(behind)));
                out[ends++].end = std::min(at, std::uint32_t(text.size()));
            }
            return true;
        });
        return;
    }
    split_pieces_of_points(text, out);
}
void split_pieces_of_points(std::string_view text, std::vector<place>& out) {
    out.clear();
    for (std::size_t at = 0; at < text.size();) {
        if (std::size_t const space = space_size(text, at); space > 0) {
            at += space;
            continue;
        }
        std::size_t const begin = at;
        while (at < text.size() && space_size(text, at) == 0) {
            at += point_size(text, at);
        }
        out.push_back({std::uint32_t(begin), std::uint32_t(at)});
    }
}
std::vector<std::string_view> pieces_of(std::string_view text) {
    std::vector<place> places;
    split_pieces(text, places);
    std::vector<std::string_view> pieces;
    pieces.reserve(places.size());
    for (place const& one : places) {
        pieces.push_back(text.substr(one.begin, one.size()));
    }
    return pieces;
}

std::vector<std::string_view> split_at(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> parts;
    for (std::size_t found; (found = text.find(separator)) != std::string_view::npos;) {
        parts.push_back(text.substr(0, found));
        text.remove_prefix(found + separator.size());
    }
    parts.push_back(text);
    return parts;
}

std::string lowered(std::string_view text) {
    std::string out;
    python_lower(text, out);
    return out;
}

void fold_points(std::string_view text, std::string& out) {
    if (is_ascii_text(text)) {
        lower_ascii(text, out);
        return;
    }
    map_points(text, out, [&](decoded const& one, std::size_t) { append_point(out, python_fold(one.point)); });
}

void delete_marks(std::string_view text, std::string& out) {
    out.resize(text.size());
    char* next = out.data();
    std::size_t begin = 0;  // after the last mark
    each_byte(
        text,
        [](bytes16 value) {
            return within(value, 33, 47) | within(value, 58, 64) | within(value, 91, 96) | within(value, 123, 126);
        },
        [&](std::size_t mark) {
            std::memcpy(next, text.data() + begin, mark - begin);
            next += mark - begin;
            begin = mark + 1;
            return true;
        });
    if (begin < text.size()) {
        std::memcpy(next, text.data() + begin, text.size() - begin);
        next += text.size() - begin;
    }
    out.resize(std::size_t(next - out.data()));
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t found; (found = text.find(from)) != std::string_view::npos;) {
        out.append(text.substr(0, found)).append(to);
        text.remove_prefix(found + from.size());
    }
    return out.append(text);
}

std::int64_t point_count(std::string_view text) {
    if (is_ascii_text(text)) {
        return std::int64_t(text.size());
    }
    std::int64_t count = 0;
    for (std::size_t at = 0; at < text.size(); at += decode(text, at).size) {
        ++count;
    }
    return count;
}

std::string_view first_point(std::string_view text) {
    return text.empty() ? text : text.substr(0, decode(text, 0).size);
}
std::string_view last_point(std::string_view text) {
    return text.empty() ? text : text.substr(text.size() - decode_before(text, text.size()).size);
}

namespace {

bool has_one_case(std::string_view text, std::uint16_t wanted, std::uint16_t other) {
    bool some = false;
    for (std::size_t at = 0; at < text.size();) {
        if (is_ascii_byte(text[at])) {
            bool const upper = text[at] >= 'A' && text[at] <= 'Z';
            if (upper || (text[at] >= 'a' && text[at] <= 'z')) {
                if (upper != (wanted == is_upper)) {
                    return false;
                }
                some = true;
            }
            ++at;
            continue;
        }
        decoded const one = decode(text, at);
        std::uint16_t const classes = properties_of(one.point).classes;
        if ((classes & (other | is_title)) != 0) {
            return false;
        }
        some = some || (classes & wanted) != 0;
        at += one.size;
    }
    return some;
}

}  // namespace

bool is_upper_text(std::string_view text) { return has_one_case(text, is_upper, is_lower); }
bool is_lower_text(std::string_view text) { return has_one_case(text, is_lower, is_upper); }

bool is_digit_text(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const size = digit_size(text, at);
        if (size == 0) {
            return false;
        }
        at += size;
    }
    return !text.empty();
}

bool has_word_point(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); at += decode(text, at).size) {
        if (text[at] != '_' && word_size(text, at) > 0) {
            return true;
        }
    }
    return false;
}

std::int64_t count_of(std::string_view text, std::string_view part) {
    if (part.size() == 1) {
        return count_bytes(text, [&](bytes16 value) { return same(value, part[0]); });
    }
    std::int64_t count = 0;
    for (std::size_t at = 0; (at = find_part(text, part, at)) != std::string_view::npos; at += part.size()) {
        ++count;
    }
    return count;
}

bool is_palindrome(std::string_view text) {
    std::size_t low = 0;
    std::size_t high = text.size();
    while (low < high) {
        if (is_ascii_byte(text[low]) && is_ascii_byte(text[high - 1])) {
            if (text[low] != text[high - 1]) {
                return false;
            }
            ++low;
            --high;
            continue;
        }
        decoded const front = decode(text, low);
        decoded const back = decode_before(text, high);
        if (front.point != back.point) {
            return false;
        }
        low += front.size;
        high -= back.size;
    }
    return true;
}

}  // namespace optgap::rubrics
