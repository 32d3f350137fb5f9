// optgap._native.DeviceStore, DeviceSet and DeviceBaselines: columns of other libraries' in a GPU's memory, by DLPack.

#include "python/src/device/store.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <utility>

#include "optgap/fork.hpp"
#include "optgap/reward_rules.hpp"
#include "python/src/values/baselines.hpp"
#include "python/src/values/errors.hpp"
#include "python/src/values/interpreter_lock.hpp"
#include "python/src/values/lookups.hpp"

namespace optgap::python {
namespace {

/// What a column is to be: its name, and one value or `width` values a row.
struct expected_column {
    char const* name;
    std::int64_t rows;  ///< -1: any
    std::int64_t width = 1;
};

std::string shape_text(std::int64_t rows, std::int64_t width) {
    std::string const first = rows < 0 ? "n" : std::to_string(rows);
    return "(" + first + (width == 1 ? "," : ", " + std::to_string(width)) + ")";
}

/// Where the column lies; throws argument_error unless it is what is expected, on this GPU.
template <class T>
T* pointer_of(any_array const& column, expected_column const& wanted, int ordinal) {
    if (column.device_type() != nb::device::cuda::value || column.device_id() != ordinal) {
        throw argument_error(wanted.name, "is not on GPU " + std::to_string(ordinal) + ", where the store is");
    }
    if (column.dtype() != nb::dtype<T>()) {
        throw argument_error(wanted.name, std::string("expected ") + (nb::dtype<T>().code == 2 ? "float" : "int") +
                                              std::to_string(8 * sizeof(T)));
    }
    std::size_t const dimensions = wanted.width == 1 ? 1 : 2;
    bool fits = column.ndim() == dimensions;
    fits = fits && (wanted.rows < 0 || std::int64_t(column.shape(0)) == wanted.rows);
    fits = fits && (dimensions == 1 || std::int64_t(column.shape(1)) == wanted.width);
    if (!fits) {
        throw argument_error(wanted.name, "expected the shape " + shape_text(wanted.rows, wanted.width));
    }
    bool const dense = column.shape(0) <= 1 || column.stride(0) == wanted.width;
    if (!dense || (dimensions == 2 && column.stride(1) != 1)) {
        throw argument_error(wanted.name, "has gaps between its rows; expected a contiguous one");
    }
    return static_cast<T*>(column.data());
}

std::int64_t column_rows(any_array const& column) { return column.ndim() == 0 ? 0 : std::int64_t(column.shape(0)); }

constexpr std::int64_t verdict_words = sizeof(verdict) / sizeof(std::int64_t);
constexpr std::int64_t reward_words = sizeof(reward_row) / sizeof(float);
constexpr std::int64_t search_words = sizeof(search_row) / sizeof(std::int64_t);
static_assert(verdict_words == 4 && reward_words == 10 && search_words == 4);

void* stream_of(std::uintptr_t stream) { return reinterpret_cast<void*>(stream); }

}  // namespace

bound_device_store::bound_device_store(std::shared_ptr<engine> by, std::int64_t memory, std::int64_t steps_a_launch)
    : by_(std::move(by)), process_(fork_generation()) {
    device_store_options options;
    options.memory = memory > 0 ? memory : options.memory;
    options.steps_a_launch = steps_a_launch > 0 ? steps_a_launch : options.steps_a_launch;
    released_gil const released;
    store_ = std::make_unique<device_store>(*by_, options);
}

bound_device_store::~bound_device_store() {
    if (process_ != fork_generation()) {
        // The columns' memory is the parent's, as the store's is.
        static_cast<void>(new std::deque<lease>(std::move(held_)));
        static_cast<void>(new std::shared_ptr<engine>(std::move(by_)));
        return;
    }
    try {
        released_gil const released;
        store_->wait();
    } catch (error const&) {  // what a call found wrong nobody asks for any more; or the GPU is gone
    }
}

device_set bound_device_store::keep_specs(int32_in const& task, int32_in const& level, int32_in const& part,
                                          array_in<std::uint64_t> const& seed) {
    std::vector<instance_spec> specs;
    for (std::size_t r = 0; r < task.size(); ++r) {
        specs.push_back({task.data()[r], {level.data()[r]}, split_of(part.data()[r]), seed.data()[r]});
    }
    let_go();
    released_gil const released;
    return store_->keep(specs);
}

device_set bound_device_store::keep_copy(int32_in const& task, int32_in const& words, int64_in const& offsets) {
    instance_view const instances = instances_of(task, words, offsets);
    let_go();
    released_gil const released;
    return store_->keep(instances);
}

device_baselines bound_device_store::keep_baselines(nb::dict const& columns) {
    std::vector<baseline> const rows = baselines_from(columns);
    let_go();
    released_gil const released;
    return store_->keep(rows);
}

template <class Work>
std::uint64_t bound_device_store::queue(std::vector<any_array> arrays, Work const& work) {
    let_go();
    std::uint64_t call = 0;
    try {
        released_gil const released;
        call = work();
    } catch (error const& fault) {
        if (fault.code() != status::invalid_argument) {  // some of it may be queued: the next call waits for that
            held_.push_back({std::uint64_t(store_->statistics().calls) + 1, std::move(arrays)});
        }
        throw;
    }
    held_.push_back({call, std::move(arrays)});
    return call;
}

void bound_device_store::let_go() {
    std::uint64_t const ended = store_->ended();
    std::deque<lease> gone;
    std::deque<lease> left;
    for (lease& one : held_) {
        (one.call <= ended ? gone : left).push_back(std::move(one));
    }
    held_ = std::move(left);
}

std::uint64_t bound_device_store::verify(device_set const& instances, any_array words, any_array offsets,
                                         std::optional<any_array> instance_of, any_array out, std::uintptr_t stream) {
    int const at = ordinal();
    std::int64_t const rows = column_rows(out);
    device_answers answers;
    answers.words = pointer_of<std::int32_t>(words, {"words", -1}, at);
    answers.words_size = column_rows(words);
    answers.rows = rows;
    answers.offsets = pointer_of<std::int64_t>(offsets, {"offsets", rows + 1}, at);
    answers.instance_of = instance_of ? pointer_of<std::int32_t>(*instance_of, {"instance_of", rows}, at) : nullptr;
    auto* const to = reinterpret_cast<verdict*>(pointer_of<std::int64_t>(out, {"out", rows, verdict_words}, at));
    std::vector<any_array> held{std::move(words), std::move(offsets), std::move(out)};
    if (instance_of) {
        held.push_back(*std::move(instance_of));
    }
    return queue(std::move(held), [&] { return store_->verify(instances, answers, to, stream_of(stream)); });
}

std::uint64_t bound_device_store::reward(device_set const& instances, device_baselines const& baselines,
                                         any_array verdicts, nb::dict const& columns, std::string_view rule,
                                         any_array out, std::optional<any_array> rewards, std::uintptr_t stream) {
    int const at = ordinal();
    std::int64_t const rows = column_rows(verdicts);
    reward_rules const wanted = parse_reward_rules(rule, by_->tasks());
    device_rollouts rollouts;
    rollouts.rows = rows;
    rollouts.verdicts =
        reinterpret_cast<verdict const*>(pointer_of<std::int64_t>(verdicts, {"verdicts", rows, verdict_words}, at));
    std::vector<any_array> held{verdicts, out};
    auto const column = [&](char const* name) -> std::int32_t const* {
        if (!columns.contains(name)) {
            return nullptr;
        }
        held.push_back(nb::cast<any_array>(columns[name]));
        return pointer_of<std::int32_t>(held.back(), {name, rows}, at);
    };
    rollouts.instance_of = column("instance_of");
    rollouts.format_code = column("format_code");
    rollouts.finished = reinterpret_cast<finish const*>(column("finished"));
    rollouts.length = column("length");
    auto* const to = reinterpret_cast<reward_row*>(pointer_of<float>(out, {"out", rows, reward_words}, at));
    float* const alone = rewards ? pointer_of<float>(*rewards, {"rewards", rows}, at) : nullptr;
    if (rewards) {
        held.push_back(*rewards);
    }
    return queue(std::move(held),
                 [&] { return store_->reward(instances, baselines, rollouts, wanted, to, alone, stream_of(stream)); });
}

std::uint64_t bound_device_store::improve(device_set const& instances, any_array words, any_array offsets,
                                          std::optional<any_array> instance_of, std::int64_t steps, std::uint64_t seed,
                                          nb::dict const& found, std::uintptr_t stream) {
    int const at = ordinal();
    std::vector<any_array> held{std::move(words), std::move(offsets)};
    for (char const* const name : {"out_words", "out_offsets", "out"}) {
        held.push_back(nb::cast<any_array>(found[name]));
    }
    device_searches out;
    std::int64_t const rows = column_rows(held[4]);
    out.words = pointer_of<std::int32_t>(held[2], {"out_words", -1}, at);
    out.words_size = column_rows(held[2]);
    out.offsets = pointer_of<std::int64_t>(held[3], {"out_offsets", rows + 1}, at);
    out.rows = reinterpret_cast<search_row*>(pointer_of<std::int64_t>(held[4], {"out", rows, search_words}, at));
    device_answers starts;
    starts.rows = rows;
    starts.words = pointer_of<std::int32_t>(held[0], {"words", -1}, at);
    starts.words_size = column_rows(held[0]);
    starts.offsets = pointer_of<std::int64_t>(held[1], {"offsets", rows + 1}, at);
    starts.instance_of = instance_of ? pointer_of<std::int32_t>(*instance_of, {"instance_of", rows}, at) : nullptr;
    if (instance_of) {
        held.push_back(*std::move(instance_of));
    }
    return queue(std::move(held),
                 [&] { return store_->improve(instances, starts, steps, seed, out, stream_of(stream)); });
}

std::uint64_t bound_device_store::advantages(any_array rewards, any_array group, std::string_view spec, any_array out,
                                             std::uintptr_t stream) {
    int const at = ordinal();
    device_rewards in;
    in.rows = column_rows(rewards);
    in.rewards = pointer_of<float>(rewards, {"rewards", in.rows}, at);
    in.group = pointer_of<std::int32_t>(group, {"group", in.rows}, at);
    float* const to = pointer_of<float>(out, {"out", in.rows}, at);
    advantage_spec const wanted = parse_advantage_spec(spec);
    return queue({std::move(rewards), std::move(group), std::move(out)},
                 [&] { return store_->advantages(in, wanted, to, stream_of(stream)); });
}

std::uint64_t bound_device_store::ended() {
    let_go();
    return store_->ended();
}

void bound_device_store::wait() {
    {
        released_gil const released;
        store_->wait();
    }
    let_go();
}

std::size_t bound_device_store::held() const {
    std::size_t sum = 0;
    for (lease const& one : held_) {
        sum += one.arrays.size();
    }
    return sum;
}

namespace {

/// A set's column as a DLPack capsule that holds the set. Its copy to the GPU ended before the set was there, so no
/// stream has anything to wait for.
nb::object lent_column(device_set const& of, std::string_view name, int ordinal) {
    device_instances const lent = of.lend();
    nb::capsule const owner(new device_set(of), [](void* held) noexcept { delete static_cast<device_set*>(held); });
    auto const give = [&]<class T>(T const* first, std::int64_t count) {
        return nb::cast(nb::ndarray<T const>(first, {std::size_t(count)}, owner, {}, nb::dtype<T>(),
                                             nb::device::cuda::value, ordinal));
    };
    return name == "task"    ? give(lent.task, lent.rows)
           : name == "words" ? give(lent.words, lent.words_size)
                             : give(lent.offsets, lent.rows + 1);
}

}  // namespace

void bind_device(nb::module_& m) {
    nb::class_<device_set>(m, "DeviceSet")
        .def("__len__", &device_set::size)
        .def_prop_ro("answer_words", &device_set::answer_words)
        .def("column", &lent_column);
    nb::class_<device_baselines>(m, "DeviceBaselines").def("__len__", &device_baselines::size);
    nb::class_<bound_device_store>(m, "DeviceStore")
        .def("keep_specs", &bound_device_store::keep_specs, nb::lock_self())
        .def("keep_copy", &bound_device_store::keep_copy, nb::lock_self())
        .def("keep_baselines", &bound_device_store::keep_baselines, nb::lock_self())
        .def("verify", &bound_device_store::verify, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(),
             nb::arg(), nb::lock_self())
        .def("reward", &bound_device_store::reward, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
             nb::arg().none(), nb::arg(), nb::lock_self())
        .def("advantages", &bound_device_store::advantages, nb::lock_self())
        .def("improve", &bound_device_store::improve, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(),
             nb::arg(), nb::arg(), nb::arg(), nb::lock_self())
        .def("ended", &bound_device_store::ended, nb::lock_self())
        .def("wait", &bound_device_store::wait, nb::lock_self())
        .def_prop_ro("ordinal", &bound_device_store::ordinal)
        .def_prop_ro("held", &bound_device_store::held)
        .def("statistics", &bound_device_store::statistics);
}

}  // namespace optgap::python
