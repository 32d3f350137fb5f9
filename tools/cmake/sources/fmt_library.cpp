// fmt, compiled once (tools/cmake/fmt.cmake): its functions that are not templates, and the two templates that its
// header declares to be instantiated elsewhere.

#include <fmt/format-inl.h>

namespace fmt {

template detail::thousands_sep_result<char> detail::thousands_sep_impl<char>(detail::locale_ref);
template char detail::decimal_point_impl<char>(detail::locale_ref);

}  // namespace fmt
