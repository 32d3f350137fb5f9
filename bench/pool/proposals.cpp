// Proposals without their proofs: texts that a gate before the canonical form refuses, and sound ones that pass it.

#include "optgap/proposals/proposal.hpp"

#include <string>
#include <vector>

#include "bench/bench.hpp"

namespace optgap::bench {
namespace {

constexpr std::int64_t proposal_rows = 512;
constexpr std::int32_t ways_to_fall = 5;
constexpr std::int64_t largest_limit = 1 << 28;

/// A sound text with a fault that its gate finds as late as possible.
std::string fallen(std::string const& text, std::int64_t way, std::int32_t& code) {
    std::size_t const end = text.find_last_of("0123456789") + 1;  // after the last number
    std::size_t const begin = text.substr(0, end).find_last_not_of("-0123456789") + 1;
    auto const with_last = [&](char const* number) { return text.substr(0, begin) + number + text.substr(end); };
    switch (way % ways_to_fall) {
        case 0: code = code_not_json; return text.substr(0, text.size() - 1);
        case 1: code = code_unknown_field; return text.substr(0, text.size() - 1) + ", \"note\": 1}";
        case 2: {
            code = code_unknown_task;
            std::size_t const name = text.find(':') + 3;
            return text.substr(0, name) + "x" + text.substr(name);
        }
        case 3: code = code_too_large; return with_last("98765432109");
        default: code = code_bad_instance; return with_last("true");
    }
}

struct texts {
    proposal_checker checker;
    std::vector<std::string> sound, broken;
    std::size_t bytes = 0;  ///< mean of the sound texts
};

/// Leaves out tasks whose numbers at this level are longer than a proposal may write: `apples` at its named levels.
texts texts_of(setting const& at, std::int64_t count) {
    proposal_options any_size;
    any_size.limits.assign(at.by.tasks().size(), {largest_limit, largest_limit, largest_limit, largest_limit});
    texts out{proposal_checker(at.by, std::move(any_size)), {}, {}, 0};
    instance_batch const made = at.by.generate(specs_of(at, count));
    std::string const name(at.by.tasks()[std::size_t(at.task)].name);
    for (std::int64_t i = 0; i < count; ++i) {
        out.sound.push_back(R"({"task": ")" + name + R"(", "instance": )" +
                            at.by.instance_json(at.task, made.blocks.row(i)) + "}");
        out.bytes += out.sound.back().size();
    }
    out.bytes /= std::size_t(count);
    if (out.checker.read(out.sound.front()).code == code_too_large) {
        out.sound.clear();
    }
    return out;
}

std::int64_t rows_of(setting const& at) { return at.batch > 0 ? at.batch : proposal_rows; }

}  // namespace

measurement bench_proposals(setting const& at) {
    std::int64_t const count = rows_of(at);
    texts of = texts_of(at, count);
    if (of.sound.empty()) {
        return {};
    }
    for (std::int64_t i = 0; i < count; ++i) {
        std::int32_t code = code_ok;
        of.broken.push_back(fallen(of.sound[std::size_t(i)], i, code));
        expect(of.checker.read(of.broken.back()).code == code, "proposals: another gate than its own refuses a text");
    }
    measurement out = start_of(at, "proposals", "", count);
    out.unit = "proposals of " + std::to_string(of.bytes) + " bytes that fall before the canonical form";
    std::int64_t seen = 0;
    out.seconds = sample(at.seconds, [&] {
        for (std::string const& text : of.broken) {
            seen += of.checker.read(text).code;
        }
    });
    expect(seen > 0, "proposals: nothing was read");
    return out;
}

measurement bench_canonical(setting const& at) {
    std::int64_t const count = rows_of(at);
    texts const of = texts_of(at, count);
    if (of.sound.empty()) {
        return {};
    }
    for (std::string const& text : of.sound) {
        expect(of.checker.read(text).sound(), "canonical: an instance of the generator's falls");
    }
    measurement out = start_of(at, "canonical", "", count);
    out.unit = "proposals of " + std::to_string(of.bytes) + " bytes through the canonical form";
    std::int64_t seen = 0;
    out.seconds = sample(at.seconds, [&] {
        for (std::string const& text : of.sound) {
            checked_proposal const read = of.checker.read(text);
            seen += std::int64_t(canonical_of(at.by, read.task, read.words).hash.low & 1);
        }
    });
    std::vector<double> const reading = sample(at.seconds / 4, [&] {
        for (std::string const& text : of.sound) {
            seen += std::int64_t(of.checker.read(text).words.size());
        }
    });
    expect(seen > 0, "canonical: nothing was read");
    out.stages = {{"read", quantile(reading, 0.5)}};
    return out;
}

}  // namespace optgap::bench
