// Twins of instances, and answers under their labels. The GIL is released during work.

#include <nanobind/stl/optional.h>

#include "optgap/engine.hpp"
#include "optgap/relabel.hpp"
#include "python/src/values/answers.hpp"
#include "python/src/values/arrays.hpp"
#include "python/src/values/interpreter_lock.hpp"
#include "python/src/values/lookups.hpp"

namespace optgap::python {
namespace {

csr_words copy_of(csr_view rows) {
    return {{rows.words, rows.words + rows.offsets[rows.rows]}, {rows.offsets, rows.offsets + rows.rows + 1}};
}

nb::tuple relabel(int32_in const& task, int32_in const& words, int64_in const& offsets, std::uint64_t seed) {
    instance_view const instances = instances_of(task, words, offsets);
    relabelled_batch made = [&] {
        released_gil const released;
        return lookup_engine().relabel(instances, seed);
    }();
    return nb::make_tuple(to_arrays(std::move(made.instances.blocks)), to_arrays(std::move(made.labels)));
}

/// `task` is the originals', one for each row of labels.
nb::tuple relabel_answers(int32_in const& task, int32_in const& labels, int64_in const& label_offsets,
                          int32_in const& answer_words, int64_in const& answer_offsets,
                          std::optional<int32_in> const& instance_of, bool back) {
    csr_view const answers = rows_of("answers", answer_words, answer_offsets);
    require_blocks(answers);
    relabelled_batch twins;
    twins.labels = copy_of(instances_of(task, labels, label_offsets).blocks);
    for (std::int32_t const t : span_of(task)) {
        task_at(t);
        twins.instances.append(t, {});
    }
    std::span<std::int32_t const> const of = span_of(instance_of);
    return to_arrays([&] {
        released_gil const released;
        return back ? twins.originals(answers, of) : twins.answers(answers, of);
    }());
}

}  // namespace

void bind_relabel(nb::module_& m) {
    m.def("relabel", &relabel);
    m.def("relabel_answers", &relabel_answers, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
          nb::arg());
}

}  // namespace optgap::python
