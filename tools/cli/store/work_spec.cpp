#include "tools/cli/store/work_spec.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "tools/cli/shell/decimal.hpp"

namespace optgap::cli {
namespace {

std::string_view take_until(std::string_view& text, char mark) {
    std::size_t const at = text.find(mark);
    std::string_view const head = text.substr(0, at);
    text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
    return head;
}

[[noreturn]] void refuse_part(std::string_view part, std::string const& why) {
    throw usage_error(fmt::format(
        "--spec: '{}': {}; expected TASK:LEVEL:SPLIT:FIRST-LAST, such as tsp:benchmark:test:0-99", part, why));
}

void read_seeds(std::string_view part, std::string_view seeds, work_part& out) {
    std::string_view rest = seeds;
    std::uint64_t last = 0;
    bool const is_range = seeds.find('-') != std::string_view::npos;
    if (!is_decimal(take_until(rest, '-'), out.first) || (is_range && !is_decimal(rest, last))) {
        refuse_part(part, fmt::format("'{}' are no seeds", seeds));
    }
    last = is_range ? last : out.first;
    if (last < out.first || last - out.first >= std::uint64_t(1) << 40) {
        refuse_part(part, fmt::format("'{}' has no seeds, or more than 2^40", seeds));
    }
    out.count = std::int64_t(last - out.first) + 1;
}

bool is_split(std::string_view text) { return text == "train" || text == "val" || text == "test"; }

bool share_keys(work_part const& a, work_part const& b) {
    return a.task == b.task && a.level == b.level && a.part == b.part &&
           a.first <= b.first + std::uint64_t(b.count - 1) && b.first <= a.first + std::uint64_t(a.count - 1);
}

std::int64_t slurm_number(char const* name) {
    char const* const text = std::getenv(name);
    std::int64_t value = 0;
    if (text == nullptr || !is_decimal(text, value)) {
        throw usage_error(fmt::format("--shard slurm: {} is {}; expected a number, as an element of a job array has it",
                                      name, text == nullptr ? "not set" : fmt::format("'{}'", text)));
    }
    return value;
}

std::int64_t shards_there(std::string const& folder) {
    std::int64_t found = 0;
    if (std::filesystem::is_directory(folder)) {
        for (auto const& entry : std::filesystem::directory_iterator(folder)) {
            std::int64_t const named = shards_named(entry.path().string());
            if (named > 0 && found > 0 && named != found) {
                throw usage_error(
                    fmt::format("{} holds shards of {} and of {}: expected one division", folder, found, named));
            }
            found = named > 0 ? named : found;
        }
    }
    return found;
}

}  // namespace

std::vector<work_part> parse_work(context& ctx, std::string_view text) {
    std::vector<work_part> out;
    while (!text.empty()) {
        std::string_view const part = take_until(text, ',');
        std::string_view rest = part;
        std::string_view const name = take_until(rest, ':');
        std::string_view const one = take_until(rest, ':'), other = take_until(rest, ':');
        if (name.empty() || one.empty() || other.empty() || rest.empty()) {
            refuse_part(part, "has not four parts");
        }
        work_part made;
        try {
            made.part = parse_split(is_split(one) ? one : other);
            made.level = parse_level(is_split(one) ? other : one);
        } catch (field_error const& broken) {
            refuse_part(part, broken.rule());
        }
        read_seeds(part, rest, made);
        for (std::int32_t const task : ctx.tasks_named({std::string(name)})) {
            made.task = task;
            for (work_part const& before : out) {
                if (share_keys(before, made)) {
                    refuse_part(part, "names keys that another part names, too");
                }
            }
            out.push_back(made);
        }
    }
    if (out.empty()) {
        throw usage_error("--spec is empty; expected TASK:LEVEL:SPLIT:FIRST-LAST, such as tsp:benchmark:test:0-99");
    }
    return out;
}

std::vector<work_part> blocks_of(std::vector<work_part> const& parts) {
    std::vector<work_part> out;
    for (work_part const& part : parts) {
        for (std::int64_t begin = 0; begin < part.count; begin += block_rows) {
            work_part block = part;
            block.first += std::uint64_t(begin);
            block.count = std::min(block_rows, part.count - begin);
            out.push_back(block);
        }
    }
    return out;
}

shard_choice parse_shard(std::string_view text, std::string const& folder) {
    shard_choice out;
    if (text.empty()) {
        return out;
    }
    out.is_told = true;
    std::string_view all = text;
    std::string_view const which = take_until(all, '/');
    bool const has_all = text.find('/') != std::string_view::npos;
    if ((has_all && !is_decimal(all, out.all)) || out.all < 1) {
        throw usage_error(fmt::format("--shard is '{}': expected i/N with i from 0 to N-1, slurm, or slurm/N", text));
    }
    if (which != "slurm") {
        if (!has_all || !is_decimal(which, out.mine[0]) || out.mine[0] < 0 || out.mine[0] >= out.all) {
            throw usage_error(
                fmt::format("--shard is '{}': expected i/N with i from 0 to N-1, slurm, or slurm/N", text));
        }
        return out;
    }
    std::int64_t const id = slurm_number("SLURM_ARRAY_TASK_ID"), count = slurm_number("SLURM_ARRAY_TASK_COUNT");
    bool const whole = slurm_number("SLURM_ARRAY_TASK_MIN") == 0 && slurm_number("SLURM_ARRAY_TASK_MAX") == count - 1;
    std::int64_t const there = shards_there(folder);
    if (!has_all) {
        out.all = there > 0 ? there : count;
    }
    if (!whole && !has_all && there == 0) {
        throw usage_error(fmt::format(
            "--shard slurm: this array does not count from 0 without gaps, and {} holds no shards that say how "
            "many there are; expected --array=0-{} or --shard slurm/N",
            folder, count - 1));
    }
    if (id < 0 || (!whole && id >= out.all)) {
        throw usage_error(
            fmt::format("--shard slurm: element {} of the array, but there are {} shards, from 0", id, out.all));
    }
    out.mine.clear();
    for (std::int64_t shard = id; shard < out.all; shard += whole ? count : out.all) {
        out.mine.push_back(shard);
    }
    return out;
}

std::string shard_file(std::string const& folder, std::int64_t shard, std::int64_t shards) {
    return (std::filesystem::path(folder) / fmt::format("{:04}-of-{:04}.db", shard, shards)).string();
}

std::int64_t shards_named(std::string const& path) {
    std::string const name = std::filesystem::path(path).filename().string();
    std::size_t const of = name.find("-of-");
    std::int64_t all = 0;
    if (of == std::string::npos || !name.ends_with(".db")) {
        return 0;
    }
    std::string digits = name.substr(of + 4, name.size() - of - 7);
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    return is_decimal(digits, all) ? all : 0;
}

}  // namespace optgap::cli
