// Chooses the build for this processor. The levels are those of the x86-64 psABI.

#include <cstddef>
#include <string_view>

#include "kernels/registry/registry.hpp"

namespace optgap {

namespace {

bool runs(std::string_view isa) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool const v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt");
    if (isa == "isa_v3") {
        return v3;
    }
    if (isa == "isa_v4") {
        return v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
    }
#endif
    return isa == "isa_base";
}

}  // namespace

int best_instruction_set() {
    static int const best = [] {
        auto const names = instruction_sets();
        int found = 0;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (runs(names[i])) {
                found = static_cast<int>(i);
            }
        }
        return found;
    }();
    return best;
}

}  // namespace optgap
