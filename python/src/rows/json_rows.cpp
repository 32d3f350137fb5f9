#include "python/src/rows/json_rows.hpp"

#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include <nanobind/stl/string.h>

#include "python/src/values/errors.hpp"

namespace optgap::python {
namespace {

constexpr int max_depth = 200;  ///< of a row's nested values

nb::object as_dict(nb::handle row) { return nb::borrow<nb::object>(reinterpret_cast<PyObject*>(&PyDict_Type))(row); }

}  // namespace

nb::object json_rows::add(nb::handle given) {
    rows_.push_back({.text = {text_.size(), 0}, .first_field = fields_.size()});
    if (!PyDict_Check(given.ptr()) && !nb::hasattr(given, "keys")) {
        refuse("is no dict", given);
    }
    nb::object dict = PyDict_Check(given.ptr()) ? nb::borrow(given) : as_dict(given);
    object(dict, 0);
    row& made = rows_.back();
    if (!made.is_json && made.completion) {  // its error counts bytes of the whole row
        text_.resize(made.text.begin);
        fields_.resize(made.first_field);
        made.completion.reset();
        auto const usual = std::exchange(how_, completions::written);
        object(dict, 0);
        how_ = usual;
    }
    made.text.end = text_.size();
    made.end_field = fields_.size();
    return dict;
}

void json_rows::take(std::size_t i, rows::row_item& item) const {
    row const& of = rows_[i];
    item.completion = of.completion;
    if (!of.is_json) {
        item.take(text_of(of.text), std::int64_t(i) + 1);
        return;
    }
    std::vector<json_field> found;
    found.reserve(of.end_field - of.first_field);
    for (std::size_t k = of.first_field; k < of.end_field; ++k) {
        found.push_back({text_of(fields_[k].key), text_of(fields_[k].value)});
    }
    item.take(std::move(found), std::int64_t(i) + 1);
}

/// Notes a text as the row's completion; false where it is not UTF-8.
bool json_rows::put_beside(nb::handle value) {
    Py_ssize_t size = 0;
    char const* const bytes = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (bytes == nullptr) {
        PyErr_Clear();
        return false;
    }
    rows_.back().completion = std::string_view(bytes, std::size_t(size));
    held_.push_back(nb::borrow(value));
    text_ += "\"\"";
    return true;
}

void json_rows::write(nb::handle value, int depth) {
    PyObject* const of = value.ptr();
    if (depth > max_depth) {
        refuse("is nested too deep", value);
    }
    if (PyUnicode_Check(of)) {
        text(value);
    } else if (of == Py_None) {
        text_ += "null";
    } else if (PyBool_Check(of)) {
        text_ += of == Py_True ? "true" : "false";
    } else if (PyLong_Check(of)) {
        integer(value);
    } else if (PyFloat_Check(of)) {
        real(PyFloat_AS_DOUBLE(of));
    } else if (PyDict_Check(of)) {
        object(value, depth);
    } else if (PyList_Check(of) || PyTuple_Check(of)) {
        char const* mark = "[";
        for (nb::handle const item : value) {
            text_ += mark;
            mark = ", ";
            write(item, depth + 1);
        }
        text_ += *mark == '[' ? "[]" : "]";
    } else if (nb::hasattr(value, "tolist")) {  // NumPy's and torch's numbers and arrays
        write(value.attr("tolist")(), depth + 1);
    } else {
        refuse("holds what JSON cannot", value);
    }
}

/// Notes the fields of a row, which is at depth 0.
void json_rows::object(nb::handle dict, int depth) {
    char const* mark = "{";
    for (auto const& [key, value] : nb::borrow<nb::dict>(dict)) {
        if (!PyUnicode_Check(key.ptr())) {
            refuse("has a key that is no text", key);
        }
        text_ += mark;
        mark = ", ";
        span const name = text(key);
        text_ += ": ";
        std::size_t const begin = text_.size();
        bool const is_completion =
            depth == 0 && how_ == completions::beside && PyUnicode_Check(value.ptr()) && text_of(name) == "completion";
        if (!is_completion || !put_beside(value)) {
            write(value, depth + 1);
        }
        if (depth == 0) {
            fields_.push_back({name, {begin, text_.size()}});
        }
    }
    text_ += *mark == '{' ? "{}" : "}";
}

/// Returns where the text stands, without its quotes.
json_rows::span json_rows::text(nb::handle value) {
    std::size_t const begin = text_.size() + 1;
    Py_ssize_t size = 0;
    char const* const bytes = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (bytes != nullptr) {
        append_json_string(text_, {bytes, std::size_t(size)});
    } else {
        PyErr_Clear();  // half of a surrogate pair
        nb::object const mended = value.attr("encode")("utf-8", "replace");
        append_json_string(text_, {PyBytes_AS_STRING(mended.ptr()), std::size_t(PyBytes_GET_SIZE(mended.ptr()))});
    }
    return {begin, text_.size() - 1};
}

void json_rows::integer(nb::handle value) {
    int overflow = 0;
    long long const number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow != 0) {
        text_ += nb::cast<std::string>(nb::str(value));
        return;
    }
    char digits[24];
    text_.append(digits, std::to_chars(std::begin(digits), std::end(digits), number).ptr);
}

void json_rows::real(double value) {
    if (!std::isfinite(value)) {
        text_ += std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
        rows_.back().is_json = false;
        return;
    }
    append_json_real(text_, value);
}

void json_rows::refuse(std::string const& what, nb::handle value) const {
    throw argument_error("rows[" + std::to_string(rows_.size() - 1) + "]",
                         what + ": " + nb::cast<std::string>(nb::repr(value.type())));
}

}  // namespace optgap::python
