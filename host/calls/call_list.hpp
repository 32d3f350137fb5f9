#pragma once
// Lists of calls. A call is a batch verb as a value: a struct of inputs that it borrows, with
//
// - result: its result type; void for a call that writes into the caller's memory
// - which: its verb
// - rows(): its size, for the choice of a device and for counters
// - data(): the data that it reads (host/calls/data_place.hpp), for a call that an executor runs

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
