#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "optgap/device/store.hpp"
#include "python/src/values/arrays.hpp"

namespace optgap::python {

/// A column of another library's, in any memory: what it is is checked with a sentence that names it. Holds its owner.
using any_array = nb::ndarray<>;

/// optgap::device_store over arrays of other libraries', which it holds until the calls that use them have run. Calls
/// with the GIL held.
class bound_device_store {
public:
    bound_device_store(std::shared_ptr<engine> by, std::int64_t memory, std::int64_t steps_a_launch);
    ~bound_device_store();
    bound_device_store(bound_device_store const&) = delete;
    bound_device_store& operator=(bound_device_store const&) = delete;

    device_set keep_specs(int32_in const& task, int32_in const& level, int32_in const& part,
                          array_in<std::uint64_t> const& seed);
    device_set keep_copy(int32_in const& task, int32_in const& words, int64_in const& offsets);
    device_baselines keep_baselines(nb::dict const& columns);

    std::uint64_t verify(device_set const& instances, any_array words, any_array offsets,
                         std::optional<any_array> instance_of, any_array out, std::uintptr_t stream);
    std::uint64_t reward(device_set const& instances, device_baselines const& baselines, any_array verdicts,
                         nb::dict const& columns, std::string_view rule, any_array out,
                         std::optional<any_array> rewards, std::uintptr_t stream);
    std::uint64_t advantages(any_array rewards, any_array group, std::string_view spec, any_array out,
                             std::uintptr_t stream);

    /// `found`: out_words, out_offsets and out.
    std::uint64_t improve(device_set const& instances, any_array words, any_array offsets,
                          std::optional<any_array> instance_of, std::int64_t steps, std::uint64_t seed,
                          nb::dict const& found, std::uintptr_t stream);

    std::uint64_t ended();
    void wait();
    [[nodiscard]] int ordinal() const { return store_->ordinal(); }
    [[nodiscard]] std::string statistics() const { return to_json(store_->statistics()); }
    /// Arrays that are held.
    [[nodiscard]] std::size_t held() const;

private:
    struct lease {
        std::uint64_t call;
        std::vector<any_array> arrays;
    };
    /// Queues `work` without the GIL, and holds the arrays until it has run.
    template <class Work>
    std::uint64_t queue(std::vector<any_array> arrays, Work const& work);
    void let_go();

    std::shared_ptr<engine> by_;
    std::uint32_t process_;
    std::unique_ptr<device_store> store_;
    std::deque<lease> held_;
};

}  // namespace optgap::python
