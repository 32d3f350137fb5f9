#include "python/src/values/answers.hpp"

#include <cctype>

#include "optgap/answer.hpp"
#include "optgap/engine.hpp"
#include "python/src/values/errors.hpp"
#include "python/src/values/lookups.hpp"
#include "python/src/values/texts.hpp"

namespace nb = nanobind;

namespace optgap::python {
namespace {

bool is_list(PyObject* item) { return PyList_Check(item) || PyTuple_Check(item); }

/// Appends an int (or what has __index__, such as NumPy's) that fits into int32; bool and float do not.
bool append_integer(PyObject* item, std::vector<std::int32_t>& words) {
    if (PyBool_Check(item) || !PyIndex_Check(item)) {
        return false;
    }
    nb::object const index = nb::steal(PyNumber_Index(item));
    int overflow = 0;
    long const value = index.is_valid() ? PyLong_AsLongAndOverflow(index.ptr(), &overflow) : 0;
    if (!index.is_valid() || overflow != 0 || value < INT32_MIN || value > INT32_MAX) {
        PyErr_Clear();
        return false;
    }
    words.push_back(std::int32_t(value));
    return true;
}

bool append_integers(PyObject* list, std::vector<std::int32_t>& words) {
    nb::object const items = nb::steal(PySequence_Tuple(list));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.ptr()); ++i) {
        if (!append_integer(PyTuple_GET_ITEM(items.ptr(), i), words)) {
            return false;
        }
    }
    return true;
}

/// The block of a clean list; false, with `words` as it was, when the grammar has to say what is wrong with it.
bool append_list(PyObject* list, std::vector<std::int32_t>& words) {
    std::size_t const before = words.size();
    words.push_back(answer_flat);
    if (append_integers(list, words)) {
        return true;
    }
    words.resize(before);
    nb::object const rows = nb::steal(PySequence_Tuple(list));
    Py_ssize_t const count = PyTuple_GET_SIZE(rows.ptr());
    words.push_back(std::int32_t(count));
    words.resize(words.size() + std::size_t(count));
    for (Py_ssize_t r = 0; r < count; ++r) {
        PyObject* const row = PyTuple_GET_ITEM(rows.ptr(), r);
        std::size_t const begin = words.size();
        if (!is_list(row) || !append_integers(row, words)) {
            words.resize(before);
            return false;
        }
        words[before + 1 + std::size_t(r)] = std::int32_t(words.size() - begin);
    }
    return true;
}

parsed_text append_answer(PyObject* item, std::int32_t task, std::vector<std::int32_t>& words) {
    if (item == Py_None) {
        return lookup_engine().parse_answer(task, "null", words);
    }
    std::optional<text_bytes> text = bytes_of(item);
    nb::object list, written;
    if (!text) {
        list = PyObject_HasAttrString(item, "tolist") ? nb::handle(item).attr("tolist")() : nb::borrow(item);
        if (is_list(list.ptr()) && append_list(list.ptr(), words)) {
            return {};
        }
        written = nb::steal(PyObject_Repr(list.ptr()));
        if (!written.is_valid()) {
            nb::raise_python_error();
        }
        text = bytes_of(written.ptr());
    }
    return lookup_engine().parse_answer(task, text->text, words);
}

nb::list integers(std::span<std::int32_t const> values) {
    nb::list out;
    for (std::int32_t const value : values) {
        out.append(value);
    }
    return out;
}

nb::object to_list(std::span<std::int32_t const> block, task_info const& task) {
    if (block.empty()) {
        return nb::none();
    }
    if (block[0] == answer_word) {
        std::size_t const which = std::size_t(block[1]);
        if (which >= task.words.size()) {
            throw argument_error("answers", std::to_string(block[1]) + " is no word of " + std::string(task.name));
        }
        std::string word(task.words[which]);
        word[0] = char(std::toupper(static_cast<unsigned char>(word[0])));
        return nb::str(word.c_str());
    }
    if (block[0] == answer_flat) {
        return integers(block.subspan(1));
    }
    nb::list rows;
    std::size_t next = 1 + std::size_t(block[0]);
    for (std::size_t r = 0; r < std::size_t(block[0]); ++r) {
        std::size_t const length = std::size_t(block[1 + r]);
        rows.append(integers(block.subspan(next, length)));
        next += length;
    }
    return rows;
}

bool adds_up(std::span<std::int32_t const> block) {
    if (block.empty() || block[0] == answer_flat) {
        return true;
    }
    if (block[0] == answer_word) {
        return block.size() == 2;
    }
    std::int64_t values = std::int64_t(block.size()) - 1 - block[0];
    for (std::int64_t r = 0; r < block[0] && values >= 0; ++r) {
        std::int32_t const length = block[1 + std::size_t(r)];
        values = length < 0 ? -1 : values - length;
    }
    return block[0] >= 0 && values == 0;
}

}  // namespace

read_answers answers_from(nb::handle answers, std::span<std::int32_t const> task) {
    nb::object const items = nb::steal(PySequence_Tuple(answers.ptr()));
    if (!items.is_valid() || std::size_t(PyTuple_GET_SIZE(items.ptr())) != task.size()) {
        PyErr_Clear();
        throw argument_error("answers", "expected " + std::to_string(task.size()) + " answers");
    }
    read_answers out;
    for (std::size_t r = 0; r < task.size(); ++r) {
        parsed_text const read = append_answer(PyTuple_GET_ITEM(items.ptr(), Py_ssize_t(r)), task[r], out.blocks.words);
        out.blocks.offsets.push_back(std::int64_t(out.blocks.words.size()));
        out.code.push_back(read.answer_code);
        out.where.push_back(read.where);
    }
    return out;
}

nb::list to_lists(std::span<std::int32_t const> task, csr_view answers) {
    require_blocks(answers);
    nb::list out;
    for (std::size_t r = 0; r < task.size(); ++r) {
        out.append(to_list(answers.row(std::int64_t(r)), task_at(task[r])));
    }
    return out;
}

void require_blocks(csr_view answers) {
    for (std::int64_t r = 0; r < answers.rows; ++r) {
        if (!adds_up(answers.row(r))) {
            throw argument_error("answers", "row " + std::to_string(r) + " is no answer block");
        }
    }
}

}  // namespace optgap::python
