#pragma once
// NumPy arrays in and out without copies. An array that leaves owns the C++ vector behind it, or shares it with the
// other columns of the same rows.

#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "optgap/batch.hpp"
#include "python/src/values/errors.hpp"

namespace optgap::python {

namespace nb = nanobind;

template <class T>
using array_in = nb::ndarray<T const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using int32_in = array_in<std::int32_t>;
using int64_in = array_in<std::int64_t>;

template <class T, class... Traits>
std::span<T> span_of(nb::ndarray<T, Traits...> const& array) {
    return {array.data(), array.size()};
}

/// Empty for None.
template <class T, class... Traits>
std::span<T> span_of(std::optional<nb::ndarray<T, Traits...>> const& array) {
    return array ? span_of(*array) : std::span<T>();
}

/// Rows of C++ structs that hand out their members as strided arrays.
template <class Row>
class shared_rows {
public:
    explicit shared_rows(std::vector<Row>&& rows) : rows_(new std::vector<Row>(std::move(rows))) {
        owner_ = nb::capsule(rows_, [](void* held) noexcept { delete static_cast<std::vector<Row>*>(held); });
    }

    /// The member `field` of every row.
    template <class T, class Struct>
    [[nodiscard]] nb::object column(T Struct::*field) const {
        static_assert(sizeof(Row) % sizeof(T) == 0);
        return view(rows_->empty() ? nullptr : &(rows_->front().*field), std::int64_t(sizeof(Row) / sizeof(T)));
    }
    /// `count` of whatever lies behind `first`, `stride` of its size apart.
    template <class T>
    [[nodiscard]] nb::object view(T* first, std::int64_t stride = 1) const {
        static T nothing{};
        std::size_t const rows = rows_->size();
        return nb::cast(nb::ndarray<nb::numpy, T>(first == nullptr ? &nothing : first, {rows}, owner_, {stride}));
    }
    [[nodiscard]] std::vector<Row>& rows() const { return *rows_; }

private:
    std::vector<Row>* rows_;
    nb::capsule owner_;
};

/// The vector as an array.
template <class T>
nb::object to_array(std::vector<T>&& values) {
    shared_rows<T> const held(std::move(values));
    return held.view(held.rows().data());
}

/// One byte a row, as an array of bool.
inline nb::object to_mask(std::vector<std::uint8_t>&& values) {
    shared_rows<std::uint8_t> const held(std::move(values));
    return held.view(reinterpret_cast<bool*>(held.rows().data()));
}

/// Words and offsets as arrays.
inline nb::tuple to_arrays(csr_words&& rows) {
    return nb::make_tuple(to_array(std::move(rows.words)), to_array(std::move(rows.offsets)));
}

/// Borrows words and offsets once they are known to describe rows.
inline csr_view rows_of(char const* name, int32_in const& words, int64_in const& offsets) {
    auto const at = span_of(offsets);
    bool sound = !at.empty() && at.front() == 0 && at.back() == std::int64_t(words.size());
    for (std::size_t i = 1; sound && i < at.size(); ++i) {
        sound = at[i - 1] <= at[i];
    }
    if (!sound) {
        throw argument_error(name, "its offsets must rise from 0 to the number of words");
    }
    return {words.data(), offsets.data(), std::int64_t(at.size()) - 1};
}

/// Borrows a batch of instances. Their words are trusted: they came from this module.
inline instance_view instances_of(int32_in const& task, int32_in const& words, int64_in const& offsets) {
    csr_view const rows = rows_of("instances", words, offsets);
    if (std::int64_t(task.size()) != rows.rows) {
        throw argument_error("instances", "expected one task per row");
    }
    return {task.data(), rows};
}

}  // namespace optgap::python
