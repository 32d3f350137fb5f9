// Differential: every task's verifier against its slow reference, on small generated instances and any answer block.
// Bytes: task, seed, level, shape, then the values (and row lengths) of the answer.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernels/registry/registry.hpp"
#include "tests/support/oracles.hpp"

namespace {

using words = std::vector<std::int32_t>;

/// Mostly small values; the last few bytes' values give extremes.
std::int32_t value_of(std::uint8_t byte) {
    switch (byte) {
        case 255: return INT32_MIN;
        case 254: return INT32_MAX;
        case 253: return -1;
        case 252: return 1 << 30;
        default: return byte / 4;
    }
}

words answer_of(std::uint8_t shape, std::uint8_t const* data, std::size_t size) {
    words values;
    for (std::size_t i = 0; i < size; ++i) {
        values.push_back(value_of(data[i]));
    }
    words block;
    if (shape % 8 == 0) {
        block = {optgap::answer_word, 0};
        return block;
    }
    if (shape % 8 > 2) {
        block.push_back(optgap::answer_flat);
    } else {
        std::int32_t const rows = 1 + shape / 8 % 5;
        std::int32_t left = std::int32_t(values.size());
        block.push_back(rows);
        for (std::int32_t r = 0; r < rows; ++r) {
            std::int32_t const length = r + 1 == rows ? left : std::min(left, std::int32_t(shape / 16));
            block.push_back(length);
            left -= length;
        }
    }
    block.insert(block.end(), values.begin(), values.end());
    return block;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    auto const tasks = optgap::registry();
    if (size < 4 || tasks.empty()) {
        return 0;
    }
    std::size_t const which = data[0] % tasks.size();
    optgap::task_kernels const& task = *tasks[which].builds[optgap::best_instruction_set()];
    optgap::draw const source{data[1], 3};
    optgap::difficulty const level{data[2] % 4};
    words instance(std::size_t(task.instance_words(source, level)));
    words generate_scratch(std::size_t(task.generate_scratch_words(source, level)) + 1);
    task.generate(source, level, instance.data(), generate_scratch.data());

    words const answer = answer_of(data[3], data + 4, size - 4);
    optgap::words_view const view{instance.data(), std::int64_t(instance.size())};
    words scratch(std::size_t(task.scratch_words(view)) + 1, -1);
    optgap::verdict const fast = task.verify(view, {answer.data(), std::int64_t(answer.size())}, scratch.data());
    optgap::verdict const slow = optgap::testing::oracles()[which]->verify(instance, answer);
    bool const equal = fast.code == slow.code && fast.where == slow.where && fast.violation == slow.violation &&
                       fast.violation_max == slow.violation_max &&
                       (!fast.feasible() || fast.objective == slow.objective);
    if (!equal) {
        std::fprintf(stderr,
                     "%s: verifier says code %d at %d, violation %lld; its twin says code %d at %d, violation %lld\n",
                     task.name, fast.code, fast.where, static_cast<long long>(fast.violation), slow.code, slow.where,
                     static_cast<long long>(slow.violation));
        std::abort();
    }
    return 0;
}
