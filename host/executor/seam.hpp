#pragma once
// A virtual `run` for each call of a list, and a class that passes them all on by one template.

#include <string>

#include "host/calls/call_list.hpp"

namespace optgap {

/// The interface of a class that runs the calls of a list. It is one chain of classes, so that an object holds one
/// table of functions.
template <class List>
class seam;

/// The base of every seam.
template <>
class seam<call_list<>> {
public:
    virtual ~seam() = default;
    [[nodiscard]] virtual std::string describe() const = 0;
    void run() = delete;  ///< for the first `using` of the chain
};

template <class Call, class... Rest>
class seam<call_list<Call, Rest...>> : public seam<call_list<Rest...>> {
public:
    using seam<call_list<Rest...>>::run;
    virtual typename Call::result run(Call const& call) = 0;
};

/// A `Seam` whose every call goes to Self::pass(call).
template <class Self, class Seam, class List>
class passing;

template <class Self, class Seam>
class passing<Self, Seam, call_list<>> : public Seam {
public:
    using Seam::run;
};

template <class Self, class Seam, class Call, class... Rest>
class passing<Self, Seam, call_list<Call, Rest...>> : public passing<Self, Seam, call_list<Rest...>> {
public:
    using passing<Self, Seam, call_list<Rest...>>::run;
    typename Call::result run(Call const& call) final { return static_cast<Self&>(*this).pass(call); }
};

}  // namespace optgap
