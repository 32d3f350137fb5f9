#pragma once
// Lists of calls. A call is a batch verb as a value: a struct of inputs that it borrows, with
//
// - result: what it gives; void for one that writes into memory of the caller's
// - which: its verb
// - rows(): how large it is, for whoever chooses a device or counts
// - data(): what it reads (host/calls/data_place.hpp), of a call that an executor runs

#include <type_traits>

namespace optgap {

template <class... Calls>
struct call_list {};

template <class Call, class List>
inline constexpr bool is_among = false;
template <class Call, class... Calls>
inline constexpr bool is_among<Call, call_list<Calls...>> = (std::is_same_v<Call, Calls> || ...);

template <class List, class... More>
struct appending;
template <class... Calls, class... More>
struct appending<call_list<Calls...>, More...> {
    using type = call_list<Calls..., More...>;
};
/// The list with more calls at its end.
template <class List, class... More>
using append = typename appending<List, More...>::type;

/// Calls work.operator()<Call>() for each call of the list.
template <class... Calls, class Work>
constexpr void for_each_call(call_list<Calls...>, Work&& work) {
    (work.template operator()<Calls>(), ...);
}

}  // namespace optgap
