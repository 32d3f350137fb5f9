#include "host/rows/json/jsonl.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "host/rows/json/string_stop.hpp"

namespace optgap {
namespace {

std::uint32_t hex4(char const* p) {
    std::uint32_t code = 0;
    for (int i = 0; i < 4; ++i) {
        char const c = p[i];
        auto const digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
        code = code * 16 + std::uint32_t(digit);
    }
    return code;
}

void append_utf8(std::string& out, std::uint32_t code) {
    auto const put = [&](std::uint32_t byte) { out.push_back(char(byte)); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | (code >> 6));
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | (code >> 12));
        put(0x80 | ((code >> 6) & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | (code >> 18));
        put(0x80 | ((code >> 12) & 0x3F));
        put(0x80 | ((code >> 6) & 0x3F));
        put(0x80 | (code & 0x3F));
    }
}

char simple_escape(char c) {
    switch (c) {
        case 'b': return '\b';
        case 'f': return '\f';
        case 'n': return '\n';
        case 'r': return '\r';
        case 't': return '\t';
        default: return c;
    }
}

/// Decodes \uXXXX at `p` (the backslash), with its second half when it opens a surrogate pair. Returns the end.
char const* decode_unicode(char const* p, char const* end, std::string& out) {
    std::uint32_t code = hex4(p + 2);
    p += 6;
    if (code >= 0xD800 && code < 0xE000) {
        if (code < 0xDC00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
            std::uint32_t const low = hex4(p + 2);
            if (low >= 0xDC00 && low < 0xE000) {
                append_utf8(out, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
                return p + 6;
            }
        }
        code = 0xFFFD;
    }
    append_utf8(out, code);
    return p;
}

void decode(std::string_view body, std::string& out) {
    char const* p = body.data();
    char const* const end = p + body.size();
    while (p < end) {
        auto const* slash = static_cast<char const*>(std::memchr(p, '\\', std::size_t(end - p)));
        out.append(p, slash == nullptr ? end : slash);
        if (slash == nullptr) {
            return;
        }
        if (slash[1] == 'u') {
            p = decode_unicode(slash, end, out);
        } else {
            out.push_back(simple_escape(slash[1]));
            p = slash + 2;
        }
    }
}

/// Returns the length of the well-formed UTF-8 sequence at `p`; 0 when there is none.
std::size_t utf8_length(char const* p, char const* end) {
    auto const byte = [&](std::size_t i) { return std::uint32_t(static_cast<unsigned char>(p[i])); };
    auto const left = std::size_t(end - p);
    std::uint32_t const lead = byte(0);
    if (lead < 0x80) {
        return 1;
    }
    std::size_t const length = lead < 0xC2 || lead > 0xF4 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 0 || left < length) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool const overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
    bool const beyond = (lead == 0xED && byte(1) >= 0xA0) || (lead == 0xF4 && byte(1) >= 0x90);
    return overlong || beyond ? 0 : length;
}

bool has_escape(std::string_view raw) { return std::memchr(raw.data(), '\\', raw.size()) != nullptr; }

}  // namespace

bool key_is(std::string_view raw_key, std::string_view name) {
    if (!has_escape(raw_key)) {
        return raw_key == name;
    }
    std::string decoded;
    decode(raw_key, decoded);
    return decoded == name;
}

void json_row::take(std::vector<json_field> fields) {
    fields_ = std::move(fields);
    note_escapes();
}

void json_row::note_escapes() {
    is_escaped_ = std::ranges::any_of(fields_, [](json_field const& one) { return has_escape(one.key); });
}

std::string_view const* json_row::find(std::string_view key) const {
    for (std::size_t i = fields_.size(); i-- > 0;) {
        if (fields_[i].key == key || (is_escaped_ && key_is(fields_[i].key, key))) {
            return &fields_[i].value;
        }
    }
    return nullptr;
}

std::string_view decode_json_string(std::string_view value, std::string& arena) {
    std::string_view const body = value.substr(1, value.size() - 2);
    if (!has_escape(body)) {
        return body;
    }
    std::size_t const begin = arena.size();
    decode(body, arena);
    return {arena.data() + begin, arena.size() - begin};
}

std::string decode_json_string(std::string_view value) {
    std::string out;
    decode(value.substr(1, value.size() - 2), out);
    return out;
}

void append_json_string(std::string& out, std::string_view text) {
    out.push_back('"');
    char const* p = text.data();
    char const* const end = p + text.size();
    while (p < end) {
        char const* const plain = string_stop<true>(p, end);
        out.append(p, plain);
        p = plain;
        if (p == end) {
            break;
        }
        char const c = *p;
        if (c == '"' || c == '\\') {
            out.push_back('\\');
            out.push_back(c);
            ++p;
        } else if (c == '\n') {
            out += "\\n";
            ++p;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            fmt::format_to(std::back_inserter(out), "\\u{:04x}", int(c));
            ++p;
        } else {
            std::size_t const length = utf8_length(p, end);
            if (length == 0) {
                out += "\xEF\xBF\xBD";
            } else {
                out.append(p, length);
            }
            p += length == 0 ? 1 : length;
        }
    }
    out.push_back('"');
}

void append_json_real(std::string& out, double value) {
    std::size_t const start = out.size();
    fmt::format_to(std::back_inserter(out), "{}", value);
    if (out.find_first_of(".e", start) == std::string::npos) {
        out += ".0";
    }
}

void row_sink::bounds(std::string_view name, std::int64_t objective, std::int64_t bound, std::int64_t none,
                      bool proven) {
    auto const number = [&](std::int64_t value) { return value == none ? std::string("null") : std::to_string(value); };
    raw(name, fmt::format(R"({{"objective":{},"bound":{},"proven":{}}})", number(objective), number(bound), proven));
}

row_writer::row_writer(std::string& out, json_row const* source, std::span<std::string_view const> dropped)
    : out_(out) {
    out_.push_back('{');
    if (source == nullptr) {
        return;
    }
    for (json_field const& field : source->fields()) {
        bool drop = false;
        for (std::string_view const name : dropped) {
            drop = drop || key_is(field.key, name);
        }
        if (!drop) {
            raw(field.key, field.value);
        }
    }
}

void row_writer::begin(std::string_view name) {
    out_ += empty_ ? "\"" : ",\"";
    empty_ = false;
    out_ += name;
    out_ += "\":";
}

void row_writer::raw(std::string_view name, std::string_view json_text) {
    begin(name);
    out_ += json_text;
}

void row_writer::text(std::string_view name, std::string_view value) {
    begin(name);
    append_json_string(out_, value);
}

void row_writer::integer(std::string_view name, std::int64_t value) {
    begin(name);
    fmt::format_to(std::back_inserter(out_), "{}", value);
}

void row_writer::real(std::string_view name, float value) {
    if (!std::isfinite(value)) {
        raw(name, "null");
        return;
    }
    begin(name);
    append_json_real(out_, double(value));
}

void row_writer::number(std::string_view name, double value) {
    std::isfinite(value) ? raw(name, fmt::format("{}", value)) : null(name);
}

void row_writer::integers(std::string_view name, std::span<std::int64_t const> values) {
    raw(name, fmt::format("[{}]", fmt::join(values, ",")));
}

void row_writer::error(std::int64_t row, std::string_view field, std::string_view rule) {
    begin("error");
    out_ += fmt::format(R"({{"row":{},"field":)", row);
    append_json_string(out_, field);
    out_ += R"(,"rule":)";
    append_json_string(out_, rule);
    out_.push_back('}');
}

void row_writer::finish() { out_ += "}\n"; }

}  // namespace optgap
