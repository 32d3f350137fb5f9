// Messages between a client's programs and the daemon: they return unchanged, and no bytes do harm.

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "host/programs/served/program_codec.hpp"
#include "optgap/status.hpp"

namespace optgap::testing {
namespace {

using namespace programs;

template <class T>
std::vector<std::byte> bytes_of(T const& what) {
    serve::measure size;
    put(size, what);
    std::vector<std::byte> out(size.size());
    serve::writer to(out.data());
    put(to, what);
    return out;
}

struct asked_runs {
    std::string const sources[2] = {"print(1)", std::string("a\0b", 3)};
    std::string const inputs[2] = {"3 4", ""};
    std::vector<run_request> runs;
    asked_runs() {
        auto const one = std::make_shared<served_program const>(compile_request{.language = program_language::python,
                                                                                .source = sources[0],
                                                                                .limits = {900, 64},
                                                                                .interface = program_interface::solve});
        auto const other = std::make_shared<served_program const>(
            compile_request{.language = program_language::cpp, .source = sources[1], .limits = {}});
        runs = {{one, inputs[0], {70, 0, 32, 5}},
                {other, inputs[0], {}},
                {one, inputs[1], {}},
                {one, std::string_view(inputs[0]).substr(0, 1), {}}};
    }
};

TEST(served_programs, come_as_they_went_each_source_and_input_once) {
    asked_runs const asked;
    std::vector<std::byte> const bytes = bytes_of(std::span(asked.runs));
    serve::reader in(bytes);
    served_runs const read = take_runs(in);
    ASSERT_EQ(read.programs.size(), 2u);
    EXPECT_EQ(read.programs[0].limits, (compile_limits{900, 64}));
    EXPECT_EQ(read.programs[0].interface, program_interface::solve);
    EXPECT_EQ(read.programs[1].interface, program_interface::stdio);
    EXPECT_EQ(read.programs[1].source, asked.sources[1]);
    EXPECT_EQ(read.programs[1].language, program_language::cpp);
    ASSERT_EQ(read.runs.size(), asked.runs.size());
    EXPECT_EQ(read.inputs.size(), 3u);
    for (std::size_t k = 0; k < read.runs.size(); ++k) {
        EXPECT_EQ(read.inputs[read.runs[k].input], asked.runs[k].input);
        EXPECT_EQ(read.runs[k].limits, asked.runs[k].limits);
    }
    struct foreign final : ready_program {
        foreign() : ready_program(program_language::python) {}
    };
    std::vector<run_request> const wrong{{std::make_shared<foreign const>(), "", {}}};
    EXPECT_THROW(static_cast<void>(bytes_of(std::span(wrong))), error);
}

TEST(served_programs, have_results_and_terms_that_come_as_they_went) {
    std::vector<run_result> ran(2);
    ran[1] = {run_code::run_crash, 11, "out", "err", 1.5, 2.5, 0.5, 77, 9, 3, 2, true, "why"};
    std::vector<std::byte> bytes = bytes_of(std::span<run_result const>(ran));
    serve::reader in(bytes);
    std::vector<run_result> const read = take_run_results(in);
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[1].code, run_code::run_crash);
    EXPECT_EQ(read[1].where, 11);
    EXPECT_EQ(read[1].output + read[1].error_head + read[1].trouble, "outerrwhy");
    EXPECT_EQ(read[1].cpu_ms + read[1].wall_ms + read[1].wait_ms, 4.5);
    EXPECT_EQ(read[1].peak_kb, 77);
    EXPECT_EQ(read[1].steps, 9);
    EXPECT_EQ(read[1].slot, 3);
    EXPECT_EQ(read[1].tries, 2);
    EXPECT_TRUE(read[1].suspected);
    std::vector<compile_result> built(1);
    built[0].code = run_code::compile_error;
    built[0].first_line = "line 3: no";
    built[0].cached = true;
    bytes = bytes_of(std::span<compile_result const>(built));
    serve::reader more(bytes);
    std::vector<compile_result> const known = take_compile_results(more);
    ASSERT_EQ(known.size(), 1u);
    EXPECT_EQ(known[0].first_line, "line 3: no");
    EXPECT_TRUE(known[0].cached);
    served_terms terms{.slots = 4, .most = 2, .isolations = {"jail", "", ""}, .trouble = "no compiler"};
    bytes = bytes_of(terms);
    serve::reader last(bytes);
    served_terms const said = take_terms(last);
    EXPECT_EQ(said.slots + said.most, 6);
    EXPECT_EQ(said.isolations, terms.isolations);
    EXPECT_EQ(said.trouble, terms.trouble);
}

TEST(served_programs, cut_short_or_changed_are_refused_or_read_within_their_bytes) {
    asked_runs const asked;
    std::vector<std::byte> const good = bytes_of(std::span(asked.runs));
    for (std::size_t size = 0; size < good.size(); ++size) {
        serve::reader in(std::span<std::byte const>(good).first(size));
        EXPECT_THROW(static_cast<void>(take_runs(in)), serve::wire_error) << size;
    }
    std::mt19937_64 random(7);
    for (int k = 0; k < 20'000; ++k) {
        std::vector<std::byte> bytes = good;
        for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
            bytes[random() % bytes.size()] = std::byte(random());
        }
        serve::reader in(bytes);
        try {
            served_runs const read = take_runs(in);
            for (served_runs::run const& one : read.runs) {
                ASSERT_LT(one.program, read.programs.size());
                ASSERT_LT(one.input, read.inputs.size());
            }
        } catch (serve::wire_error const&) {
        }
    }
    serve::reader nothing(std::span<std::byte const>{});
    EXPECT_THROW(static_cast<void>(take_run_results(nothing)), serve::wire_error);
    std::uint64_t const many = UINT64_MAX;
    std::vector<std::byte> bytes(sizeof many);
    std::memcpy(bytes.data(), &many, sizeof many);
    serve::reader counted(bytes);
    EXPECT_THROW(static_cast<void>(take_compilations(counted)), serve::wire_error);
}

}  // namespace
}  // namespace optgap::testing
