#pragma once
// Declarations that CMake found by their files (tools/cmake/declarations.cmake), as a list of types.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/core/hd.hpp"

namespace optgap {

/// Numbers of what has no enumerator begin here. They hold within one build.
inline constexpr std::int32_t first_own_number = 1000;

/// The value that a spec names a declaration by: its enumerator, or a number from its place in the list.
template <class Id, class Declared>
constexpr Id id_at(std::size_t place) {
    if constexpr (requires { Declared::id; }) {
        return Declared::id;
    } else {
        return Id(first_own_number + std::int32_t(place));
    }
}

template <class Id, class... Declared>
struct declarations {
    /// visit(D{}) for the declaration of that number; nothing for a number of none.
    template <class Visit>
    OPTGAP_HD static void with(Id id, Visit const& visit) {
        with(id, visit, std::index_sequence_for<Declared...>());
    }
    /// visit(D{}, id) for all of them.
    template <class Visit>
    static void each(Visit const& visit) {
        each(visit, std::index_sequence_for<Declared...>());
    }

private:
    template <class Visit, std::size_t... Place>
    OPTGAP_HD static void with(Id id, Visit const& visit, std::index_sequence<Place...>) {
        ((id == id_at<Id, Declared>(Place) ? visit(Declared{}) : void()), ...);
    }
    template <class Visit, std::size_t... Place>
    static void each(Visit const& visit, std::index_sequence<Place...>) {
        (visit(Declared{}, id_at<Id, Declared>(Place)), ...);
    }
};

}  // namespace optgap
