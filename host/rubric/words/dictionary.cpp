#include "host/rubric/words/dictionary.hpp"

#include <cstdlib>
#include <memory>

#include <dlfcn.h>
#include <fmt/format.h>

#include "host/rubric/unicode.hpp"
#include "optgap/rubrics/rubric.hpp"

namespace optgap::rubrics {
namespace {

constexpr int newest_icu = 99, oldest_icu = 60;
constexpr int word_breaks = 1;  ///< UBRK_WORD
constexpr std::int32_t no_more = -1;

/// The few functions of ICU's C interface that are needed. They are declared here so that no build needs its headers.
/// Their names end with ICU's version.
struct icu_library {
    void* (*open)(int kind, char const* locale, char16_t const* text, std::int32_t size, int* status) = nullptr;
    void (*close)(void* iterator) = nullptr;
    void (*set_text)(void* iterator, char16_t const* text, std::int32_t size, int* status) = nullptr;
    std::int32_t (*next)(void* iterator) = nullptr;
    void (*version)(unsigned char* four) = nullptr;
    std::string name;  ///< empty: none
};

template <class Function>
bool find(void* library, char const* name, int version, Function& out) {
    out = reinterpret_cast<Function>(dlsym(library, fmt::format("{}_{}", name, version).c_str()));
    return out != nullptr;
}

bool read_library(void* library, int version, icu_library& out) {
    if (!find(library, "ubrk_open", version, out.open) || !find(library, "ubrk_close", version, out.close) ||
        !find(library, "ubrk_setText", version, out.set_text) || !find(library, "ubrk_next", version, out.next) ||
        !find(library, "u_getVersion", version, out.version)) {
        return false;
    }
    unsigned char four[4] = {};
    out.version(four);
    out.name = fmt::format("ICU {}.{}", four[0], four[1]);
    return true;
}

icu_library open_library() {
    icu_library out;
    char const* const said = std::getenv("OPTGAP_ICU");
    void* const own = said != nullptr && *said != '\0' ? dlopen(said, RTLD_NOW | RTLD_LOCAL) : nullptr;
    for (int version = newest_icu; version >= oldest_icu && out.name.empty(); --version) {
        void* const library =
            said != nullptr ? own : dlopen(fmt::format("libicuuc.so.{}", version).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library != nullptr) {
            read_library(library, version, out);
        }
    }
    return out;
}

icu_library const& icu() {
    static icu_library const opened = open_library();
    return opened;
}

struct close_iterator {
    void operator()(void* iterator) const { icu().close(iterator); }
};

thread_local std::uint64_t broken = 0;

[[noreturn]] void fail(int status) { misuse(fmt::format("{} cannot break words: its status {}", icu().name, status)); }

}  // namespace

no_word_breaker::no_word_breaker() : error(status::invalid_argument, icu_lack) {}

std::string const& word_breaker() { return icu().name; }
std::uint64_t runs_broken() { return broken; }

void break_words(std::string_view run, std::vector<std::uint32_t>& ends) {
    ends.clear();
    if (icu().name.empty()) {
        throw no_word_breaker();
    }
    ++broken;
    // Each thread has its own iterator, which is not constant and is expensive to open.
    static thread_local std::unique_ptr<void, close_iterator> iterator;
    static thread_local std::u16string text;
    static thread_local std::vector<std::uint32_t> byte_of;
    int status = 0;
    if (iterator == nullptr) {
        iterator.reset(icu().open(word_breaks, "", nullptr, 0, &status));
        if (status > 0) {
            fail(status);
        }
    }
    text.clear();
    byte_of.clear();
    for (std::size_t at = 0; at < run.size();) {
        decoded const one = decode(run, at);
        byte_of.push_back(std::uint32_t(at));
        if (one.point < 0x10000) {
            text += char16_t(one.point);
        } else {
            byte_of.push_back(std::uint32_t(at));
            text += char16_t(0xD7C0 + (one.point >> 10));
            text += char16_t(0xDC00 + (one.point & 0x3FF));
        }
        at += one.size;
    }
    byte_of.push_back(std::uint32_t(run.size()));
    icu().set_text(iterator.get(), text.data(), std::int32_t(text.size()), &status);
    if (status > 0) {
        fail(status);
    }
    for (std::int32_t end = icu().next(iterator.get()); end != no_more; end = icu().next(iterator.get())) {
        ends.push_back(byte_of[std::size_t(end)]);
    }
}

}  // namespace optgap::rubrics
