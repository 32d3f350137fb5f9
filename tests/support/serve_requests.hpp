#pragma once
// Requests as bytes, valid and spoiled ones, for the tests and the fuzzer of the daemon's decoder.

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "host/calls/calls.hpp"
#include "host/remote/codec.hpp"
#include "host/serve/workplace.hpp"

namespace optgap::testing {

struct raw_request {
    verb what;
    std::string bytes;
};

template <class Call>
raw_request request_of(Call const& call) {
    serve::measure size;
    serve::put_call(size, call);
    std::string bytes(size.size(), '\0');
    serve::writer to(reinterpret_cast<std::byte*>(bytes.data()));
    serve::put_call(to, call);
    return {Call::which, std::move(bytes)};
}

/// One of every verb, over small instances of all tasks.
inline std::vector<raw_request> good_requests() {
    engine const by({.where = device::cpu, .threads = 1, .server = "off"});
    std::vector<instance_spec> specs;
    for (std::size_t task = 0; task < by.tasks().size(); ++task) {
        specs.push_back({std::int32_t(task), difficulty::scale(0), split::train, 1});
    }
    instance_batch const instances = by.generate(specs);
    csr_words const answers = by.greedy(instances.view());
    solved_batch const solved = by.solve(instances.view());
    std::vector<baseline> const& baselines = solved.rows;
    csr_words const& found = solved.answers;
    std::vector<std::int32_t> instance_of;
    std::vector<std::string_view> texts;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        instance_of.insert(instance_of.end(), 2, std::int32_t(i));
        texts.insert(texts.end(), {"<think>a</think><answer>[0, 1, 2]</answer>", "<answer>[[1, 2], [3]]"});
    }
    std::vector<std::int32_t> const identity(instance_of.size(), 0);
    grade_request const what{.instances = instances.view(),
                             .baselines = baselines,
                             .texts = texts,
                             .instance_of = instance_of,
                             .format_of = identity,
                             .formats = formats()};
    instance_view const view = instances.view();
    return {request_of(generate_call{specs}), request_of(verify_call{view, answers.view(), {}}),
            request_of(greedy_call{view}),    request_of(improve_call{view, answers.view(), {}, 5, 1}),
            request_of(solve_call{view, 50}), request_of(solve_call{view, 50, found.view()}),
            request_of(grade_call{what})};
}

/// Flips bits, cuts, repeats and writes small or huge numbers to the places of sizes and indices.
inline void spoil(std::string& bytes, std::mt19937_64& random) {
    for (std::uint64_t k = 0; k < 1 + random() % 3; ++k) {
        std::size_t const at = random() % (bytes.size() + 1);
        std::size_t const word = at / 4 * 4;
        switch (random() % 5) {
            case 0: bytes.resize(at); break;
            case 1: bytes.insert(at / 8 * 8, bytes.substr(0, random() % 64 / 8 * 8)); break;
            case 2:
                if (at < bytes.size()) {
                    bytes[at] = char(bytes[at] ^ (1 << random() % 8));
                }
                break;
            default:
                if (word + 4 <= bytes.size()) {
                    std::int32_t const numbers[] = {0, 1, -1, -2, 7, INT32_MAX, INT32_MIN, 100'000};
                    std::memcpy(bytes.data() + word, &numbers[random() % std::size(numbers)], 4);
                }
        }
    }
}

/// The result of a request.
inline serve::refusal outcome_of(serve::workplace& place, raw_request const& one) {
    try {
        std::string out;
        place.serve(one.what, std::as_bytes(std::span(one.bytes)), [&](std::size_t size) {
            out.resize(size);
            return reinterpret_cast<std::byte*>(out.data());
        });
        return serve::refusal::none;
    } catch (serve::refused_request const& problem) {
        return problem.kind();
    } catch (serve::wire_error const&) {
        return serve::refusal::request;
    } catch (error const&) {
        return serve::refusal::failed;
    }
}

}  // namespace optgap::testing
