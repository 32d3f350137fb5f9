#include "python/src/rows/dict_sink.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>

namespace optgap::python {
namespace {

/// Names are mostly literals: a place of memory is looked up faster than a text.
class name_table {
public:
    nb::handle find(std::string_view name) {
        known& place = by_place_[(std::bit_cast<std::uintptr_t>(name.data()) >> 2) % by_place_.size()];
        if (place.made.is_valid() && place.asked == name.data() && place.name == name) {
            return place.made;
        }
        auto found = by_text_.find(name);
        if (found == by_text_.end()) {
            nb::object text = nb::steal(PyUnicode_FromStringAndSize(name.data(), Py_ssize_t(name.size())));
            found = by_text_.emplace(std::string(name), text.release()).first;
        }
        place = {name.data(), found->first, found->second};
        return found->second;
    }

private:
    struct known {
        char const* asked = nullptr;  ///< may have another text by now
        std::string_view name;        ///< of `made`
        nb::handle made;
    };
    std::map<std::string, nb::handle, std::less<>> by_text_;
    std::array<known, 256> by_place_;
};

void set_item(nb::handle row, nb::handle key, nb::handle value) {
    if (PyDict_SetItem(row.ptr(), key.ptr(), value.ptr()) != 0) {
        nb::raise_python_error();
    }
}

void delete_item(nb::handle row, nb::handle key) {
    if (PyDict_Contains(row.ptr(), key.ptr()) == 1) {
        PyDict_DelItem(row.ptr(), key.ptr());
    }
}

nb::object integer_or_none(std::int64_t value, std::int64_t none) {
    return value == none ? nb::object(nb::none()) : nb::object(nb::int_(value));
}

}  // namespace

nb::handle interned(std::string_view name) {
    static name_table made;
    static std::mutex one_at_a_time;  // where there is no GIL
    std::lock_guard const lock(one_at_a_time);
    return made.find(name);
}

bool dict_sink::is_alike(nb::handle source, std::span<std::string_view const> dropped, bool with_error) const {
    if (!row_.is_valid() || dropped.data() != dropped_.data() || with_error != with_error_ ||
        std::size_t(PyDict_GET_SIZE(source.ptr())) != fields_.size()) {
        return false;
    }
    Py_ssize_t place = 0;
    PyObject* key = nullptr;
    for (std::size_t k = 0; PyDict_Next(source.ptr(), &place, &key, nullptr) != 0; ++k) {
        if (key != fields_[k].key.ptr()) {
            return false;
        }
    }
    return true;
}

void dict_sink::begin(nb::handle source, std::span<std::string_view const> dropped, bool with_error) {
    is_pattern_ = is_alike(source, dropped, with_error);
    source_ = nb::borrow(source);
    dropped_ = dropped;
    with_error_ = with_error;
    at_ = 0;
    if (!is_pattern_) {
        copy_source();
        return;
    }
    row_ = nb::steal(PyDict_Copy(row_.ptr()));
    Py_ssize_t place = 0;
    PyObject* value = nullptr;
    for (std::size_t k = 0; PyDict_Next(source.ptr(), &place, nullptr, &value) != 0; ++k) {
        source_field& field = fields_[k];
        if (field.stays && field.value.ptr() != value) {
            field.value = nb::borrow(value);
            set_item(row_, field.key, value);
        }
    }
}

void dict_sink::copy_source() {
    row_ = nb::steal(PyDict_Copy(source_.ptr()));
    for (std::string_view const name : dropped_) {
        delete_item(row_, interned(name));
    }
    if (with_error_) {
        delete_item(row_, interned("error"));
    }
    fields_.clear();
    for (auto const& [key, value] : nb::borrow<nb::dict>(source_)) {
        fields_.push_back({nb::borrow(key), nb::borrow(value), PyDict_Contains(row_.ptr(), key.ptr()) == 1});
    }
}

/// Makes the row from its source and the columns that it has had up to now.
void dict_sink::leave_pattern() {
    is_pattern_ = false;
    copy_source();
    for (std::size_t k = 0; k < at_; ++k) {
        set_item(row_, columns_[k].key, columns_[k].value);
    }
}

nb::object dict_sink::finish() {
    if (is_pattern_ && at_ < columns_.size()) {  // the row before had more columns
        leave_pattern();
    }
    columns_.resize(at_);
    return row_;
}

PyObject* dict_sink::before(std::string_view name) {
    if (!is_pattern_) {
        return nullptr;
    }
    if (at_ < columns_.size() && columns_[at_].name == name) {
        return columns_[at_].value.ptr();
    }
    leave_pattern();
    return nullptr;
}

void dict_sink::set(std::string_view name, nb::object value) {
    columns_.resize(std::max(columns_.size(), at_ + 1));
    column& own = columns_[at_++];
    if (!own.key.is_valid() || own.name != name) {
        own.key = interned(name);
        Py_ssize_t size = 0;
        char const* const bytes = PyUnicode_AsUTF8AndSize(own.key.ptr(), &size);
        own.name = {bytes, std::size_t(size)};
    }
    set_item(row_, own.key, value);
    own.value = std::move(value);
}

void dict_sink::raw(std::string_view name, std::string_view json_text) {
    static nb::handle const loads = nb::object(nb::module_::import_("json").attr("loads")).release();
    // Rows of one group have equal values: a copy costs less than reading them again.
    auto [place, is_new] = read_.try_emplace(std::string(json_text));
    if (is_new) {
        place->second = loads(nb::str(json_text.data(), json_text.size()));
    }
    nb::object const& found = place->second;
    static_cast<void>(before(name));
    set(name, PyDict_Check(found.ptr())   ? nb::steal(PyDict_Copy(found.ptr()))
              : PyList_Check(found.ptr()) ? loads(nb::str(json_text.data(), json_text.size()))
                                          : found);
}

void dict_sink::text(std::string_view name, std::string_view value) {
    if (PyObject* const known = before(name); known != nullptr && PyUnicode_CheckExact(known)) {
        Py_ssize_t size = 0;
        char const* const bytes = PyUnicode_AsUTF8AndSize(known, &size);
        if (std::string_view(bytes, std::size_t(size)) == value) {
            return keep();
        }
    }
    set(name, nb::str(value.data(), value.size()));
}

void dict_sink::integer(std::string_view name, std::int64_t value) {
    if (PyObject* const known = before(name); known != nullptr && PyLong_CheckExact(known)) {
        int overflow = 0;
        if (PyLong_AsLongLongAndOverflow(known, &overflow) == value && overflow == 0) {
            return keep();
        }
    }
    set(name, nb::int_(value));
}

void dict_sink::boolean(std::string_view name, bool value) {
    PyObject* const wanted = value ? Py_True : Py_False;
    before(name) == wanted ? keep() : set(name, nb::borrow(wanted));
}

void dict_sink::null(std::string_view name) { before(name) == Py_None ? keep() : set(name, nb::none()); }

void dict_sink::number(std::string_view name, double value) {
    if (!std::isfinite(value)) {
        return null(name);
    }
    PyObject* const known = before(name);
    if (known != nullptr && PyFloat_CheckExact(known) &&
        std::bit_cast<std::int64_t>(PyFloat_AS_DOUBLE(known)) == std::bit_cast<std::int64_t>(value)) {
        return keep();
    }
    set(name, nb::float_(value));
}

void dict_sink::integers(std::string_view name, std::span<std::int64_t const> values) {
    static_cast<void>(before(name));
    nb::list made;
    for (std::int64_t const value : values) {
        made.append(value);
    }
    set(name, std::move(made));
}

void dict_sink::bounds(std::string_view name, std::int64_t objective, std::int64_t bound, std::int64_t none,
                       bool proven) {
    static_cast<void>(before(name));
    bounds_values const values{objective, bound, proven};
    if (!bounds_dict_.is_valid() || values != bounds_) {
        nb::dict made;
        set_item(made, interned("objective"), integer_or_none(objective, none));
        set_item(made, interned("bound"), integer_or_none(bound, none));
        set_item(made, interned("proven"), nb::bool_(proven));
        bounds_dict_ = std::move(made);
        bounds_ = values;
    }
    set(name, nb::steal(PyDict_Copy(bounds_dict_.ptr())));
}

}  // namespace optgap::python
