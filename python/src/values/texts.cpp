#include "python/src/values/texts.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <thread>

#include "python/src/values/errors.hpp"
#include "python/src/values/interpreter_lock.hpp"

namespace nb = nanobind;

namespace optgap::python {
namespace {

/// Big batches are written once into new memory: with small pages, faulting them in costs more than the writing.
void* fresh_memory(std::size_t bytes) {
    constexpr std::size_t huge_page = std::size_t(2) << 20;
    std::size_t const rounded = (bytes + huge_page - 1) / huge_page * huge_page;
    void* const memory = bytes < huge_page ? std::malloc(bytes) : std::aligned_alloc(huge_page, rounded);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    if (bytes >= huge_page) {
        madvise(memory, rounded, MADV_HUGEPAGE);
    }
    return memory;
}

char* append_utf8(char32_t point, char* out) {
    auto const put = [&out](char32_t byte) { *out++ = static_cast<char>(byte); };
    if (point < 0x80) {
        put(point);
    } else if (point < 0x800) {
        put(0xC0 | point >> 6);
        put(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        put(0xE0 | point >> 12);
        put(0x80 | (point >> 6 & 0x3F));
        put(0x80 | (point & 0x3F));
    } else {
        put(0xF0 | point >> 18);
        put(0x80 | (point >> 12 & 0x3F));
        put(0x80 | (point >> 6 & 0x3F));
        put(0x80 | (point & 0x3F));
    }
    return out;
}

/// Blocks without anything beyond ASCII, which are most, are narrowed as a whole; 8 was the fastest of 8, 16 and 32.
template <class Unit>
char* to_utf8(Unit const* text, std::size_t size, char* out) {
    constexpr std::size_t block = 8;
    std::size_t i = 0;
    for (; size - i >= block; i += block) {
        Unit any = 0;
        for (std::size_t k = 0; k < block; ++k) {
            any = Unit(any | text[i + k]);
        }
        if (any < 0x80) {
            for (std::size_t k = 0; k < block; ++k) {
                out[k] = char(text[i + k]);
            }
            out += block;
        } else {
            for (std::size_t k = 0; k < block; ++k) {
                out = append_utf8(text[i + k], out);
            }
        }
    }
    for (; i < size; ++i) {
        out = append_utf8(text[i], out);
    }
    return out;
}

template <class Unit>
std::size_t utf8_size(Unit const* text, std::size_t size) {
    std::size_t more = 0;
    for (std::size_t i = 0; i < size; ++i) {
        char32_t const point = text[i];
        more += std::size_t(point >= 0x80) + std::size_t(point >= 0x800) + std::size_t(point >= 0x10000);
    }
    return size + more;
}

/// The UTF-8 that Python has and keeps of a str: of ASCII its own units, of others what somebody asked for before.
/// Nothing where it is still to be written.
std::optional<std::string_view> kept_utf8(PyObject* item) {
    if (PyUnicode_IS_ASCII(item)) {
        return std::string_view(static_cast<char const*>(PyUnicode_DATA(item)),
                                std::size_t(PyUnicode_GET_LENGTH(item)));
    }
    auto* const compact = reinterpret_cast<PyCompactUnicodeObject*>(item);
    // Without a GIL another thread may be setting it: the pointer comes last.
    if (char const* const data = __atomic_load_n(&compact->utf8, __ATOMIC_ACQUIRE)) {
        return std::string_view(data, std::size_t(compact->utf8_length));
    }
    return std::nullopt;
}

/// A str's code points as Python keeps them, in units of 1, 2 or 4 bytes; `view` is where its UTF-8 will be said.
struct wide_text {
    wide_text(PyObject* item, std::string_view* of)
        : data(PyUnicode_DATA(item)),
          size(std::size_t(PyUnicode_GET_LENGTH(item))),
          unit(int(PyUnicode_KIND(item))),
          view(of) {}

    [[nodiscard]] std::size_t max_bytes() const { return size * std::size_t(unit == 4 ? 4 : unit + 1); }
    [[nodiscard]] std::size_t bytes() const {
        switch (unit) {
            case 1: return utf8_size(static_cast<Py_UCS1 const*>(data), size);
            case 2: return utf8_size(static_cast<Py_UCS2 const*>(data), size);
            default: return utf8_size(static_cast<Py_UCS4 const*>(data), size);
        }
    }
    char* write(char* out) const {
        switch (unit) {
            case 1: return to_utf8(static_cast<Py_UCS1 const*>(data), size, out);
            case 2: return to_utf8(static_cast<Py_UCS2 const*>(data), size, out);
            default: return to_utf8(static_cast<Py_UCS4 const*>(data), size, out);
        }
    }

    void const* data;
    std::size_t size;
    int unit;
    std::string_view* view;
};

/// Each thread writes a share of the texts, one after another, into a part of `out` of its own. `room`: max_bytes of
/// all of them.
void write_all(std::span<wide_text const> texts, char* out, std::size_t room, std::int32_t threads) {
    constexpr std::size_t worth_a_thread = std::size_t(1) << 20;
    std::size_t const parts = std::clamp<std::size_t>(room / worth_a_thread, 1, std::size_t(threads));
    std::vector<std::jthread> others;
    std::size_t next = 0;
    for (std::size_t part = 0; part < parts; ++part) {
        std::size_t const first = next;
        std::size_t bytes = 0;
        while (next < texts.size() && (bytes < room / parts || part + 1 == parts)) {
            bytes += texts[next++].max_bytes();
        }
        auto const write = [out, share = texts.subspan(first, next - first)] {
            char* to = out;
            for (wide_text const& text : share) {
                char* const end = text.write(to);
                *text.view = {to, std::size_t(end - to)};
                to = end;
            }
        };
        if (part + 1 < parts) {
            others.emplace_back(write);
        } else {
            write();
        }
        out += bytes;
    }
}

}  // namespace

std::optional<text_bytes> bytes_of(PyObject* item) {
    if (PyBytes_Check(item)) {
        return text_bytes{{PyBytes_AS_STRING(item), std::size_t(PyBytes_GET_SIZE(item))}, {}};
    }
    if (!PyUnicode_Check(item)) {
        return std::nullopt;
    }
    if (auto const kept = kept_utf8(item)) {
        return text_bytes{*kept, {}};
    }
    constexpr std::size_t worth_releasing = std::size_t(1) << 16;
    wide_text const wide(item, nullptr);
    std::optional<released_gil> released;
    if (wide.size >= worth_releasing) {
        released.emplace();
    }
    auto const written = std::make_shared_for_overwrite<char[]>(wide.bytes());
    char* const end = wide.write(written.get());
    return text_bytes{{written.get(), std::size_t(end - written.get())}, written};
}

borrowed_texts::borrowed_texts(nb::handle texts, char const* name, std::int32_t threads) {
    if (PyUnicode_Check(texts.ptr()) || PyBytes_Check(texts.ptr())) {
        throw argument_error(name, "expected a sequence of texts, got one text");
    }
    items_ = nb::steal(PySequence_Tuple(texts.ptr()));
    if (!items_.is_valid()) {
        PyErr_Clear();
        throw argument_error(name, "expected a sequence of str or bytes");
    }
    Py_ssize_t const rows = PyTuple_GET_SIZE(items_.ptr());
    views_.resize(std::size_t(rows));
    std::vector<wide_text> wide;
    std::size_t room = 0;
    for (Py_ssize_t r = 0; r < rows; ++r) {
        PyObject* const item = PyTuple_GET_ITEM(items_.ptr(), r);
        std::string_view& view = views_[std::size_t(r)];
        if (PyBytes_Check(item)) {
            view = {PyBytes_AS_STRING(item), std::size_t(PyBytes_GET_SIZE(item))};
        } else if (!PyUnicode_Check(item)) {
            throw argument_error(
                name, "row " + std::to_string(r) + " is " + Py_TYPE(item)->tp_name + ", expected str or bytes");
        } else if (auto const kept = kept_utf8(item)) {
            view = *kept;
        } else {
            wide.emplace_back(item, &view);
            room += wide.back().max_bytes();
        }
    }
    if (!wide.empty()) {
        encoded_.reset(static_cast<char*>(fresh_memory(room)));
        released_gil const released;
        write_all(wide, encoded_.get(), room, threads);
    }
}

}  // namespace optgap::python
