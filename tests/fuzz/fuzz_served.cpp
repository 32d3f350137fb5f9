// Messages on programs between clients and the daemon: any bytes as each of the five, and valid ones with bytes
// replaced. A message that was read refers only to existing parts, and stays the same when it is written and read
// again. The first byte selects the message, the second whether the rest stands alone or modifies a valid one.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "host/programs/served/program_codec.hpp"

namespace {

using namespace optgap;
using namespace optgap::programs;
using bytes = std::vector<std::byte>;

void require(bool holds, char const* what) {
    if (!holds) {
        std::fprintf(stderr, "%s\n", what);
        std::abort();
    }
}

bytes written(auto const& what) {
    serve::measure size;
    put(size, what);
    bytes out(size.size());
    serve::writer to(out.data());
    put(to, what);
    return out;
}

/// Reads bytes that this process wrote, which are never refused.
template <class Take>
auto read_own(bytes const& message, Take const& take) {
    serve::reader in(message);
    try {
        return take(in);
    } catch (serve::wire_error const& problem) {
        require(false, problem.what());
        throw;
    }
}

/// Writes it again, which gives the same bytes from the second time on.
template <class Take, class View>
void comes_back(bytes const& message, Take const& take, View const& view) {
    serve::reader in(message);
    auto const first = take(in);
    bytes const once = written(view(first));
    require(written(view(read_own(once, take))) == once, "a message is another one when it is written again");
}

std::vector<run_request> requests_of(served_runs const& read) {
    std::vector<program_handle> made;
    for (compile_request const& one : read.programs) {
        made.push_back(std::make_shared<served_program const>(one));
    }
    std::vector<run_request> out;
    for (served_runs::run const& one : read.runs) {
        require(one.program < read.programs.size() && one.input < read.inputs.size(), "a run names nothing");
        out.push_back({.program = made[one.program], .input = read.inputs[one.input], .limits = one.limits});
    }
    return out;
}

void runs_come_back(bytes const& message) {
    serve::reader in(message);
    served_runs const first = take_runs(in);
    std::vector<run_request> const asked = requests_of(first);
    bytes const once = written(std::span<run_request const>(asked));
    served_runs const second = read_own(once, take_runs);
    require(second.runs.size() == first.runs.size(), "runs are lost");
    for (std::size_t k = 0; k < first.runs.size(); ++k) {
        served_runs::run const &one = first.runs[k], &other = second.runs[k];
        compile_request const &mine = first.programs[one.program], &its = second.programs[other.program];
        require(first.inputs[one.input] == second.inputs[other.input] && one.limits == other.limits &&
                    mine.source == its.source && mine.language == its.language && mine.limits == its.limits &&
                    mine.interface == its.interface,
                "a run is another one");
    }
}

constexpr std::size_t kinds = 5;

std::array<bytes, kinds> good_messages() {
    std::array<std::string, 2> const sources{"print(1)", std::string("a\0b", 3)};
    std::array<compile_request, 2> const compiled{
        compile_request{
            .language = program_language::python, .source = sources[0], .interface = program_interface::solve},
        compile_request{.language = program_language::cpp, .source = sources[1], .limits = {900, 64}}};
    auto const one = std::make_shared<served_program const>(compiled[0]);
    auto const other = std::make_shared<served_program const>(compiled[1]);
    std::string const input = "3 4";
    std::vector<run_request> const runs{{one, input, {70, 0, 32, 5}}, {other, input, {}}, {one, "", {}}};
    std::vector<run_result> ran(2);
    ran[1] = {.code = run_code::run_crash, .where = 11, .output = "out", .error_head = "err", .trouble = "why"};
    std::vector<compile_result> built(1);
    built[0].first_line = "line 3: no";
    return {written(std::span<compile_request const>(compiled)), written(std::span<run_request const>(runs)),
            written(std::span<compile_result const>(built)), written(std::span<run_result const>(ran)),
            written(served_terms{.slots = 4, .most = 2, .isolations = {"jail", "", ""}, .trouble = "no compiler"})};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static std::array<bytes, kinds> const good = good_messages();
    if (size < 2) {
        return 0;
    }
    std::size_t const kind = data[0] % kinds;
    bytes message = good[kind];
    if (data[1] % 2 == 0) {
        auto const* const rest = reinterpret_cast<std::byte const*>(data);
        message.assign(rest + 2, rest + size);
    } else {
        for (std::size_t i = 2; i + 1 < size; i += 2) {  // pairs of a place and a byte
            message[data[i] % message.size()] = std::byte(data[i + 1]);
        }
    }
    auto const as_span = [](auto const& of) { return std::span(of); };
    try {
        switch (kind) {
            case 0: comes_back(message, take_compilations, as_span); break;
            case 1: runs_come_back(message); break;
            case 2: comes_back(message, take_compile_results, as_span); break;
            case 3: comes_back(message, take_run_results, as_span); break;
            default: comes_back(message, take_terms, [](served_terms const& of) { return of; });
        }
    } catch (serve::wire_error const&) {
    }
    return 0;
}
