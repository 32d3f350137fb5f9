// Prepares a text for the pass: normal form, typography, hidden characters, fold.

#include <algorithm>

#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/text.hpp"
#include "optgap/status.hpp"

#ifdef OPTGAP_WITH_UTF8PROC
#include <utf8proc.h>

#include <cstdlib>
#endif

namespace optgap::rubrics {

namespace {

/// The plain form of a typographic character: up to three ASCII bytes; empty where there is none.
std::string_view plain_form(char32_t point) {
    static constexpr std::string_view printable =
        "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    if (point >= 0xFF01 && point <= 0xFF5E) {
        return printable.substr(point - 0xFF01, 1);
    }
    switch (point) {
        case 0x2018:
        case 0x2019:
        case 0x201A:
        case 0x201B:
        case 0x2032: return "'";
        case 0x201C:
        case 0x201D:
        case 0x201E:
        case 0x201F:
        case 0x2033:
        case 0xAB:
        case 0xBB: return "\"";
        case 0x2010:
        case 0x2011:
        case 0x2012:
        case 0x2013:
        case 0x2014:
        case 0x2015:
        case 0x2212: return "-";
        case 0xA0:
        case 0x202F:
        case 0x3000: return " ";
        case 0x2026: return "...";
        default: return {};
    }
}

char32_t folded(char32_t point, fold_rule fold) {
    switch (fold) {
        case fold_rule::simple: return simple_fold(point);
        case fold_rule::python: return python_fold(point);
        default: return point;
    }
}

#ifdef OPTGAP_WITH_UTF8PROC

/// Longer runs of marks stay unchanged, since ordering takes time quadratic in their length (and no writing has them).
constexpr std::size_t longest_mark_run = 30;

/// Whether a code point may join the one before it: marks, and the vowels and finals of Hangul.
bool joins_before(char32_t point) { return is_a(point, is_mark) || (point >= 0x1160 && point <= 0x11FF); }

void append_mapped(std::string_view text, utf8proc_option_t options, std::string& out) {
    utf8proc_uint8_t* result = nullptr;
    utf8proc_ssize_t const size = utf8proc_map(reinterpret_cast<utf8proc_uint8_t const*>(text.data()),
                                               utf8proc_ssize_t(text.size()), &result, options);
    if (size < 0) {
        throw error(status::internal, std::string("normal form: ") + utf8proc_errmsg(size));
    }
    out.append(reinterpret_cast<char const*>(result), std::size_t(size));
    std::free(result);
}

void append_normal(std::string_view text, normal_form form, std::string& out) {
    int const compat = form == normal_form::nfkc ? int(UTF8PROC_COMPAT) : 0;
    append_mapped(text, utf8proc_option_t(int(UTF8PROC_STABLE) | int(UTF8PROC_COMPOSE) | compat), out);
}

/// Computes the normal form by stretches. ASCII and long runs of marks are copied.
void normalise(std::string_view text, normal_form form, std::string& out) {
    std::size_t done = 0;     // copied or normalised so far
    std::size_t cluster = 0;  // place of the last code point that joins nothing before it
    std::size_t marks = 0;
    std::size_t skipping = 0;  // > 0: the cluster there is copied
    bool any = false;          // something in [done, at) is not ASCII
    auto const flush = [&](std::size_t end) {
        if (any) {
            append_normal(text.substr(done, end - done), form, out);
        } else {
            out.append(text.substr(done, end - done));
        }
        done = end;
        any = false;
    };
    for (std::size_t at = 0; at < text.size();) {
        decoded const one = decode(text, at);
        if (joins_before(one.point)) {
            if (++marks > longest_mark_run && skipping == 0) {
                any = any && cluster > done;
                flush(cluster);
                skipping = 1;
            }
        } else {
            if (skipping > 0) {
                out.append(text.substr(done, at - done));
                done = at;
                any = false;
            }
            skipping = 0;
            marks = 0;
            cluster = at;
        }
        any = any || one.point >= 0x80;
        at += one.size;
    }
    if (skipping > 0) {
        out.append(text.substr(done));
        return;
    }
    flush(text.size());
}

#endif

/// Whether the text is obviously its own normal form: NFC of ASCII and Latin-1 is.
bool is_normal(std::string_view text, normal_form form) {
    if (form == normal_form::none) {
        return true;
    }
    for (std::size_t at = 0; at < text.size();) {
        decoded const one = decode(text, at);
        if (one.point >= 0x300 || (form == normal_form::nfkc && one.point >= 0x80)) {
            return false;
        }
        at += one.size;
    }
    return true;
}

void append_prepared(std::string_view text, text_rules const& rules, std::string& out, std::int64_t& hidden) {
    for (std::size_t at = 0; at < text.size();) {
        auto const byte = static_cast<unsigned char>(text[at]);
        if (byte < 0x80) {
            out += rules.fold != fold_rule::none && byte >= 'A' && byte <= 'Z' ? char(byte + 32) : char(byte);
            ++at;
            continue;
        }
        decoded const one = decode(text, at);
        at += one.size;
        if (is_a(one.point, is_format)) {
            ++hidden;
            if (rules.drop_hidden) {
                continue;
            }
        }
        if (std::string_view const plain = rules.typography ? plain_form(one.point) : std::string_view{};
            !plain.empty()) {
            for (char const letter : plain) {
                append_point(out, folded(char32_t(letter), rules.fold));
            }
            continue;
        }
        append_point(out, folded(one.point, rules.fold));
    }
}

}  // namespace

bool has_normal_forms() {
#ifdef OPTGAP_WITH_UTF8PROC
    return true;
#else
    return false;
#endif
}

std::string ascii_form(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        decoded const one = decode(text, at);
        at += one.size;
        if (one.point < 0x80) {
            out += char(one.point);
            continue;
        }
#ifdef OPTGAP_WITH_UTF8PROC
        // Marks need no order here, since all of them are dropped.
        constexpr utf8proc_ssize_t most = 32;
        utf8proc_int32_t parts[most];
        int last_class = 0;
        auto const options = utf8proc_option_t(int(UTF8PROC_DECOMPOSE) | int(UTF8PROC_COMPAT));
        utf8proc_ssize_t const count =
            utf8proc_decompose_char(utf8proc_int32_t(one.point), parts, most, options, &last_class);
        for (utf8proc_ssize_t k = 0; k < std::min(count, most); ++k) {
            if (parts[k] < 0x80) {
                out += char(parts[k]);
            }
        }
#endif
    }
    return out;
}

std::int64_t prepare(std::string_view text, text_rules const& rules, std::string& out) {
    if (text.size() > longest_text) {
        misuse("text: " + std::to_string(text.size()) + " bytes; a text has at most " + std::to_string(longest_text));
    }
    if (rules.normal != normal_form::none && !has_normal_forms()) {
        misuse("normal: this build has no normal forms (utf8proc was not found); use \"none\"");
    }
    out.clear();
    out.reserve(text.size());
    std::int64_t hidden = 0;
    if (is_normal(text, rules.normal)) {
        append_prepared(text, rules, out, hidden);
        return hidden;
    }
    std::string normal;
#ifdef OPTGAP_WITH_UTF8PROC
    // Broken bytes become U+FFFD first.
    std::string whole;
    append_prepared(text, {}, whole, hidden);
    hidden = 0;
    normalise(whole, rules.normal, normal);
#endif
    append_prepared(normal, rules, out, hidden);
    return hidden;
}

}  // namespace optgap::rubrics
